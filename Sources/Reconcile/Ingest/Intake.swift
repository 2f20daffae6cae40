internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// Device reports on their way into the ledger, one after the other, within one transaction.
final class Intake {
    private let ledger: Ledger
    private let now: Moment
    private var ids: IdentifierSupply
    /// Reads owners for anonymous ids that turn out to be persons.
    private var cursor: RecordedCursor?

    init(_ ledger: Ledger, at now: Moment) throws {
        self.ledger = ledger
        self.now = now
        ids = try ledger.system.identifiers(at: now)
    }

    /// Records what one report does.
    func take(_ report: Report) throws {
        let context = try ledger.context(for: report, &ids, at: now)
        let transition = try ledger.deviceRecord(for: report).applied(report, context)
        for alias in transition.aliases { try ledger.write(identification(alias).changes(at: now)) }
        var changes = LedgerChanges()
        changes.add(transition)
        try ledger.write(changes)
    }

    private func identification(_ alias: Alias) throws -> Identification {
        let cursor = try cursor ?? RecordedCursor(ledger, range: .only(""))
        self.cursor = cursor
        return try ledger.identification(alias, cursor)
    }
}
