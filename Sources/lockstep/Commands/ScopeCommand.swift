import Diff
import Foreign
import JSON
import Reconcile
internal import Time

/// `lockstep pause`, `resume`, `revoke` and `reauthorize`: what may be sent, and to whom.
struct ScopeCommand: Equatable, Sendable {
    /// The configuration's path, where one was given.
    let config: String?
    /// Subscribers and ids.
    let ids: [String]
    /// The change of their authority.
    let change: ScopeChange
}

extension ScopeCommand {
    /// Reads it from a command line.
    init(_ change: ScopeChange, _ arguments: Arguments, options: GlobalOptions) {
        config = options.config
        ids = arguments.operands
        self.change = change
    }

    func run(_ output: Output, _ system: SystemEnvironment) throws -> ExitStatus {
        let pipeline = try Project.pipeline(config, output, on: system)
        let outcomes = try AuthorityChange(pipeline, change).run(ids.map { Text($0) })
        if output.isJSON {
            output.result(["results": .array(outcomes.map(\.value))])
        } else {
            for outcome in outcomes where outcome.isChanged || output.options.verbosity != .quiet {
                output.line("\(outcome.id): " + words(of: outcome))
            }
        }
        return .done
    }

    private func words(of outcome: ScopeOutcome) -> String {
        let tiles = "\(outcome.ending) running \(outcome.ending == 1 ? "activity" : "activities")"
        let ends = outcome.ending == 0 ? "" : "; the next apply ends \(tiles)"
        switch change {
        case .pause:
            return outcome.isChanged ? "paused; states still commit, pushes wait for 'resume'" : "was paused already"
        case .resume: return outcome.isChanged ? "resumed; the next apply sends the newest state" : "was not paused"
        case .revoke: return (outcome.isChanged ? "revoked" : "was revoked already") + ends
        case .reauthorize where outcome.isChanged:
            let since = RFC3339.string(outcome.scope.openedAt)
            return "scope \(outcome.scope.number) is open to devices that register after \(since)" + ends
        case .reauthorize: return "was not revoked"
        }
    }
}

extension ScopeOutcome {
    /// For programs: `{ id, kind, scope, paused, revoked, changed, ending }`.
    fileprivate var value: Value {
        [
            "id": .string(id), "kind": .string(kind), "scope": .integer(scope.number), "paused": .bool(scope.isPaused),
            "revoked": .bool(scope.isRevoked),
            "openedAt": scope.openedAt > .never ? .string(Text(RFC3339.string(scope.openedAt))) : .null,
            "changed": .bool(isChanged), "ending": .integer(Int64(ending)),
        ]
    }
}
