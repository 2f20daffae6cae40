public import Time

/// A push that needs capacity which nothing holds for it yet, by its place in the order in which capacity is handed out.
public struct Claim: Hashable, Sendable, Comparable {
    /// Its place in the order of sending.
    public var rank: Int64
    /// The step whose state it carries; what this plan commits is younger than everything else.
    public var step: Step
    /// The owner of the push.
    public var owner: Owner
    /// Its place among the owner's actions.
    public var ordinal: Int

    /// A claim.
    public init(rank: Int64, step: Step, owner: Owner, ordinal: Int) {
        self.rank = rank
        self.step = step
        self.owner = owner
        self.ordinal = ordinal
    }

    /// Ends before starts and alerts before silent updates before reloads; then the oldest state; then the owner.
    public static func < (left: Claim, right: Claim) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if left.step != right.step { return left.step < right.step }
        return left.owner == right.owner ? left.ordinal < right.ordinal : left.owner < right.owner
    }
}

/// The claims that find room in the day's quota: all that come before one in their order.
public struct Allocation: Hashable, Sendable {
    /// The first that finds none; `nil` where all find room.
    public var firstRefused: Claim?
    /// The time at which there is room again.
    public var until: Moment

    /// An allocation; without arguments, everything finds room.
    public init(firstRefused: Claim? = nil, until: Moment = .never) {
        self.firstRefused = firstRefused
        self.until = until
    }

    /// True where a claim finds room.
    public func grants(_ claim: Claim) -> Bool {
        firstRefused.map { claim < $0 } ?? true
    }
}

/// The capacity that a whole plan claims, by rank; nothing in it grows with the number of subscribers.
public struct Demand: Hashable, Sendable {
    private var counts: [Int64: Int] = [:]

    /// Nothing claimed yet.
    public init() {}

    /// Counts a claim.
    public mutating func count(_ claim: Claim) {
        counts[claim.rank, default: 0] += 1
    }

    /// The rank at which `left` runs out, and how many of its claims still find room; `nil` where all claims do.
    public func shortage(left: Int) -> (rank: Int64, granted: Int)? {
        var left = left
        for (rank, count) in counts.sorted(by: { $0.key < $1.key }) {
            guard count <= left else { return (rank, left) }
            left -= count
        }
        return nil
    }
}

extension OwnerPlan {
    /// The claims of this plan, in the order of its actions.
    ///
    /// What is queued holds its capacity already and what was sent is booked; what takes the place of a queued push takes
    /// over its capacity.
    public func claims(_ recorded: Recorded) -> [Claim] {
        actions.enumerated().compactMap { ordinal, action in
            claim(of: action, ordinal, recorded)
        }
    }

    private func claim(of action: Action, _ ordinal: Int, _ recorded: Recorded) -> Claim? {
        guard action.status == .send, action.write != .none, action.cost > 0 else { return nil }
        if let target = action.write.succeeded,
            recorded.instances.first(where: { $0.id == target })?.pending(.update)?.status == .queued
        {
            return nil
        }
        return Claim(rank: action.rank, step: action.step ?? .afterAll, owner: owner, ordinal: ordinal)
    }

    /// Has what finds no room wait: its state is committed, and its push is planned again when there is room.
    public mutating func wait(for allocation: Allocation, _ recorded: Recorded) {
        guard allocation.firstRefused != nil else { return }
        for claim in claims(recorded) where !allocation.grants(claim) {
            actions[claim.ordinal].status = .waiting(until: allocation.until)
            actions[claim.ordinal].reason = .overQuota
        }
    }
}

extension Action.Write {
    /// The instance whose queued update, if any, gives way to this push.
    public var succeeded: TargetID? {
        switch self {
        case .none, .reload, .launch: nil
        case .update(let target, _), .end(let target, _): target
        }
    }
}

extension Action {
    /// The place of reloads in the order of sending: the last.
    public static let reloadRank: Int64 = 3

    /// Its place in the order of sending: ends; starts and what alerts; silent updates; reloads.
    public var rank: Int64 {
        switch kind {
        case .end: 0
        case .start: 1
        case .update: priority == 10 ? 1 : 2
        case .reload: Action.reloadRank
        }
    }
}
