internal import Diff
internal import Foreign
internal import JSON

/// The numbers under which owners, devices, instances and runs lie in the tables.
///
/// A number is a place on the disk too: what belongs to one owner lies together, and owners near those that come before
/// and behind them. No order is promised; only reading and writing in the order of owners is cheaper for it. Nothing that
/// has a number loses it, so that what was looked up once holds good until a transaction is undone.
final class Places {
    private let database: Database
    private let words: Words
    private var owners: [Owner: Int64] = [:]
    /// The owner who was asked for last: most often the next one too.
    private var last: (owner: Owner, number: Int64)?
    private var devices: [AppDevice: Int64] = [:]
    private var instances: [TargetID: Int64] = [:]
    private var runs: [RunID: Int64] = [:]

    /// A device of an app.
    struct AppDevice: Hashable {
        var app: Text
        var id: Text
    }

    /// The place of the first owner; the others lie before and behind.
    private static let middle: Int64 = 1 << 40
    /// The room that is left before the first and behind the last owner.
    private static let room: Int64 = 1 << 32

    init(_ database: Database, _ words: Words) {
        self.database = database
        self.words = words
    }

    /// Forgets every number: a transaction is over.
    func forget() {
        last = nil
        owners.removeAll(keepingCapacity: true)
        devices.removeAll(keepingCapacity: true)
        instances.removeAll(keepingCapacity: true)
        runs.removeAll(keepingCapacity: true)
    }

    // MARK: - Owners

    /// The number of an owner, who gets one where there is none.
    func owner(_ owner: Owner) throws -> Int64 {
        if let last, last.owner == owner { return last.number }
        let number = try owners[owner] ?? lookUp(owner)
        owners[owner] = number
        last = (owner, number)
        return number
    }

    private func lookUp(_ owner: Owner) throws -> Int64 {
        let key = owner.values
        return try number("SELECT number FROM owners WHERE subscriber = ? AND app = ?", key) ?? insert(owner, key)
    }

    private func insert(_ owner: Owner, _ key: [SQLiteValue]) throws -> Int64 {
        let before = try number(
            "SELECT number FROM owners WHERE (subscriber, app) < (?, ?) ORDER BY subscriber DESC, app DESC LIMIT 1",
            key
        )
        let behind = try number(
            "SELECT number FROM owners WHERE (subscriber, app) > (?, ?) ORDER BY subscriber, app LIMIT 1",
            key
        )
        let wanted = Self.place(between: before, and: behind)
        let isTaken = try number("SELECT number FROM owners WHERE number = ?", [.integer(wanted)]) != nil
        let place = isTaken ? (try number("SELECT max(number) FROM owners", []) ?? 0) + Self.room : wanted
        try database.run(
            "INSERT INTO owners (number, subscriber, app) VALUES (?, ?, ?)",
            .integer(place),
            key[0],
            key[1]
        )
        return place
    }

    /// The place between two numbers; where there is no room, that of the first.
    static func place(between before: Int64?, and behind: Int64?) -> Int64 {
        switch (before, behind) {
        case (nil, nil): middle
        case (nil, let behind?): behind - room
        case (let before?, nil): before + room
        case (let before?, let behind?): before < behind ? before + (behind - before) / 2 : before
        }
    }

    // MARK: - Devices and instances

    /// The number of a device, which gets one near those of an owner where it has none.
    ///
    /// A device that has not reported itself yet is a row without a report: something else names it.
    func device(_ id: Text, app: Text, near owner: Int64?) throws -> Int64 {
        let key = AppDevice(app: app, id: id)
        if let number = devices[key] { return number }
        let number = try knownDevice(id, app: app) ?? insert(key, near: owner)
        devices[key] = number
        return number
    }

    /// The number of a device; `nil` where nothing names it.
    func knownDevice(_ id: Text, app: Text) throws -> Int64? {
        try number(
            "SELECT number FROM devices WHERE id = ? AND app = (SELECT number FROM words WHERE word = ?)",
            [Name(text: id).stored, .text(app)]
        )
    }

    private func insert(_ device: AppDevice, near owner: Int64?) throws -> Int64 {
        let last = try owner.flatMap { try number("SELECT max(number) FROM devices WHERE owner = ?", [.integer($0)]) }
        let place = try free(last.map { $0 + 1 } ?? owner, in: "devices")
        try database.run(
            "INSERT INTO devices (number, id, app, owner_since) VALUES (?, ?, ?, 0)",
            .integer(place),
            Name(text: device.id).stored,
            .integer(try words.number(device.app))
        )
        return place
    }

    /// The number of an instance; `nil` where there is none.
    func instance(_ id: TargetID) throws -> Int64? {
        if let number = instances[id] { return number }
        let number = try number("SELECT number FROM instances WHERE id = ?", [id.stored])
        instances[id] = number
        return number
    }

    /// A number for a new instance of an owner.
    func newInstance(_ id: TargetID, of owner: Int64) throws -> Int64 {
        let last = try number("SELECT max(number) FROM instances WHERE owner = ?", [.integer(owner)])
        let place = try free(last.map { $0 + 1 } ?? owner, in: "instances")
        instances[id] = place
        return place
    }

    /// The number of a run; `nil` where there is none.
    func run(_ id: RunID) throws -> Int64? {
        if let number = runs[id] { return number }
        let number = try number("SELECT number FROM runs WHERE id = ?", [.text(id.text)])
        runs[id] = number
        return number
    }

    /// A place that nothing lies at: the wanted one, or one behind all.
    private func free(_ wanted: Int64?, in table: String) throws -> Int64 {
        if let wanted, try number("SELECT number FROM \(table) WHERE number = ?", [.integer(wanted)]) == nil {
            return wanted
        }
        return (try number("SELECT max(number) FROM \(table)", []) ?? 0) + 1
    }

    private func number(_ sql: String, _ values: [SQLiteValue]) throws -> Int64? {
        var found: Int64?
        try database.each(sql, values: values) { found = $0.optionalInteger(0) }
        return found
    }
}
