internal import Time

/// A push token: the address that a phone was given for one purpose.
struct PushToken: Hashable, Sendable {
    let bytes: [UInt8]

    /// All its digits, in lower case.
    var hex: String { Hex.text(bytes) }

    /// Its first 8 digits: as much as a log may show.
    var prefix: String { Hex.text(Array(bytes.prefix(4))) }
}

/// The purpose of a token.
enum TokenPurpose: Hashable, Sendable {
    /// Reloads all the widgets of one app.
    case widgets
    /// Starts activities of one attributes type.
    case start(attributesType: String)
    /// Updates and ends one activity.
    case activity(id: String)

    /// The suffix of the topic that goes with it.
    var pushType: PushType { self == .widgets ? .widgets : .liveactivity }
}

/// Apple's record of a token.
struct TokenRecord {
    /// The reason that a token no longer works.
    struct Death: Equatable {
        /// The answer to whoever uses it.
        var reason: Reason
        /// The moment of it.
        var at: Moment
    }

    let phone: Phone
    let app: String
    let purpose: TokenPurpose
    let environment: APNsEnvironment
    /// Set once the token is dead.
    var death: Death?
    /// Replaced without Apple knowing: pushes are accepted and show nothing.
    var isForgotten = false
}
