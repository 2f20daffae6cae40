public import JSON
public import Time

/// The counts of one plan, summed up owner by owner; nothing in it grows with the number of subscribers.
public struct Summary: Hashable, Sendable {
    /// Pushes that would be sent now, by kind.
    public var starts = 0
    /// Updates that would be sent now.
    public var updates = 0
    /// Ends that would be sent now.
    public var ends = 0
    /// Devices that would be reloaded now.
    public var reloads = 0
    /// Declarations that would be committed now.
    public var commits = 0
    /// Actions that wait for something else to happen.
    public var held = 0
    /// Actions that the device or the configuration cannot take.
    public var blocked = 0
    /// Actions that are due later.
    public var waiting = 0
    /// The time at which the first of them is due.
    public var waitingUntil: Moment?
    /// Those among the waiting for which the day's quota has no room.
    public var deferred = 0
    /// Declarations that differ from what is committed in ignored places only.
    public var ignored = 0
    /// Running and outstanding instances that would end because their declaration is gone.
    public var removals = 0
    /// Instances whose place a new one would take.
    public var replacements = 0
    /// The protected activities among the removals that no override names: at most the first 100 names, each once.
    public var protectedRemovals: [Text] = []
    /// Declarations in the files.
    public var declarations = 0
    /// Owners of whom something was looked at, whether or not anything changes.
    public var selected = 0
    /// Owners that have something to show.
    public var owners = 0

    /// The protected activities that may end by removal.
    private let allowedProtected: [Text]

    /// Nothing counted yet.
    ///
    /// - Parameter allowedProtected: The protected activities that an override names.
    public init(allowedProtected: [Text] = []) {
        self.allowedProtected = allowedProtected
    }

    /// The number of pushes that would be sent now.
    public var pushes: Int { starts + updates + ends + reloads }
    /// True where apply now would commit a declared state or send.
    public var hasChanges: Bool { pushes + commits > 0 }

    /// Counts one owner's plan.
    public mutating func count(_ plan: OwnerPlan) {
        if !plan.changes.isEmpty || !plan.actions.isEmpty { owners += 1 }
        commits += plan.changes.count
        for action in plan.actions { count(action) }
        removals += plan.removals.count
        for removal in plan.removals where removal.isProtected && !allowedProtected.contains(removal.name) {
            guard !protectedRemovals.contains(removal.name), protectedRemovals.count < 100 else { continue }
            protectedRemovals.append(removal.name)
        }
    }

    private mutating func count(_ action: Action) {
        switch action.status {
        case .send:
            switch action.kind {
            case .start: starts += 1
            case .update: updates += 1
            case .end: ends += 1
            case .reload: reloads += 1
            }
            if case .launch(_, .some) = action.write { replacements += 1 }
        case .waiting(let until):
            waiting += 1
            if action.reason == .overQuota { deferred += 1 }
            waitingUntil = min(until, waitingUntil ?? until)
        case .held: held += 1
        case .blocked: blocked += 1
        }
    }
}
