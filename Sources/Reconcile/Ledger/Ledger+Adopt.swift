internal import Diff
internal import Foreign
internal import JSON

/// Writing declared state as applied, without a push.
extension Ledger {
    /// Records what one owner's adoption says.
    ///
    /// - Parameters:
    ///   - adoption: What counts as applied.
    ///   - desired: What the files declare.
    ///   - recorded: What it was decided on.
    ///   - context: The commit that this is part of.
    /// - Throws: ``LedgerError``.
    func adopt(_ adoption: Adoption, desired: Desired?, recorded: Recorded, _ context: CommitContext) throws {
        let owner = adoption.plan.owner
        _ = try commit(adoption.plan, desired: desired, recorded: recorded, context)
        for name in adoption.activities {
            try database.run(
                "UPDATE activities SET adopted_life = life WHERE subscriber = ? AND app = ? AND name = ?",
                .text(owner.subscriber),
                .text(owner.app),
                .text(name)
            )
        }
        for running in adoption.running {
            try database.run(
                "UPDATE instances SET life = ?, attributes = ?, template = ?, shown = ? WHERE id = ?",
                .integer(running.life),
                SQLiteValue(json: running.declaration.attributes),
                SQLiteValue(running.declaration.template),
                SQLiteValue(json: running.declaration.content.value),
                .text(running.target.text)
            )
        }
        for target in adoption.ended {
            try move(target, .close(.declaredEnd), run: context.run, at: context.now)
            try move(deliveriesOf: target, .cancel, at: context.now)
        }
        for device in adoption.reloaded {
            try database.run(
                "UPDATE widget_registrations SET reloaded_commit = ?, owes_reload = 0 WHERE app = ? AND device = ?",
                .integer(context.step.number),
                .text(owner.app),
                .text(device)
            )
        }
        let count = adoption.plan.changes.count
        try note(
            LedgerEvent(
                at: context.now,
                run: context.run,
                kind: "adopted",
                owner: owner,
                subject: nil,
                text: Text(
                    "\(count) \(count == 1 ? "declaration counts" : "declarations count") as applied; nothing was sent"
                )
            )
        )
    }
}
