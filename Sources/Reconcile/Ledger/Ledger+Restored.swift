internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// Why a ledger counts as restored from a backup.
enum Restoration: Equatable {
    /// It is behind its mark.
    case behind(path: String, step: Step, mark: Step)
    /// What stands in place of its mark tells nothing.
    case unreadable(path: String, reason: String)
    /// An earlier run found it so, and nobody has accepted it since.
    case noted(path: String, since: Moment)
}

extension Restoration: CustomStringConvertible {
    /// What is known, what follows from it, and what to do.
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
extension Ledger {
    private static let restoredFact: Text = "restored"

    /// Why this ledger counts as restored, where it does.
    ///
    /// - Parameters:
    ///   - mark: What stood beside it, read before the ledger was.
    ///   - path: Where the ledger is, of which this may be a copy.
    /// - Returns: `nil` where it goes on from where it was.
    /// - Throws: Where the ledger cannot be read.
    func restoration(_ mark: LedgerMark.Reading, of path: String) throws -> Restoration? {
        if let since = try moment(Self.restoredFact) {
            return .noted(path: path, since: since)
        }
        switch mark {
        case .missing: return nil
        case .unreadable(let reason): return .unreadable(path: path, reason: reason)
        case .mark(let mark):
            let step = try lastStep()
            guard try fact("lineage") == mark.lineage, step < mark.step else { return nil }
            return .behind(path: path, step: step, mark: mark.step)
        }
    }

    /// Remembers that it was restored, until ``acceptRestored(run:at:)``.
    ///
    /// The numbers of the lost steps are not given again, and every published file is written anew, because the lost runs
    /// may have left newer ones.
    func note(_ restoration: Restoration, run: RunID, at now: Moment) throws {
        try transaction {
            try set(Self.restoredFact, Text(String(now.milliseconds)))
            if case .behind(_, _, let mark) = restoration { try set("commit", Text(String(mark.number))) }
            _ = try nextStep()
            try database.run(
                "INSERT OR IGNORE INTO unpublished (subscriber, app) SELECT DISTINCT subscriber, app FROM widgets"
            )
            try note("restored", "\(restoration)", run, at: now)
        }
    }

    /// Goes on from what the restored ledger holds: devices had time to report, and starts are sent again.
    func acceptRestored(run: RunID, at now: Moment) throws {
        guard isRestored else { return }
        try transaction {
            try database.run("DELETE FROM facts WHERE key = ?", .text(Self.restoredFact))
            try note("restore_accepted", "--after-restore: starts are sent again", run, at: now)
        }
        isRestored = false
    }

    private func note(_ kind: Text, _ text: String, _ run: RunID, at now: Moment) throws {
        try note(Event(at: now, run: run, kind: kind, owner: nil, subject: nil, text: Text(text)))
    }
}
