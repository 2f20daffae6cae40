import Diff
import JSON
import TestSeeds
import Testing

/// Where deliveries may go, and where they may not.
struct DeliveryTests {
    /// Everything that a delivery can do, and what becomes of it: what is not here is illegal.
    static let moves: [(from: DeliveryState, move: DeliveryMove, to: DeliveryState)] = [
        (.queued, .dispatch, .dispatching(again: false)),
        (.queued, .supersede, .superseded), (.queued, .cancel, .cancelled), (.queued, .expire, .expired),
        (.dispatching(again: false), .accept, .accepted), (.dispatching(again: false), .refuse, .failed),
        (.dispatching(again: false), .takeBack, .queued), (.dispatching(again: false), .lose, .unknown),
        (.dispatching(again: true), .accept, .accepted), (.dispatching(again: true), .refuse, .lost),
        (.dispatching(again: true), .takeBack, .unknown), (.dispatching(again: true), .lose, .unknown),
        (.unknown, .supersede, .lost), (.unknown, .cancel, .lost), (.unknown, .expire, .lost),
    ]

    static let resend: (from: DeliveryState, move: DeliveryMove, to: DeliveryState) =
        (.unknown, .dispatch, .dispatching(again: true))
    static let adopted: [DeliveryState] = [
        .queued, .dispatching(again: false), .dispatching(again: true), .unknown, .lost, .accepted,
    ]
    static let states: [DeliveryState] = [
        .queued, .dispatching(again: false), .dispatching(again: true), .unknown, .lost, .accepted, .failed,
        .superseded,
        .cancelled, .expired,
    ]

    @Test(arguments: Action.Kind.allCases)
    func onlyTheseMovesAreLegal(_ kind: Action.Kind) {
        for state in Self.states {
            for move in DeliveryMove.allCases {
                var expected = (Self.moves + (kind == .start ? [] : [Self.resend]))
                    .first { $0.from == state && $0.move == move }?.to
                if kind == .start, move == .adopt, Self.adopted.contains(state) { expected = .accepted }
                #expect((try? state.after(move, of: kind)) == expected, "\(kind) \(state) \(move)")
            }
        }
    }

    @Test func anIllegalMoveSaysWhatCannotHappen() {
        #expect(throws: IllegalMove(move: "dispatch", from: "unknown")) {
            _ = try DeliveryState.unknown.after(.dispatch, of: .start)
        }
    }

    /// Along any way that is legal: once a delivery may have arrived, it is never certain that it did not, and a start
    /// that may have arrived is never sent again.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func noWayLeadsBackFromUncertain(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let kind = try #require(Action.Kind.allCases.randomElement(using: &random))
        var state = DeliveryState.queued
        var wasUncertain = false
        for _ in 0..<40 {
            let move = try #require(DeliveryMove.allCases.randomElement(using: &random))
            guard let next = try? state.after(move, of: kind) else { continue }
            if wasUncertain {
                let certain: [DeliveryStatus] = [.queued, .failed, .superseded, .cancelled, .expired]
                #expect(!certain.contains(next.status), "\(state) \(move)")
                if kind == .start { #expect(move != .dispatch, "\(state) \(move)") }
            }
            if !state.isOpen { #expect(move == .adopt && kind == .start, "\(state) \(move)") }
            wasUncertain = wasUncertain || move == .lose
            state = next
            // What is stored tells enough: a status, and whether it is open.
            let stored = DeliveryState(state.status, isOpen: state.isOpen)
            #expect(stored == state || state == .dispatching(again: false))
        }
    }

    static let operations: [(deliveries: [DeliveryStatus], status: DeliveryStatus?)] = [
        ([], nil), ([.accepted], .accepted), ([.accepted, .queued], .queued), ([.unknown, .accepted], .unknown),
        ([.queued, .dispatching, .unknown], .dispatching), ([.unknown, .queued], .queued),
        ([.failed, .accepted], .accepted), ([.cancelled, .failed], .failed), ([.failed, .expired], .expired),
        ([.superseded], .superseded),
    ]

    @Test(arguments: operations)
    func anOperationFollowsItsDeliveries(_ row: (deliveries: [DeliveryStatus], status: DeliveryStatus?)) {
        #expect(OperationStatus.following(row.deliveries) == row.status)
    }
}
