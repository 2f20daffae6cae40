internal import Diff
internal import JSON

/// Values that a ledger holds once, as they are with changes on top: a few of each, kept in memory.
struct OverlaidWhole {
    private(set) var facts: LedgerFacts
    /// `nil` while they are those of the ledger below; so are the next two.
    private(set) var scopes: Scopes?
    private(set) var templates: [TemplateRecord]?
    private(set) var faults: [Fault]?
    /// The days of which something was recorded on top.
    private(set) var sentElsewhere: [UTCDay: SentElsewhere] = [:]
    /// Owners whose file is older than their widgets in the ledger below alone.
    private(set) var published: Set<Owner> = []
    /// Owners of whom something changed on top.
    private(set) var touched: Set<Owner> = []
    /// True where those that the ledger below names count no more.
    private(set) var forgetsTouched = false

    init(facts: LedgerFacts) {
        self.facts = facts
    }

    /// Takes its part of some changes.
    mutating func write(_ changes: LedgerChanges, over base: any Snapshot) throws {
        for owner in changes.published where try base.count(.isUnpublished(owner)) > 0 { published.insert(owner) }
        for new in changes.sentElsewhere.compactMap(\.after) { sentElsewhere[new.day] = new }
        if !changes.templates.isEmpty {
            let new = changes.templates.compactMap(\.after)
            let rest = try (templates ?? base.templates()).filter { known in !new.contains { $0.name == known.name } }
            templates = (rest + new).sorted { $0.name < $1.name }
        }
        if !changes.faults.isEmpty {
            let lanes = Set(changes.faults.compactMap { ($0.after ?? $0.before)?.lane })
            let rest = try (faults ?? base.faults()).filter { !lanes.contains($0.lane) }
            faults = (rest + changes.faults.compactMap(\.after)).sorted {
                ($0.app, $0.environment.rawValue) < ($1.app, $1.environment.rawValue)
            }
        }
        writeIndex(changes)
        if !changes.scopes.isEmpty { scopes = try (scopes ?? base.scopes()).changed(by: changes.scopes) }
    }

    /// Notes the facts, and whose records changed while there is an index; a scope can be anybody's.
    private mutating func writeIndex(_ changes: LedgerChanges) {
        let hadIndex = facts.index != nil
        if let new = changes.facts?.after { facts = new }
        if changes.forgetsTouched { (touched, forgetsTouched) = ([], true) }
        guard hadIndex else { return }
        if changes.scopes.isEmpty { touched.formUnion(changes.touched) } else { facts.index = nil }
    }
}

extension LedgerChanges {
    /// The changes but for what is kept once, and the history, which no snapshot tells.
    var withoutTheWhole: LedgerChanges {
        var rows = self
        (rows.facts, rows.scopes, rows.templates, rows.faults, rows.sentElsewhere) = (nil, [], [], [], [])
        (rows.history, rows.forgetsTouched, rows.unpublishesAll) = ([], false, false)
        return rows
    }
}

extension Fault {
    fileprivate var lane: LaneName { LaneName(app: app, environment: environment) }
}
