public import Diff
public import JSON
public import Time

/// One line of what happened.
public struct LogLine: Hashable, Sendable {
    /// The moment it happened.
    public var at: Moment
    /// The run; `nil` where a report did it.
    public var run: RunID?
    /// A stable snake_case code.
    public var kind: Text
    /// Whom it is about, if anybody.
    public var subscriber: Text?
    /// The app that it is about, if any.
    public var app: Text?
    /// The id that it is about, if any.
    public var subject: Text?
    /// For people.
    public var text: Text
}
