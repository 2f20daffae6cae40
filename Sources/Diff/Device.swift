public import JSON
public import Time

/// The APNs environment a token belongs to.
public enum PushEnvironment: Text, Hashable, Sendable, CaseIterable {
    /// `api.push.apple.com`
    case production
    /// `api.sandbox.push.apple.com`
    case sandbox
}

/// An operating system version such as `17.2` or `26.0.1`, compared part by part.
public struct OSVersion: Hashable, Comparable, Sendable {
    private var parts: [Int]

    /// Reads `MAJOR[.MINOR[.PATCH]]`; `nil` for anything else.
    public init?(_ text: String) {
        let pieces = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...4).contains(pieces.count) else { return nil }
        parts = []
        for piece in pieces {
            guard let part = Int(piece), part >= 0, piece.first != "+" else { return nil }
            parts.append(part)
        }
        while parts.count > 1, parts.last == 0 { parts.removeLast() }
    }

    /// A version by its numbers.
    public init(_ major: Int, _ minor: Int = 0) {
        parts = minor == 0 ? [major] : [major, minor]
    }

    /// `MAJOR[.MINOR[.PATCH]]`, without zeros at the end.
    public var text: Text { Text(parts.map(String.init).joined(separator: ".")) }

    /// Part by part; a missing part counts as 0.
    public static func < (left: OSVersion, right: OSVersion) -> Bool {
        left.parts.lexicographicallyPrecedes(right.parts)
    }

    /// Widget pushes exist from here on.
    public static let widgetPushes = OSVersion(26)
    /// Remote starts of Live Activities exist from here on.
    public static let remoteStarts = OSVersion(17, 2)
    /// Updates of Live Activities by push exist from here on.
    public static let activityUpdates = OSVersion(17)
    /// A start has to ask for its update token from here on.
    public static let inputPushToken = OSVersion(18)
}

/// One device of an owner, with what it registered.
public struct Device: Hashable, Sendable {
    /// The installation's id.
    public var id: Text
    /// Its widget push token, while any widget is installed.
    public var widgets: WidgetRegistration?
    /// Its push-to-start tokens, one per attributes type, by type.
    public var startTargets: [StartTarget]

    /// A device with its registrations.
    public init(id: Text, widgets: WidgetRegistration? = nil, startTargets: [StartTarget] = []) {
        self.id = id
        self.widgets = widgets
        self.startTargets = startTargets
    }
}

/// A definite refusal that holds its object until the state or the token is newer.
public struct Rejection: Hashable, Sendable {
    /// The revision (of an instance), or the number of the step (of a reload), that was refused.
    public var revision: Int64
    /// The `at` of the token it was refused for.
    public var tokenAt: Moment

    /// A refusal of one revision for one token.
    public init(revision: Int64, tokenAt: Moment) {
        self.revision = revision
        self.tokenAt = tokenAt
    }
}

/// The widget push token of one device and app, for all its widgets.
public struct WidgetRegistration: Hashable, Sendable {
    /// Kept when the token rotates.
    public var id: WidgetsID
    /// Lower-case hex; `nil` once it is unregistered or dead.
    public var token: Text?
    /// The environment in which the token is valid.
    public var environment: PushEnvironment
    /// The kinds that are installed.
    public var kinds: [Text]
    /// The device's system, where reported.
    public var os: OSVersion?
    /// The time at which the backend received the report.
    public var at: Moment
    /// The step up to which this device was reloaded.
    public var reloadedStep: Step
    /// The time of its last reload.
    public var reloadedAt: Moment
    /// True where it owes one reload whatever changed, because its owner did.
    public var owesReload: Bool
    /// The refusal that holds it, if any.
    public var rejection: Rejection?
    /// Its reload that is not settled, if any.
    public var pending: Delivery?

    /// A registration.
    public init(
        id: WidgetsID,
        token: Text?,
        environment: PushEnvironment,
        kinds: [Text],
        os: OSVersion?,
        at: Moment,
        reloadedStep: Step = .zero,
        reloadedAt: Moment = .never,
        owesReload: Bool = false,
        rejection: Rejection? = nil,
        pending: Delivery? = nil
    ) {
        self.id = id
        self.token = token
        self.environment = environment
        self.kinds = kinds
        self.os = os
        self.at = at
        self.reloadedStep = reloadedStep
        self.reloadedAt = reloadedAt
        self.owesReload = owesReload
        self.rejection = rejection
        self.pending = pending
    }
}

/// A device prepared for remote starts of one attributes type.
public struct StartTarget: Hashable, Sendable {
    /// Kept when the token rotates.
    public var id: StartTargetID
    /// The Swift name of the `ActivityAttributes` type.
    public var attributesType: Text
    /// Lower-case hex; `nil` once it is unregistered or dead.
    public var token: Text?
    /// The environment in which the token is valid.
    public var environment: PushEnvironment
    /// The device's system, where reported.
    public var os: OSVersion?
    /// The time at which the backend received the report.
    public var at: Moment
    /// True where the person allows frequent pushes; `nil` where not reported.
    public var frequentPushes: Bool?
    /// The template versions that the app can decode; `nil` means any.
    public var templates: [Text]?

    /// A start target.
    public init(
        id: StartTargetID,
        attributesType: Text,
        token: Text?,
        environment: PushEnvironment,
        os: OSVersion?,
        at: Moment,
        frequentPushes: Bool? = nil,
        templates: [Text]? = nil
    ) {
        self.id = id
        self.attributesType = attributesType
        self.token = token
        self.environment = environment
        self.os = os
        self.at = at
        self.frequentPushes = frequentPushes
        self.templates = templates
    }
}

extension Rejection {
    /// Holds a token, whatever the state, until a newer report: APNs found it invalid at a time before it was reported.
    public static func untilReported(tokenAt: Moment) -> Rejection { Rejection(revision: .max, tokenAt: tokenAt) }

    /// True where only a newer token report can lift it.
    var holdsToken: Bool { revision == .max }
}
