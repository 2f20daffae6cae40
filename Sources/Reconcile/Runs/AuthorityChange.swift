public import Diff
internal import Foreign
public import JSON
internal import Ledger
internal import Source

/// The reason that no scope was changed.
public enum ScopeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The ledger knows nothing that authority can be had over by these names.
    case unknown([Text])
    /// The activity belongs to no declaration.
    case unnamed(Text, device: Text)

    /// The fault and the way out.
    public var description: String {
        switch self {
        case .unnamed(let id, let device):
            "\(id) is an activity on device \(device) that belongs to no declaration: there is nothing to send to it. It "
                + "blocks launches of its type there until the app reports it over, or 12 hours after it began; end it in "
                + "the app. Nothing was changed"
        case .unknown(let ids):
            "the ledger knows no subscriber, tgt_, stt_ or wgt_ by the name of "
                + ids.map { "'\($0)'" }.joined(separator: ", ")
                + "; 'lockstep status SUBSCRIBER' shows the ids of one. Nothing was changed"
        }
    }
}

/// `pause`, `resume`, `revoke` and `reauthorize`: authority over pushes.
///
/// It is one short transaction that takes no lock: a run that is sending looks at it before each batch.
public struct AuthorityChange {
    private let pipeline: Pipeline
    private let change: ScopeChange

    /// A change of authority in a project.
    public init(_ pipeline: Pipeline, _ change: ScopeChange) {
        self.pipeline = pipeline
        self.change = change
    }

    /// Makes the change.
    ///
    /// - Parameter ids: Subscribers, or ids of targets, start targets and widget registrations.
    /// - Returns: The outcome of each, in the order of `ids`.
    /// - Throws: ``ScopeError`` with all that are unknown, before anything is changed; ``LedgerError``.
    public func run(_ ids: [Text]) throws -> [ScopeOutcome] {
        let ledger = try pipeline.store.session()
        let apps = pipeline.configuration.apps.map(\.bundleID)
        return try ledger.unit {
            let subjects = try ids.map { try ledger.scopeSubject($0, apps: apps) }
            let unknown = zip(ids, subjects).filter { $0.1 == nil }.map(\.0)
            guard unknown.isEmpty else { throw ScopeError.unknown(unknown) }
            return try zip(ids, subjects).compactMap { id, subject in
                try subject.map { try carryOut(on: $0, named: id, in: ledger) }
            }
        }
    }

    private func carryOut(
        on subject: ScopeSubject,
        named id: Text,
        in ledger: any Session
    ) throws -> ScopeOutcome {
        let now = pipeline.environment.now()
        let named = NamedScope(id: id, subject: subject, recorded: try ledger.scopes().recorded(subject))
        if change.opensScope(after: named.scope) { try ledger.facts().requirePlausible(now) }
        let records = change.concernsRecords(in: named.scope) ? try ledger.underWay(subject) : []
        let (outcome, changes) = try change.applied(to: named, records, at: now)
        try ledger.write(changes)
        return outcome
    }
}
