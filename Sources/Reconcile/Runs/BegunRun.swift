public import Diff
internal import Foreign
internal import JSON
internal import Ledger
internal import Source
internal import Time

/// A run that holds the lock and has noted itself in the ledger.
///
/// Opening, recovery and the mark happen once in a run: here.
struct BegunRun {
    /// The run, as the lock names it.
    let run: RunID
    /// The ledger, which no other run plans, commits or sends from.
    let ledger: any Lease
    /// True where the ledger was restored, and nobody has accepted that yet: no start is sent, and nothing rings.
    private(set) var isRestored: Bool
    /// Deliveries of a run that died, which count as unknown now.
    private(set) var recovered = 0
    /// The waiting reports that were taken in.
    private(set) var reports = Ingest.Result()

    init(_ run: RunID, _ ledger: any Lease, isRestored: Bool) {
        self.run = run
        self.ledger = ledger
        self.isRestored = isRestored
    }

    /// Takes in what waits: what a run that died was sending, reports, and reservations of an earlier day.
    mutating func takeIn(_ pipeline: Pipeline, renewsReservations: Bool = true, at now: Moment) throws {
        recovered = try ledger.recover(run: run, at: now)
        reports = try pipeline.ingest(at: now).run(into: ledger)
        if renewsReservations { try pipeline.renewReservations(in: ledger, at: now) }
    }

    /// Goes on from what a restored ledger holds.
    mutating func acceptRestored(at now: Moment) throws {
        guard isRestored else { return }
        try ledger.acceptRestored(run: run, at: now)
        isRestored = false
    }

    /// The terms on which it sends.
    func terms(_ keys: Credentials, _ pipeline: Pipeline, since start: Moment) -> Send.Terms {
        Send.Terms(
            run: run,
            keys: keys,
            quota: pipeline.configuration.quota,
            start: start,
            isRestored: isRestored,
            environment: pipeline.environment,
            tokens: pipeline.tokens
        )
    }

    /// Says so where a restored ledger might not be recognised, because the mark could not be kept.
    func warnOfMark(_ environment: RunEnvironment) throws {
        guard let problem = ledger.markProblem else { return }
        try environment.warn("\(problem); if this ledger is restored from a backup, the next run cannot tell")
    }
}

extension Pipeline {
    /// Opens the ledger and notes the run, and whether the ledger was restored since the last one.
    ///
    /// - Parameters:
    ///   - run: The run, as the lock names it.
    ///   - command: Its effect.
    ///   - isWarned: True where whoever started it knows that the ledger was restored.
    ///   - now: The time.
    /// - Returns: The run as it begins.
    /// - Throws: ``LedgerError``, ``RunError/clockBehind(now:confirmed:)``.
    func begin(_ run: RunID, _ command: Text, isWarned: Bool = false, at now: Moment) throws -> BegunRun {
        let ledger = try store.lease()
        let facts = try ledger.facts()
        try facts.requirePlausible(now)
        let record = RunRecord(
            id: run,
            command: command,
            host: Text(CurrentProcess.host),
            user: Text(CurrentProcess.user),
            pid: Int64(CurrentProcess.id),
            startedAt: now
        )
        var changes = LedgerChanges()
        changes.runs = [RowChange(before: nil, after: record)]
        try ledger.unit { try ledger.write(changes) }
        guard let restoration = Restoration(facts, ledger.mark, of: store.path) else {
            if ledger.mark == .missing, facts.step > .zero { try warnOfMissingMark() }
            try ledger.moveMark()
            return BegunRun(run, ledger, isRestored: false)
        }
        if case .noted = restoration {
            if !isWarned { try environment.remark("\(restoration)") }
        } else {
            try ledger.note(restoration, run: run, at: now)
            if !isWarned { try environment.warn("\(restoration)") }
        }
        return BegunRun(run, ledger, isRestored: true)
    }

    private func warnOfMissingMark() throws {
        let mark = LedgerMark.path(of: store.path)
        try environment.warn(
            "\(mark) was missing, so nobody can tell whether this ledger was restored from a backup; where that is so, "
                + "'touch \(mark)' keeps activities from being started until --after-restore"
        )
    }

    /// Mints the id of a run, which the lock and the ledger name it by.
    ///
    /// - Throws: The system's error where it has no randomness to give.
    public func mintRun() throws -> RunID { try system.mint() }

    /// Notes how a run ended; what the run did stands whether or not this can be written.
    ///
    /// - Throws: ``LedgerError``.
    public func end(run: RunID, status: Int32) throws {
        let (ledger, now) = (try store.session(), environment.now())
        try ledger.unit {
            guard let record = try ledger.run(.id(run)) else { return }
            var changes = LedgerChanges()
            changes.change(record) { run in
                run.endedAt = now
                run.exitStatus = Int64(status)
            }
            try ledger.write(changes)
        }
    }
}

extension LedgerFacts {
    /// Refuses a time that lies before one that APNs has confirmed.
    ///
    /// - Throws: ``RunError/clockBehind(now:confirmed:)``.
    func requirePlausible(_ now: Moment) throws(RunError) {
        guard let at = confirmedAt, clock.isBehind(now) else { return }
        throw RunError.clockBehind(now: now, confirmed: at)
    }
}

extension Session {
    /// Notes the commit that a run is about to commit the state of: should it be killed half-way, what was before that
    /// commit is a step back all the same.
    func noteApplied(_ commit: SourceCommit, run: RunID) throws {
        try unit {
            var changes = LedgerChanges()
            changes.change(try facts()) { $0.appliedCommit = Text(commit.id) }
            if let record = try self.run(.id(run)) { changes.change(record) { $0.sourceCommit = Text(commit.id) } }
            try write(changes)
        }
    }

    /// Keeps the template versions that are applied for the first time; the others stay as they are, but for what is
    /// sensitive.
    func record(_ templates: [Template], at now: Moment) throws {
        guard !templates.isEmpty else { return }
        try unit {
            let known = Dictionary(try self.templates().map { ($0.name, $0) }) { first, _ in first }
            var changes = LedgerChanges()
            for template in templates {
                let new = TemplateRecord(
                    name: template.name,
                    digest: template.digest,
                    document: template.document,
                    appliedAt: known[template.name]?.appliedAt ?? now
                )
                guard known[template.name].map({ $0.digest == new.digest && $0 != new }) ?? true else { continue }
                changes.templates.append(RowChange(before: known[template.name], after: new))
            }
            try write(changes)
        }
    }
}
