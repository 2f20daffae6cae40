public import JSON

/// What can happen to a launch, and to the instance that it becomes.
public enum LaunchMove: Hashable, Sendable {
    /// Its start is marked, durably, just before it is written.
    case dispatch
    /// Its start was certainly not processed.
    case takeBack
    /// Its start was refused for good.
    case refuse
    /// It was taken back before its start was sent.
    case cancel
    /// The time in which the device should have reported it is over.
    case miss
    /// The device reported it as running.
    case report
    /// It is over.
    case close(Instance.Closure)
}

extension Instance.Phase {
    /// Where a launch is after a move.
    ///
    /// - Parameter move: What happened to it.
    /// - Returns: The next phase.
    /// - Throws: ``IllegalMove`` where that cannot happen to a launch in this phase.
    public func after(_ move: LaunchMove) throws(IllegalMove) -> Instance.Phase {
        switch (self, move) {
        case (.queued, .dispatch): return .outstanding
        case (.outstanding, .takeBack): return .queued
        case (.outstanding, .refuse), (.queued, .refuse): return .failed
        case (.queued, .cancel): return .cancelled
        case (.outstanding, .miss): return .unconfirmed
        case (_, .report): return reported
        case (_, .close(let cause)): return closed(by: cause)
        default: throw IllegalMove(move: move.word, from: word)
        }
    }

    /// The phase once the device reported it as running: what it shows, it shows, whatever we believe became of the
    /// start; but what is over stays so, unless only its token had been found invalid.
    var reported: Instance.Phase {
        if case .closed(let cause) = self, cause != .gone { self } else { .running }
    }

    /// The phase once it is over; the first cause counts.
    func closed(by cause: Instance.Closure) -> Instance.Phase {
        if case .closed(let first) = self, first != .gone { self } else { .closed(cause) }
    }

    /// Why it is closed; `nil` where it is not.
    public var closure: Instance.Closure? {
        if case .closed(let cause) = self { cause } else { nil }
    }

    /// The name of the phase, without why it is closed.
    public var word: Text {
        switch self {
        case .queued: "queued"
        case .outstanding: "outstanding"
        case .unconfirmed: "unconfirmed"
        case .running: "running"
        case .closed: "closed"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}

extension LaunchMove {
    /// The name of the move.
    var word: Text {
        switch self {
        case .dispatch: "dispatch"
        case .takeBack: "take_back"
        case .refuse: "refuse"
        case .cancel: "cancel"
        case .miss: "miss"
        case .report: "report"
        case .close: "close"
        }
    }
}

/// How a launch was reconciled; each is one row of the ledger and one line of the log, and a launch can have several.
public enum Resolution: Text, Hashable, Sendable, CaseIterable {
    /// The device reported it.
    case adopted
    /// Its start was refused.
    case failed
    /// The device did not report it in time.
    case unconfirmed
    /// The device never reported it, and 12 hours after its start's expiration it cannot be there any more.
    case expired
    /// Another instance of the same declaration was kept, and this one ended.
    case duplicateEnded = "duplicate-ended"
    /// A newer instance took its place, and this one ended.
    case replaced

    /// What a move of a launch resolves; that the device reported it is ``adopted`` beside this.
    ///
    /// - Parameters:
    ///   - before: Where the launch was.
    ///   - after: Where it is now.
    ///   - isReported: Whether the device ever reported it.
    /// - Returns: The resolution; `nil` where nothing is resolved.
    public static func of(_ before: Instance.Phase, to after: Instance.Phase, isReported: Bool) -> Resolution? {
        guard before != after else { return nil }
        switch after {
        case .failed: return .failed
        case .unconfirmed: return .unconfirmed
        case .closed(.duplicate): return .duplicateEnded
        case .closed(.replaced): return .replaced
        case .closed: return isReported ? nil : .expired
        case .queued, .outstanding, .running, .cancelled: return nil
        }
    }
}
