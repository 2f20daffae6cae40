internal import Diff
internal import Foreign
internal import JSON
internal import Ledger
internal import Time

/// The reason that a ledger counts as restored from a backup.
enum Restoration: Equatable {
    /// It is behind its mark.
    case behind(path: String, step: Step, mark: Step)
    /// The file in place of its mark tells nothing.
    case unreadable(path: String, reason: String)
    /// An earlier run found it so, and nobody has accepted it since.
    case noted(path: String, since: Moment)
}

extension Restoration: CustomStringConvertible {
    /// The finding, its consequences, and the way out.
    var description: String { "\(finding). \(Restoration.remedy)" }

    private var finding: String {
        switch self {
        case .behind(let path, let step, let mark):
            "\(path) was restored from a backup: it knows of \(step.number) steps, and \(mark.number) were made"
        case .unreadable(let path, let reason):
            "\(LedgerMark.path(of: path)) is no mark (\(reason)), so \(path) counts as restored from a backup"
        case .noted(let path, let since):
            "\(path) was restored from a backup (noticed at \(RFC3339.string(since)))"
        }
    }

    private static let remedy =
        "No activity is started, because it may be on the phone already; everything else is sent. Take in what devices "
        + "reported since the backup (lockstep ingest reports/done/*.ndjson), give them time to report, and then run "
        + "'lockstep apply --after-restore'"
}

/// A ledger that was restored: what was started since its backup is not in it, and would be started again.
extension Restoration {
    /// The reason that a ledger counts as restored; `nil` where it goes on from where it was.
    ///
    /// - Parameters:
    ///   - facts: The facts of the ledger.
    ///   - mark: The mark beside it, read before the ledger was.
    ///   - path: The path of the ledger.
    init?(_ facts: LedgerFacts, _ mark: LedgerMark.Reading, of path: String) {
        if let since = facts.restoredAt {
            self = .noted(path: path, since: since)
            return
        }
        switch mark {
        case .missing: return nil
        case .unreadable(let reason): self = .unreadable(path: path, reason: reason)
        case .mark(let mark):
            guard facts.lineage == mark.lineage, facts.step < mark.step else { return nil }
            self = .behind(path: path, step: facts.step, mark: mark.step)
        }
    }
}

extension Session {
    /// Remembers that the ledger was restored, until ``acceptRestored(run:at:)``.
    ///
    /// The numbers of the lost steps are not given again, and every published file is written anew, because the lost runs
    /// may have left newer ones.
    func note(_ restoration: Restoration, run: RunID, at now: Moment) throws {
        try unit {
            var changes = LedgerChanges()
            changes.change(try facts()) { facts in
                facts.restoredAt = now
                if case .behind(_, _, let mark) = restoration { facts.step = mark }
                facts.step = facts.step.next
            }
            changes.unpublishesAll = true
            changes.history = [.event(.ofRun("restored", "\(restoration)", by: run, at: now))]
            try write(changes)
        }
    }

    /// Goes on from what the restored ledger holds: devices had time to report, and starts are sent again.
    func acceptRestored(run: RunID, at now: Moment) throws {
        let words = "--after-restore: starts are sent again"
        try change(.ofRun("restore_accepted", words, by: run, at: now)) { $0.restoredAt = nil }
    }
}

extension Event {
    /// A line of the log about a run as a whole.
    static func ofRun(_ kind: Text, _ text: String, by run: RunID, at now: Moment) -> Event {
        Event(at: now, run: run, kind: kind, owner: nil, subject: nil, text: Text(text))
    }
}
