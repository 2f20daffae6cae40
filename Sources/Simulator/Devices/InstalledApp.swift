internal import JSON

/// One app on one phone.
final class InstalledApp {
    /// A widget on the screen: the published state as it was when the widget last looked.
    struct Widget: Equatable {
        var state: Value = .null
        var revision: Int64?
    }

    let bundle: String
    let environment: APNsEnvironment
    /// The person who is signed in, or an `anon_…` id; `nil` after sign-out.
    var subscriber: String?
    /// The widgets on the home screen, by name.
    var widgets: [String: Widget]
    /// The attributes types that the app declares.
    let attributesTypes: [String]
    /// The template versions that the app says it can decode.
    let templates: [String]
    /// True where the person allows frequent pushes; not reported when `nil`.
    let frequentPushes: Bool?
    /// True where the app reports an activity that a push or the 8-hour limit ended. (Apps are not woken for that.)
    let reportsEnds: Bool

    var widgetToken: PushToken?
    var startTokens: [String: PushToken] = [:]
    /// The activities that the lock screen shows, oldest first.
    var tiles: [Tile] = []

    init(_ setup: PhoneSetup.App, subscriber: String?) {
        bundle = setup.bundle
        environment = setup.environment
        self.subscriber = subscriber
        widgets = Dictionary(setup.widgets.map { ($0, Widget()) }) { first, _ in first }
        attributesTypes = setup.attributesTypes
        templates = setup.templates
        frequentPushes = setup.frequentPushes
        reportsEnds = setup.reportsEnds
    }
}

/// The set-up of a phone that is added.
struct PhoneSetup: Equatable, Sendable {
    /// One app on it.
    struct App: Equatable, Sendable {
        var bundle: String
        var environment: APNsEnvironment = .production
        var widgets: [String] = []
        var attributesTypes: [String] = []
        var templates: [String] = []
        var frequentPushes: Bool?
        var reportsEnds = false
    }

    var device: String
    /// The person who is signed in; without one the phone is anonymous.
    var subscriber: String?
    var os: OSVersion
    var apps: [App]
}
