internal import Diff
internal import Foreign
internal import JSON
internal import Time
internal import Source

/// Saving a plan, and carrying out a saved one.
extension Pipeline {
    /// The header of a plan that is being saved; its id is still to come.
    func header(
        _ desired: Text,
        _ files: ProjectFiles,
        _ ledger: Ledger?,
        _ options: RunOptions,
        _ destination: PlanDestination,
        at now: Moment
    ) throws -> PlanHeader {
        var options = options
        if case .commit(_, let repository) = options.source, let commit = files.commit {
            // A branch may mean another commit by the time the plan is applied.
            options.source = .commit(revision: commit.id, repository: repository)
        }
        return PlanHeader(
            id: "",
            lineage: try ledger?.lineage() ?? system.mintLineage(),
            makesLedger: ledger == nil,
            createdAt: now,
            expiresAt: now + destination.lifetime,
            desired: desired,
            sourceCommit: files.commit.map { Text($0.id) },
            options: options
        )
    }

    /// What a saved plan is carried out with: what it was made with.
    ///
    /// - Throws: ``StalePlan`` where its time is over, or it was made on another ledger.
    func options(of header: PlanHeader, _ asked: RunOptions, hasLedger: Bool, at now: Moment) throws -> RunOptions {
        guard now < header.expiresAt else { throw StalePlan.expired(id: header.id, at: header.expiresAt) }
        var options = header.options
        guard hasLedger else {
            // One that is gone knew what was started; an empty one in its place would start everything again.
            guard header.makesLedger else { throw StalePlan.otherLedger(id: header.id, path: ledgerPath) }
            options.makesLedger = asked.makesLedger
            return options
        }
        guard try openLedger(.read).lineage() == header.lineage else {
            throw StalePlan.otherLedger(id: header.id, path: ledgerPath)
        }
        return options
    }
}

extension Ledger {
    /// Notes that a saved plan was carried out.
    func note(_ plan: PlanHeader, run: RunID, at now: Moment) throws {
        try note(
            Event(
                at: now,
                run: run,
                kind: "plan_applied",
                owner: nil,
                subject: plan.id,
                text: Text("the saved plan \(plan.id) was applied")
            )
        )
    }
}
