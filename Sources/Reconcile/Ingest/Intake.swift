internal import Diff
internal import Foreign
internal import JSON
internal import Ledger
internal import Time

/// Device reports on their way into the ledger, one after the other, within one unit.
struct Intake {
    private let ledger: any Session
    private let now: Moment
    private var ids: IdentifierSupply

    init(_ ledger: any Session, at now: Moment, _ ids: IdentifierSupply) {
        self.ledger = ledger
        self.now = now
        self.ids = ids
    }

    /// Records what one report does.
    mutating func take(_ report: Report) throws {
        let context = try ledger.context(for: report, &ids, at: now)
        let transition = try ledger.deviceRecord(for: report).applied(report, context)
        for alias in transition.aliases { try ledger.write(ledger.identification(alias).changes(at: now)) }
        var changes = LedgerChanges()
        changes.add(transition)
        try ledger.write(changes)
    }
}
