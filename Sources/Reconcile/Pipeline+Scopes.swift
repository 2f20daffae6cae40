public import Diff
internal import Foreign
public import JSON

/// What can be done to authority: SC-37 to SC-43.
public enum ScopeChange: Hashable, Sendable {
    /// Pushes are held; states still commit.
    case pause
    /// The newest state is sent again.
    case resume
    /// The scope is closed; what is visible ends, unless it is kept.
    case revoke(keepsTiles: Bool)
    /// The next scope is opened; it needs reports newer than itself.
    case reauthorize
}

/// Why no scope was changed.
public enum ScopeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The ledger knows nothing that authority can be had over by these names.
    case unknown([Text])
    /// The activity belongs to no declaration.
    case unnamed(Text, device: Text)

    /// What is wrong and what to do.
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

/// What became of one subject.
public struct ScopeOutcome: Hashable, Sendable {
    /// As it was named.
    public var id: Text
    /// What it is: `subscriber`, `widget`, `activity`, `start_target`, `widgets`.
    public var kind: Text
    /// The scope it is in now.
    public var scope: Scope
    /// Whether anything changed.
    public var isChanged: Bool
    /// The running tiles that the next apply ends.
    public var ending: Int
}

extension Pipeline {
    /// Pauses, resumes, revokes or reauthorizes, in one short transaction that takes no lock: a run that is sending looks at
    /// it before each batch.
    ///
    /// - Parameters:
    ///   - ids: Subscribers, or ids of targets, start targets and widget registrations.
    ///   - change: What to do.
    /// - Returns: What became of each, in the order of `ids`.
    /// - Throws: ``ScopeError`` with all that are unknown, before anything is changed; ``LedgerError``.
    public func change(_ ids: [Text], _ change: ScopeChange) throws -> [ScopeOutcome] {
        let ledger = try openLedger(.write)
        let apps = configuration.apps.map(\.bundleID)
        return try ledger.transaction {
            let subjects = try ids.map { try ledger.scopeSubject($0, apps: apps) }
            let unknown = zip(ids, subjects).filter { $0.1 == nil }.map(\.0)
            guard unknown.isEmpty else { throw ScopeError.unknown(unknown) }
            return try zip(ids, subjects).compactMap { id, subject in
                try subject.map { try self.change(id, $0, change, in: ledger) }
            }
        }
    }

    private func change(
        _ id: Text,
        _ subject: ScopeSubject,
        _ change: ScopeChange,
        in ledger: Ledger
    ) throws -> ScopeOutcome {
        let now = environment.now()
        let before = try ledger.scopes()[subject]
        var scope = before
        var ending = 0
        switch change {
        case .pause: scope.isPaused = true
        case .resume: scope.isPaused = false
        case .revoke(let keepsTiles):
            scope.isRevoked = true
            ending = try ledger.close(subject, keepsTiles: keepsTiles, run: nil, at: now)
        case .reauthorize where before.isRevoked:
            try ledger.requirePlausible(now)
            scope.number += 1
            scope.isRevoked = false
            scope.openedAt = now
            ending = try ledger.endKept(of: subject)
        case .reauthorize: break
        }
        var outcome = ScopeOutcome(
            id: id,
            kind: subject.kind,
            scope: scope,
            isChanged: scope != before,
            ending: ending
        )
        if outcome.isChanged {
            try ledger.store(scope, of: subject)
            try ledger.note(
                Event(at: now, run: nil, kind: change.code, owner: subject.owner, subject: id, text: change.words)
            )
        }
        if ending > 0 { outcome.isChanged = true }
        return outcome
    }
}

extension ScopeChange {
    fileprivate var code: Text {
        switch self {
        case .pause: "paused"
        case .resume: "resumed"
        case .revoke: "revoked"
        case .reauthorize: "reauthorized"
        }
    }

    fileprivate var words: Text {
        switch self {
        case .pause: "paused: pushes are held, states still commit"
        case .resume: "resumed: the newest state is sent"
        case .revoke(true): "revoked: what was visible is kept, and nothing more is sent"
        case .revoke(false): "revoked: what is visible ends, and nothing more is sent"
        case .reauthorize: "reauthorized: a new scope is open to what registers from now on"
        }
    }
}

extension ScopeSubject {
    fileprivate var kind: Text {
        switch self {
        case .subscriber: "subscriber"
        case .widget: "widget"
        case .activity: "activity"
        case .startTarget: "start_target"
        case .widgets: "widgets"
        }
    }

    fileprivate var owner: Owner? {
        switch self {
        case .subscriber(let subscriber): Owner(subscriber: subscriber, app: "")
        case .widget(let owner, _), .activity(let owner, _, _): owner
        case .startTarget, .widgets: nil
        }
    }
}
