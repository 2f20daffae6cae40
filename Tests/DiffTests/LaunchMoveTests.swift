import Diff
import Testing

/// Where launches may go, and what each move resolves.
struct LaunchMoveTests {
    static let phases: [Instance.Phase] = [
        .queued, .outstanding, .unconfirmed, .running, .closed(.person), .closed(.gone), .closed(.expired), .failed,
        .cancelled,
    ]
    static let moves: [LaunchMove] = [
        .dispatch, .takeBack, .refuse, .cancel, .miss, .report, .close(.person), .close(.duplicate), .close(.replaced),
        .close(.expired),
    ]

    /// Before a device speaks, only these are legal; reports and closures are, always.
    static let legal: [(from: Instance.Phase, move: LaunchMove, to: Instance.Phase)] = [
        (.queued, .dispatch, .outstanding), (.queued, .cancel, .cancelled), (.queued, .refuse, .failed),
        (.outstanding, .takeBack, .queued), (.outstanding, .refuse, .failed), (.outstanding, .miss, .unconfirmed),
    ]

    @Test(arguments: phases)
    func onlyTheseMovesAreLegal(_ phase: Instance.Phase) {
        for move in Self.moves {
            var expected = Self.legal.first { $0.from == phase && $0.move == move }?.to
            let isOver = if case .closed(let cause) = phase { cause != .gone } else { false }
            switch move {
            case .report: expected = isOver ? phase : .running
            case .close(let cause): expected = isOver ? phase : .closed(cause)
            default: break
            }
            #expect((try? phase.after(move)) == expected, "\(phase) \(move)")
        }
    }

    static let resolutions: [(from: Instance.Phase, to: Instance.Phase, isReported: Bool, resolution: Resolution?)] = [
        (.queued, .outstanding, false, nil), (.outstanding, .unconfirmed, false, .unconfirmed),
        (.outstanding, .failed, false, .failed), (.outstanding, .closed(.expired), false, .expired),
        (.unconfirmed, .closed(.expired), false, .expired), (.unconfirmed, .closed(.logout), false, .expired),
        (.running, .closed(.duplicate), true, .duplicateEnded), (.running, .closed(.replaced), true, .replaced),
        (.running, .closed(.expired), true, nil), (.running, .closed(.person), true, nil),
        (.queued, .cancelled, false, nil), (.closed(.gone), .running, true, nil),
        (.closed(.expired), .closed(.expired), false, nil),
    ]

    @Test(arguments: resolutions)
    func aMoveResolves(
        _ row: (from: Instance.Phase, to: Instance.Phase, isReported: Bool, resolution: Resolution?)
    ) {
        #expect(Resolution.of(row.from, to: row.to, isReported: row.isReported) == row.resolution)
    }
}
