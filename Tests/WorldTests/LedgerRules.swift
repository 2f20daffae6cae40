import Diff
import JSON
import Ledger
import Time

/// What has to be true of a ledger after every apply that ended by itself.
enum LedgerRules {
    static func check(_ ledger: any Snapshot) throws {
        let dispatching = try ledger.deliveries(.dispatching)
        try expect(dispatching.isEmpty, "the ledger holds \(dispatching.count) deliveries that are being dispatched")
        var tokens: Set<Text> = []
        var launches: Set<LaunchID> = []
        for record in try ledger.recorded(in: .all, after: nil, limit: .max) {
            for instance in record.instances {
                try check(instance)
                if let launch = instance.launch {
                    try expect(launches.insert(launch).inserted, "the ledger holds \(launch) twice")
                }
                if instance.phase == .running, let token = instance.token {
                    try expect(tokens.insert(token).inserted, "the ledger has the token of \(instance.id) twice")
                }
            }
            for device in record.devices {
                let starts = device.startTargets.map(\.token)
                for token in ([device.widgets?.token] + starts).compactMap({ $0 }) {
                    try expect(tokens.insert(token).inserted, "the ledger has a token of \(device.id) twice")
                }
            }
        }
    }

    private static func check(_ instance: Instance) throws {
        let sendable = instance.pending.filter { $0.state.isSendable(as: $0.kind) }
        let kinds = sendable.map(\.kind)
        let words = "the ledger holds \(instance.id), \(instance.phase), with \(kinds) to send"
        try expect(Set(kinds).count == kinds.count, words)
        try expect(!(kinds.contains(.update) && kinds.contains(.end)), words)
        switch instance.phase {
        case .queued: try expect(kinds.contains(.start), words)
        case .running:
            try expect(instance.activityID != nil && instance.token != nil, "\(words), and nothing to send it to")
        case .closed, .failed, .cancelled: try expect(kinds.isEmpty, words)
        case .outstanding, .unconfirmed: break
        }
    }
}
