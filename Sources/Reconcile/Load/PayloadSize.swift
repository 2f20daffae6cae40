internal import Diff
internal import JSON

/// How many bytes the pushes of a Live Activity will have, before any of them is made.
///
/// The keys are those of Apple's "Starting and updating Live Activities with ActivityKit push notifications". Times are
/// taken with the ten digits that they have until the year 2286.
struct PayloadSize {
    /// The most bytes that APNs takes, and that ActivityKit takes of attributes and state together.
    static let limit = 4_096

    private let name: Text
    private let sizes: [(what: String, bytes: Int)]

    /// Measures the start, the updates and the end of a Live Activity, and its attributes with its state.
    init(_ activity: ActivityDeclaration) {
        name = activity.name
        let time = Value.integer(9_999_999_999)
        var attributes = activity.attributes.object ?? Object()
        attributes["launchRequestId"] = .string(Text("lrq_" + String(repeating: "0", count: 26)))

        var update = Object()
        update["event"] = "update"
        update["timestamp"] = time
        update["content-state"] = activity.state
        update["alert"] = activity.alert
        update["stale-date"] = activity.staleAt.map { _ in time }
        update["relevance-score"] = activity.relevanceScore

        var start = update
        start["event"] = "start"
        start["attributes-type"] = .string(activity.attributesType)
        start["attributes"] = .object(attributes)
        start["input-push-token"] = 1

        var end = Object()
        end["event"] = "end"
        end["timestamp"] = time
        end["content-state"] = activity.end?.state ?? activity.state
        end["dismissal-date"] = time

        func bytes(_ aps: Object) -> Int { Value.object(Object([.init(key: "aps", value: .object(aps))])).size }
        sizes = [
            ("the start", activity.start == .remote ? bytes(start) : 0),
            ("an update", bytes(update)),
            ("the end", bytes(end)),
            ("its attributes and state together", Value.object(attributes).size + activity.state.size),
        ]
    }

    /// What is too large, in words; `nil` where nothing is.
    var excess: String? {
        guard let first = sizes.first(where: { $0.bytes > Self.limit }) else { return nil }
        return "the Live Activity '\(name.shown)' is too large: \(first.what) would have \(first.bytes) bytes, "
            + "\(first.bytes - Self.limit) more than the \(Self.limit) that are allowed; shorten its state or attributes"
    }
}

extension Value {
    /// The bytes of the canonical form.
    fileprivate var size: Int { canonicalBytes.count }
}
