internal import JSON
internal import Time

/// One line for the spool: what an app told its backend.
struct Report {
    /// The kinds of reports.
    enum Kind: String, CaseIterable, Sendable {
        case widgetsRegistered = "widgets.registered"
        case widgetsUnregistered = "widgets.unregistered"
        case startRegistered = "start.registered"
        case startUnregistered = "start.unregistered"
        case activityRegistered = "activity.registered"
        case activityEnded = "activity.ended"
        case activityDismissed = "activity.dismissed"
        case subscriberIdentified = "subscriber.identified"
        case subscriberLoggedOut = "subscriber.loggedOut"
    }

    let kind: Kind
    let app: String
    let subscriber: String
    let device: String
    /// The moment at which the backend received it.
    var at: Moment
    /// The members that the kind has beside the above.
    let details: [Object.Member]
}
