internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// Writes rows of what is sent, and of what may be.
struct SendingWriter {
    let database: Database
    let words: Words
    let places: Places

    /// Writes the operations and deliveries of a group of changes, and keeps the tally of what is booked.
    func write(_ changes: LedgerChanges) throws {
        for operation in changes.operations { try write(operation) }
        for change in changes.deliveries { try write(delivery: change) }
        try writeBooked(changes.deliveries)
    }

    /// Writes the run of an operation's step; the rest of it stands with its deliveries.
    private func write(_ operation: Operation) throws {
        try database.run(
            "INSERT OR IGNORE INTO steps (number, run) VALUES (?, ?)",
            operation.step.stored,
            try places.run(operation.run).stored
        )
    }

    /// Writes a delivery that is new, or changed, or settled, which moves its row to those that are.
    private func write(delivery change: RowChange<Delivery>) throws {
        guard let new = change.after else { return }
        guard let old = change.before else { return try insert(new) }
        let number = SQLiteValue.integer(try number(of: old))
        let (former, table) = (Delivery.Table(old.state), Delivery.Table(new.state))
        var row = RowDraft(in: table.name, over: former == table ? old : nil)
        set(&row, from: old, to: new)
        if table == .open {
            row.set("content", from: old.content, to: new.content)
            try row.fix("app", try words.number(new.owner.app))
        }
        if former == table {
            try row.write(to: database, where: "number = ?", number)
        } else {
            try row.move(number, from: former.name, with: Self.fixedColumns, in: database)
        }
        guard old.owner != new.owner else { return }
        // Its operation stays addressed to whom it belonged first.
        try database.run(
            "UPDATE \(table.name) SET owner = ?, addressed = coalesce(addressed, owner) WHERE number = ?",
            .integer(try places.owner(new.owner)),
            number
        )
    }

    /// The columns that never change, or not with a move.
    private static let fixedColumns: StaticString = """
        number, operation, kind, owner, device, instance, created_at, expires_after, addressed, id, operation_id
        """

    /// Sets what a move of a delivery changes.
    private func set(_ row: inout RowDraft, from old: Delivery?, to new: Delivery) {
        row.set("environment", from: old?.environment, to: new.environment)
        row.set("status", from: old?.status, to: new.status)
        row.set("rank", from: old?.rank, to: new.rank)
        row.set("revision", from: old?.revision, to: new.revision)
        row.set("cost", from: old?.cost, to: new.cost)
        row.set("quota_day", from: old?.quotaDay, to: new.quotaDay)
        row.set("not_before", from: old?.notBefore, to: new.notBefore)
        row.set("dispatched_at", from: old?.dispatchedAt, to: new.dispatchedAt)
        row.set("attempts", from: old?.attempts, to: new.attempts)
        row.set("apns_id", from: old?.answer.id, to: new.answer.id) { $0.map(Name.init) }
        row.set("apns_status", from: old?.answer.status, to: new.answer.status)
        row.set("apns_reason", from: old?.answer.reason, to: new.answer.reason)
        row.set("note", from: old?.answer.note, to: new.answer.note)
        row.set("answered_at", from: old?.answer.at, to: new.answer.at)
    }

    private func insert(_ new: Delivery) throws {
        let table = Delivery.Table(new.state)
        let owner = try places.owner(new.owner)
        var row = RowDraft(in: table.name, over: Delivery?.none)
        try row.fix("number", try newNumber(of: new))
        row.fix("operation", StepPlace(number: new.operation.number(in: new.step) ?? 0).ordinal)
        row.fix("kind", new.kind)
        row.fix("owner", owner)
        if table == .open {
            try row.fix("app", try words.number(new.owner.app))
            row.fix("content", new.content)
        }
        try row.fix("device", try places.device(new.device, app: new.owner.app, near: owner))
        try row.fix("instance", try new.target.map(instance))
        row.fix("created_at", new.createdAt)
        row.fix("expires_after", new.expiresAfter)
        set(&row, from: nil, to: new)
        if new.id.number(in: new.step) == nil { row.fix("id", new.id) }
        if new.operation.number(in: new.step) == nil { row.fix("operation_id", new.operation) }
        try row.write(to: database, where: "number = ?", .null)
    }

    private func instance(_ target: TargetID) throws -> Int64 {
        guard let number = try places.instance(target) else {
            throw UnreadableRow(table: "deliveries", detail: target.description)
        }
        return number
    }

    /// The number of the row of a delivery.
    private func number(of delivery: Delivery) throws -> Int64 {
        if let number = delivery.id.number(in: delivery.step) { return number }
        for table in Delivery.Table.allCases {
            let sql = "SELECT number FROM \(table.name) WHERE id = ?"
            if let number = try database.first(sql, delivery.id.stored, read: { $0.integer(0) }) { return number }
        }
        throw UnreadableRow(table: "deliveries", detail: delivery.id.description)
    }

    /// The number for a new delivery: the one that its id spells, or else the next of its step.
    private func newNumber(of delivery: Delivery) throws -> Int64 {
        if let number = delivery.id.number(in: delivery.step) { return number }
        let numbers = StepPlace.numbers(of: delivery.step)
        let last = try Delivery.Table.allCases.compactMap { table in
            let sql = "SELECT max(number) FROM \(table.name) WHERE number BETWEEN ? AND ?"
            return try database.first(sql, .integer(numbers.lowerBound), .integer(numbers.upperBound)) {
                $0.optionalInteger(0)
            } ?? nil
        }
        return (last.max() ?? numbers.lowerBound) + 1
    }

    /// Keeps the tally of the deliveries that are booked to each day.
    private func writeBooked(_ deliveries: [RowChange<Delivery>]) throws {
        var differences: [Booking: Int] = [:]
        for change in deliveries {
            guard let new = change.after else { continue }
            if let old = change.before, let day = old.quotaDay {
                differences[Booking(day: day, status: old.status), default: 0] -= 1
            }
            if let day = new.quotaDay { differences[Booking(day: day, status: new.status), default: 0] += 1 }
        }
        for (booking, difference) in differences where difference != 0 {
            try database.run(
                """
                INSERT INTO booked (day, status, deliveries) VALUES (?, ?, ?)
                ON CONFLICT (day, status) DO UPDATE SET deliveries = deliveries + excluded.deliveries
                """,
                booking.day.stored,
                booking.status.stored,
                difference.stored
            )
        }
    }

    /// The deliveries of a status that are booked to a day.
    private struct Booking: Hashable {
        var day: UTCDay
        var status: DeliveryStatus
    }
}
