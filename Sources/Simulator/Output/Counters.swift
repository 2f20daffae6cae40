internal import JSON

/// How often things happened since the simulator started.
struct Counters {
    private var counts: [String: [String: Int64]] = [:]
    /// Requests received.
    private(set) var requests: Int64 = 0
    /// Connections accepted.
    var connections: Int64 = 0

    /// Counts one request with its answer; status 0 stands for no answer.
    mutating func count(status: Int, reason: String?, event: Event?, effect: Effect?) {
        requests += 1
        counts["statuses", default: [:]][String(status), default: 0] += 1
        if let reason { counts["reasons", default: [:]][reason, default: 0] += 1 }
        if let event { counts["events", default: [:]][event.rawValue, default: 0] += 1 }
        if let effect { counts["effects", default: [:]][effect.word, default: 0] += 1 }
        if case .dropped(let why)? = effect { counts["dropped", default: [:]][why, default: 0] += 1 }
    }

    /// The counters as the command `counters` answers them.
    func members(reports: Int, faults: Int, phones: Int) -> Object {
        var object = Object()
        for key in ["statuses", "reasons", "events", "effects", "dropped"] {
            var counted = Object()
            for (word, count) in counts[key] ?? [:] { counted[Text(word)] = .integer(count) }
            object[Text(key)] = .object(counted)
        }
        object["requests"] = .integer(requests)
        object["connections"] = .integer(connections)
        object["reports"] = .integer(Int64(reports))
        object["faults"] = .integer(Int64(faults))
        object["phones"] = .integer(Int64(phones))
        return object
    }
}
