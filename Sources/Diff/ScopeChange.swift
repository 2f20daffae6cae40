public import JSON
public import Time

/// A change of authority: SC-37 to SC-43.
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

/// A subject as a person named it, with the scope that it is in.
public struct NamedScope: Hashable, Sendable {
    /// As it was named.
    public var id: Text
    /// The subject.
    public var subject: ScopeSubject
    /// The scope, where it was ever another one than the first.
    public var recorded: Scope?

    /// A subject under a name.
    public init(id: Text, subject: ScopeSubject, recorded: Scope?) {
        self.id = id
        self.subject = subject
        self.recorded = recorded
    }

    /// The scope that it is in.
    public var scope: Scope { recorded ?? Scope() }
}

/// The outcome for one subject.
public struct ScopeOutcome: Hashable, Sendable {
    /// As it was named.
    public var id: Text
    /// Its kind: `subscriber`, `widget`, `activity`, `start_target`, `widgets`.
    public var kind: Text
    /// The scope it is in now.
    public var scope: Scope
    /// True where anything changed.
    public var isChanged: Bool
    /// The running tiles that the next apply ends.
    public var ending: Int
}

extension ScopeChange {
    /// True where it does something to what is under way, so that the records have to be read.
    public func concernsRecords(in scope: Scope) -> Bool {
        switch self {
        case .pause, .resume: false
        case .revoke: true
        case .reauthorize: opensScope(after: scope)
        }
    }

    /// True where it opens the next scope, from now on: the time has to be right.
    public func opensScope(after scope: Scope) -> Bool { self == .reauthorize && scope.isRevoked }

    /// The scope after the change.
    public func scope(after scope: Scope, at now: Moment) -> Scope {
        var scope = scope
        switch self {
        case .pause: scope.isPaused = true
        case .resume: scope.isPaused = false
        case .revoke: scope.isRevoked = true
        case .reauthorize where opensScope(after: scope):
            scope.number += 1
            scope.isRevoked = false
            scope.openedAt = now
        case .reauthorize: break
        }
        return scope
    }

    /// Carries it out.
    ///
    /// - Parameters:
    ///   - named: The subject.
    ///   - records: The records under it, of each owner.
    ///   - now: The time.
    /// - Returns: The outcome of the subject, and the changes to be written.
    /// - Throws: ``IllegalMove`` where a record holds what cannot be.
    public func applied(
        to named: NamedScope,
        _ records: [Recorded],
        at now: Moment
    ) throws(IllegalMove) -> (outcome: ScopeOutcome, changes: LedgerChanges) {
        var changes = LedgerChanges()
        let scope = scope(after: named.scope, at: now)
        var ending = 0
        for record in records {
            var transition = Transition(record)
            switch self {
            case .pause, .resume: break
            case .revoke(let keepsTiles):
                ending += try named.subject.revoke(in: &transition, keepsTiles: keepsTiles, at: now)
            case .reauthorize where opensScope(after: named.scope): ending += named.subject.endKept(in: &transition)
            case .reauthorize: break
            }
            changes.add(transition)
        }
        let isChanged = scope != named.scope
        if isChanged {
            let before = named.recorded.map { ScopeRow(named.subject, $0) }
            changes.scopes.append(RowChange(before: before, after: ScopeRow(named.subject, scope)))
            changes.history.append(
                .event(
                    Event(at: now, run: nil, kind: code, owner: named.subject.owner, subject: named.id, text: words)
                )
            )
        }
        let outcome = ScopeOutcome(
            id: named.id,
            kind: named.subject.kind,
            scope: scope,
            isChanged: isChanged || ending > 0,
            ending: ending
        )
        return (outcome, changes)
    }

    /// The stable code of its line in the log.
    private var code: Text {
        switch self {
        case .pause: "paused"
        case .resume: "resumed"
        case .revoke: "revoked"
        case .reauthorize: "reauthorized"
        }
    }

    /// Its line in the log.
    private var words: Text {
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
    /// The name of its kind, as in the output.
    fileprivate var kind: Text {
        switch self {
        case .subscriber: "subscriber"
        case .widget: "widget"
        case .activity: "activity"
        case .startTarget: "start_target"
        case .widgets: "widgets"
        }
    }

    /// The owner that its line of the log concerns.
    fileprivate var owner: Owner? {
        switch self {
        case .subscriber(let subscriber): Owner(subscriber: subscriber, app: "")
        case .widget(let owner, _), .activity(let owner, _, _): owner
        case .startTarget, .widgets: nil
        }
    }
}
