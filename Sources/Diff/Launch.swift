public import JSON

/// An event in the life of a launch, and of the instance that it becomes.
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
    /// The phase of a launch after a move.
    ///
    /// - Parameter move: The event.
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

    /// The cause by which it is closed; `nil` where it is not.
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

/// The reconciliation of a launch: one row of the ledger and one line of the log; a launch can have several.
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

    /// The resolution by a move of a launch; that the device reported it is ``adopted`` beside this.
    ///
    /// - Parameters:
    ///   - before: The phase before.
    ///   - after: The phase now.
    ///   - isReported: True where the device ever reported it.
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

extension Resolution {
    /// The stable code of its line in the log.
    var code: Text { self == .duplicateEnded ? "duplicate_ended" : rawValue }

    /// Its line in the log.
    var words: String {
        switch self {
        case .adopted: "the device reported its launch"
        case .failed: "its start was refused"
        case .unconfirmed: "the device did not report it in time; it may be shown or not"
        case .expired: "the device never reported it, and it cannot be shown any more"
        case .duplicateEnded: "ended; another instance of the same declaration was kept"
        case .replaced: "ended; a newer instance took its place"
        }
    }
}
