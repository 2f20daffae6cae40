public import Diff
internal import Foreign
public import JSON
internal import Time

extension Summary {
    /// The counts as an event: `{ "type": "change_summary", … }`.
    public var value: Value {
        var event = Object()
        event["type"] = "change_summary"
        event["hasChanges"] = .bool(hasChanges)
        event["pushes"] = .integer(Int64(pushes))
        for (key, path) in Self.counts { event[key] = .integer(Int64(self[keyPath: path])) }
        event["waitingUntil"] = waitingUntil.map { .string(Text(RFC3339.string($0))) }
        event["message"] = .string(Text(sentence))
        return .object(event)
    }

    /// Reads the counts back; `nil` where one is missing.
    init?(_ value: Value) {
        guard value["type"] == "change_summary" else { return nil }
        self.init()
        for (key, path) in Self.counts {
            guard let count = value[key]?.integer.flatMap({ Int(exactly: $0) }) else { return nil }
            self[keyPath: path] = count
        }
        waitingUntil = value["waitingUntil"]?.text.flatMap { try? RFC3339.moment(of: $0.string) }
    }

    private static var counts: [(key: Text, path: WritableKeyPath<Summary, Int>)] {
        [
            ("starts", \.starts), ("updates", \.updates), ("ends", \.ends), ("reloads", \.reloads),
            ("commits", \.commits), ("held", \.held), ("blocked", \.blocked), ("waiting", \.waiting),
            ("deferred", \.deferred), ("ignored", \.ignored), ("removals", \.removals),
            ("replacements", \.replacements),
        ]
    }
}
