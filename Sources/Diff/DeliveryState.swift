public import JSON

/// The status of a delivery, as people and receipts name it; a delivery is one push to one token.
public enum DeliveryStatus: Text, Hashable, Sendable, CaseIterable {
    /// It was not sent, or certainly not processed.
    case queued
    /// It is being sent.
    case dispatching
    /// APNs took it, or (a start) the device reported what it started.
    case accepted
    /// APNs refused it for good.
    case failed
    /// It was sent and nobody knows what became of it.
    case unknown
    /// A newer one of the same target made it pointless before it was sent.
    case superseded
    /// Its purpose was taken back before it was sent.
    case cancelled
    /// Its time was over before it was sent.
    case expired
}

/// The state of one delivery, with all that decides about its next move.
///
/// Once an attempt was uncertain, a delivery never returns to the queue, and only an answer or a report makes it certain.
public enum DeliveryState: Hashable, Sendable {
    /// It waits to be sent.
    case queued
    /// It is being sent; `again` where an earlier attempt was uncertain.
    case dispatching(again: Bool)
    /// It may have arrived. What carries absolute state is sent again; a start never is.
    case unknown
    /// It may have arrived, and is not sent again.
    case lost
    /// It arrived at APNs.
    case accepted
    /// It was refused.
    case failed
    /// A newer one took its place.
    case superseded
    /// It was taken back.
    case cancelled
    /// Its time was over.
    case expired

    /// The state of a delivery as its stored status reads, which does not tell whether what is being sent was sent before.
    public init(_ status: DeliveryStatus, isOpen: Bool) {
        switch status {
        case .queued: self = .queued
        case .dispatching: self = .dispatching(again: true)
        case .accepted: self = .accepted
        case .failed: self = .failed
        case .unknown: self = isOpen ? .unknown : .lost
        case .superseded: self = .superseded
        case .cancelled: self = .cancelled
        case .expired: self = .expired
        }
    }

    /// As people and receipts name it.
    public var status: DeliveryStatus {
        switch self {
        case .queued: .queued
        case .dispatching: .dispatching
        case .unknown, .lost: .unknown
        case .accepted: .accepted
        case .failed: .failed
        case .superseded: .superseded
        case .cancelled: .cancelled
        case .expired: .expired
        }
    }

    /// True where it may still be sent, or is.
    public var isOpen: Bool {
        switch self {
        case .queued, .dispatching, .unknown: true
        case .lost, .accepted, .failed, .superseded, .cancelled, .expired: false
        }
    }

    /// True where a delivery of a kind may be sent now: a start never on a guess.
    public func isSendable(as kind: Action.Kind) -> Bool {
        switch self {
        case .queued: true
        case .unknown: kind != .start
        case .dispatching, .lost, .accepted, .failed, .superseded, .cancelled, .expired: false
        }
    }

    /// The state of a delivery after a move.
    ///
    /// - Parameters:
    ///   - move: The event.
    ///   - kind: Its kind: a start is never sent on a guess, and only a start can be adopted.
    /// - Returns: The next state.
    /// - Throws: ``IllegalMove`` where that cannot happen to a delivery in this state.
    public func after(_ move: DeliveryMove, of kind: Action.Kind) throws(IllegalMove) -> DeliveryState {
        switch (self, move) {
        case (_, .dispatch) where isSendable(as: kind): return .dispatching(again: self == .unknown)
        case (.dispatching, .accept): return .accepted
        case (.dispatching(let again), .refuse): return again ? .lost : .failed
        case (.dispatching(let again), .takeBack): return again ? .unknown : .queued
        case (.dispatching, .lose): return .unknown
        case (.queued, .adopt), (.dispatching, .adopt), (.unknown, .adopt), (.lost, .adopt), (.accepted, .adopt):
            guard kind == .start else { break }
            return .accepted
        case (.queued, .supersede): return .superseded
        case (.queued, .cancel): return .cancelled
        case (.queued, .expire): return .expired
        case (.unknown, .supersede), (.unknown, .cancel), (.unknown, .expire): return .lost
        default: break
        }
        throw IllegalMove(move: move.rawValue, from: status.rawValue)
    }
}

/// An event in the life of a delivery.
public enum DeliveryMove: Text, Hashable, Sendable, CaseIterable {
    /// It is marked, durably, just before it is written.
    case dispatch
    /// APNs answered 200.
    case accept
    /// APNs refused it for good.
    case refuse
    /// It was certainly not processed: a refused stream, one above GOAWAY's last id, a connection lost before its first byte,
    /// 429, 503.
    case takeBack = "take_back"
    /// It was written and not answered, or the run that wrote it died.
    case lose
    /// The device reported the launch.
    case adopt
    /// A newer one of the same target takes its place.
    case supersede
    /// Its purpose was taken back.
    case cancel
    /// Its time is over.
    case expire
}

/// A move that cannot happen in the state that something is in: the ledger was changed by hand, or a program is wrong.
public struct IllegalMove: Error, Hashable, Sendable, CustomStringConvertible {
    /// The move that was to happen.
    public var move: Text
    /// The state in which it cannot.
    public var from: Text

    /// A move and the state in which it cannot happen.
    public init(move: Text, from: Text) {
        self.move = move
        self.from = from
    }

    /// The move that cannot happen, and the way out.
    public var description: String {
        "the ledger holds something that is '\(from)' and cannot '\(move)'; restore the last backup, and report this"
    }
}

/// The transport of one write, whose status follows from its deliveries.
public enum OperationStatus {
    /// The status of an operation: what is still under way in any delivery, else how the last one ended.
    ///
    /// - Parameter deliveries: The statuses of its deliveries, in the order of their ids.
    /// - Returns: `nil` where there are none.
    public static func following(_ deliveries: [DeliveryStatus]) -> DeliveryStatus? {
        let first: [DeliveryStatus] = [.dispatching, .queued, .unknown, .accepted]
        return first.first { deliveries.contains($0) } ?? deliveries.last
    }
}
