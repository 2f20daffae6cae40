internal import Diff
internal import JSON
internal import Time

/// The size that the pushes of a Live Activity will have, before any of them is made.
struct PayloadSize {
    /// The most bytes that APNs takes, and that ActivityKit takes of attributes and state together.
    static let limit = 4_096
    /// A time with the ten digits that all have until the year 2286.
    private static let time = Moment(seconds: 9_999_999_999)
    private static let launch = LaunchID(Text("lrq_" + String(repeating: "0", count: 26)))

    /// More than any payload has beside what is declared: keys, times, the launch.
    private static let overhead = 512

    private let name: Text
    private let sizes: [(what: String, bytes: Int)]

    /// Measures the start, the updates and the end of a Live Activity, and its attributes with its state; nothing where
    /// all that is declared is small enough for every payload.
    init?(_ activity: ActivityDeclaration) {
        guard activity.body.mostCanonicalBytes + Self.overhead > Self.limit else { return nil }
        name = activity.name
        var content = activity.content
        content.staleAt = content.staleAt.map { _ in Self.time }
        let start = Payload.start(
            Push.Start(
                attributesType: activity.attributesType,
                attributes: activity.attributes,
                launch: Self.launch,
                content: content,
                rings: true,
                asksForToken: true
            ),
            at: Self.time
        )
        let update = Payload.update(content, rings: true, at: Self.time)
        let end = Payload.end(state: activity.end?.state ?? activity.state, at: Self.time, dismissalDate: Self.time)
        var attributes = activity.attributes.object ?? Object()
        attributes["launchRequestId"] = .string(Self.launch.text)
        let together = Value.object(attributes).canonicalBytes.count + activity.state.canonicalBytes.count
        sizes = [
            ("the start", activity.start == .remote ? start.count : 0),
            ("an update", update.count),
            ("the end", end.count),
            ("its attributes and state together", together),
        ]
    }

    /// The payload that is too large, in words; `nil` where none is.
    var excess: String? {
        guard let first = sizes.first(where: { $0.bytes > Self.limit }) else { return nil }
        return "the Live Activity '\(name.shown)' is too large: \(first.what) would have \(first.bytes) bytes, "
            + "\(first.bytes - Self.limit) more than the \(Self.limit) that are allowed; shorten its state or attributes"
    }
}
