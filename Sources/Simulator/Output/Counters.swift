internal import JSON

/// The counts of events since the simulator started.
struct Counters {
    /// The kind of one request that is counted; few of the possible ones ever occur.
    private struct Kind: Hashable {
        let status: Int
        let reason: String?
        let event: Event?
        let effect: Effect?
    }

    private var counts: [Kind: Int64] = [:]
    /// Connections accepted.
    var connections: Int64 = 0

    /// Counts one request with its answer; status 0 stands for no answer.
    mutating func count(status: Int, reason: String?, event: Event?, effect: Effect?) {
        counts[Kind(status: status, reason: reason, event: event, effect: effect), default: 0] += 1
    }

    /// The counters as the command `counters` answers them.
    func members(reports: Int, faults: Int, phones: Int) -> Object {
        [
            "statuses": sums { String($0.status) }, "reasons": sums { $0.reason },
            "events": sums { $0.event?.rawValue },
            "effects": sums { $0.effect?.word }, "dropped": sums { $0.effect?.why },
            "requests": .integer(counts.values.reduce(0, +)), "connections": .integer(connections),
            "reports": .integer(Int64(reports)), "faults": .integer(Int64(faults)), "phones": .integer(Int64(phones)),
        ]
    }

    private func sums(by word: (Kind) -> String?) -> Value {
        var sums: [String: Int64] = [:]
        for (kind, count) in counts {
            if let word = word(kind) { sums[word, default: 0] += count }
        }
        return .object(Object(sums.map { Object.Member(key: Text($0.key), value: .integer($0.value)) }))
    }
}
