public import JSON
public import Time

/// A device and its owner, by its reports.
public struct DeviceRow: Hashable, Sendable {
    /// The app's bundle id.
    public var app: Text
    /// The installation's id.
    public var device: Text
    /// The owner of the device; `nil` after a logout.
    public var owner: Text?
    /// The highest `at` of a report of another owner before this one: what is older registers nothing.
    public var ownerSince: Moment
    /// The highest `at` of any report of it.
    public var lastReport: Moment

    /// The owner of a device.
    public init(app: Text, device: Text, owner: Text?, ownerSince: Moment, lastReport: Moment) {
        self.app = app
        self.device = device
        self.owner = owner
        self.ownerSince = ownerSince
        self.lastReport = lastReport
    }
}

/// An anonymous id that turned out to be a person, in one app.
public struct Alias: Hashable, Sendable {
    /// The app's bundle id.
    public var app: Text
    /// The id, `anon_…`.
    public var anonymous: Text
    /// The person.
    public var person: Text

    /// An alias of a person.
    public init(app: Text, anonymous: Text, person: Text) {
        self.app = app
        self.anonymous = anonymous
        self.person = person
    }
}

/// An activity that was reported over before it was reported at all.
public struct ClosedEarly: Hashable, Sendable {
    /// The app's bundle id.
    public var app: Text
    /// The installation's id.
    public var device: Text
    /// Its activityId or launchRequestId.
    public var key: Text

    /// An activity that was over early.
    public init(app: Text, device: Text, key: Text) {
        self.app = app
        self.device = device
        self.key = key
    }
}

/// A subject and the scope that it is in.
public struct ScopeRow: Hashable, Sendable {
    /// The subject.
    public var subject: ScopeSubject
    /// The scope.
    public var scope: Scope

    /// A subject in a scope.
    public init(_ subject: ScopeSubject, _ scope: Scope) {
        self.subject = subject
        self.scope = scope
    }
}

/// The pushes that the account sent in other ways on a day, as far as they were recorded.
public struct SentElsewhere: Hashable, Sendable {
    /// The day.
    public var day: UTCDay
    /// The number of pushes.
    public var pushes: Int

    /// Pushes of a day.
    public init(day: UTCDay, pushes: Int) {
        self.day = day
        self.pushes = pushes
    }
}

extension RowChange<SentElsewhere> {
    /// Adds pushes to what was recorded of a day before.
    public static func adding(_ pushes: Int, on day: UTCDay, to before: SentElsewhere?) -> RowChange<SentElsewhere> {
        RowChange(before: before, after: SentElsewhere(day: day, pushes: (before?.pushes ?? 0) + pushes))
    }
}
