public import JSON
public import Time

/// A subject of authority that can be paused, revoked and given anew.
public enum ScopeSubject: Hashable, Sendable {
    /// Everything of a subscriber, in every app.
    case subscriber(Text)
    /// A widget declaration, on all devices.
    case widget(Owner, name: Text)
    /// An activity declaration on one device.
    case activity(Owner, name: Text, device: Text)
    /// The starts of one attributes type on one device.
    case startTarget(StartTargetID)
    /// The widgets of one device.
    case widgets(WidgetsID)
}

/// A generation of authority over a subject.
///
/// Pausing and resuming leave it as it is; revoking closes it, and reauthorizing opens the next one.
public struct Scope: Hashable, Sendable {
    /// Counts the generations, from 1.
    public var number: Int64
    /// True where its pushes are held.
    public var isPaused: Bool
    /// True where it is closed.
    public var isRevoked: Bool
    /// The time at which it was opened, 0 for the first: what was registered before counts no more.
    public var openedAt: Moment

    /// A scope; the first one of a subject where nothing is said.
    public init(number: Int64 = 1, isPaused: Bool = false, isRevoked: Bool = false, openedAt: Moment = .never) {
        self.number = number
        self.isPaused = isPaused
        self.isRevoked = isRevoked
        self.openedAt = openedAt
    }
}

/// The scopes that were ever paused or revoked; every other subject is in its first one, open.
public struct Scopes: Hashable, Sendable {
    private var scopes: [ScopeSubject: Scope]

    /// The scopes of some subjects.
    public init(_ scopes: [ScopeSubject: Scope] = [:]) {
        self.scopes = scopes
    }

    /// True where nothing was ever paused or revoked.
    public var isEmpty: Bool { scopes.isEmpty }

    /// The scope that a subject is in.
    public subscript(subject: ScopeSubject) -> Scope { scopes[subject] ?? Scope() }

    /// The scope of a subject that was ever paused or revoked; `nil` for every other one.
    public func recorded(_ subject: ScopeSubject) -> Scope? { scopes[subject] }

    /// The scopes once some of them have changed.
    public func changed(by changes: [RowChange<ScopeRow>]) -> Scopes {
        var scopes = scopes
        for change in changes {
            if let old = change.before { scopes[old.subject] = nil }
            if let new = change.after { scopes[new.subject] = new.scope }
        }
        return Scopes(scopes)
    }

    /// The subjects that get another name, with their scopes; a scope that is recorded under the new one stays, or goes.
    ///
    /// - Parameters:
    ///   - replaces: True where the records under the new name give way.
    ///   - name: The subject that a subject becomes; `nil` for one that stays what it is.
    /// - Returns: The rows.
    func renamed(replaces: Bool, _ name: (ScopeSubject) -> ScopeSubject?) -> [RowChange<ScopeRow>] {
        var changes: [RowChange<ScopeRow>] = []
        for (subject, scope) in scopes {
            guard let next = name(subject), next != subject else { continue }
            if let taken = scopes[next] {
                guard replaces else { continue }
                changes.append(RowChange(before: ScopeRow(next, taken), after: nil))
            }
            changes.append(RowChange(before: ScopeRow(subject, scope), after: ScopeRow(next, scope)))
        }
        return changes
    }

    /// The authority that decides about a push which needs it over all of some subjects.
    public func authority(over subjects: ScopeSubject...) -> Authority {
        guard !scopes.isEmpty else { return .open(since: .never) }
        let found = subjects.map { self[$0] }
        if found.contains(where: \.isRevoked) { return .revoked }
        if found.contains(where: \.isPaused) { return .paused }
        return .open(since: found.map(\.openedAt).max() ?? .never)
    }
}

/// The authority to send under some scopes.
public enum Authority: Hashable, Sendable {
    /// Everything, to what registered later than this.
    case open(since: Moment)
    /// Nothing for now.
    case paused
    /// Nothing any more.
    case revoked

    /// The obstacle to a push to what registered at a time; `nil` where it may be sent.
    public func obstacle(registeredAt at: Moment) -> (status: Action.Status, reason: Reason)? {
        switch self {
        case .revoked: (.blocked, .revoked)
        case .paused: (.held, .paused)
        case .open(let since): since > .never && at <= since ? (.held, .reauthorized) : nil
        }
    }
}
