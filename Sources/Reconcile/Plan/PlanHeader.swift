internal import Foreign
public import JSON
public import Time

/// The first line of a saved plan: what it was made from, with what, and until when it may be applied.
public struct PlanHeader: Hashable, Sendable {
    /// The version of the format that this program writes.
    static let version: Int64 = 1

    /// `pln_…`, derived from everything in the file but the ledger and the times; empty until the file is whole.
    public var id: Text
    /// The ledger that it was made on, or, where there was none, the one that it makes.
    public var lineage: Text
    /// True where there was no ledger.
    public var makesLedger: Bool
    /// The moment it was made.
    public var createdAt: Moment
    /// Until when it may be applied.
    public var expiresAt: Moment
    /// SHA-256 of everything that the files declared.
    public var desired: Text
    /// The commit that the files were read from; `nil` where they were files.
    public var sourceCommit: Text?
    /// The options of the run.
    public var options: RunOptions

    /// The number of characters of an id.
    static let idLength = "pln_".utf8.count + 32
}

extension PlanHeader {
    /// As JSON.
    public var value: Value {
        var object = Object()
        object["type"] = "plan"
        object["version"] = .integer(Self.version)
        object["id"] = .string(id)
        object["lineage"] = .string(lineage)
        object["makesLedger"] = .bool(makesLedger)
        object["createdAt"] = .string(Text(RFC3339.string(createdAt)))
        object["expiresAt"] = .string(Text(RFC3339.string(expiresAt)))
        object["desired"] = .string(desired)
        object["sourceCommit"] = sourceCommit.map(Value.string) ?? .null
        object["options"] = options.value
        return .object(object)
    }

    /// The part of it that the id is derived from.
    var identifyingBytes: [UInt8] {
        guard var object = value.object else { return [] }
        for key in ["id", "lineage", "createdAt", "expiresAt"] { object[Text(key)] = nil }
        return Value.object(object).canonicalBytes
    }

    /// Reads it back; `nil` where something is missing or wrong.
    init?(_ value: Value) {
        func moment(_ key: Text) -> Moment? {
            value[key]?.text.flatMap { try? RFC3339.moment(of: $0.string) }
        }
        guard let id = value["id"]?.text, let lineage = value["lineage"]?.text, let desired = value["desired"]?.text,
            let makesLedger = value["makesLedger"]?.bool, let options = value["options"].flatMap(RunOptions.init),
            let createdAt = moment("createdAt"), let expiresAt = moment("expiresAt")
        else { return nil }
        self.init(
            id: id,
            lineage: lineage,
            makesLedger: makesLedger,
            createdAt: createdAt,
            expiresAt: expiresAt,
            desired: desired,
            sourceCommit: value["sourceCommit"]?.text,
            options: options
        )
    }
}
