public import Diff
internal import JSON
public import Time

/// A ledger as it is at one moment with records changed on top, which the one below never sees.
///
/// What is to be changed is taken up into a ledger of its own, whole owners and devices, and answered from there; all else is
/// answered by the ledger below. So a look at what reports would do costs what they touch, and not what there is.
public final class Overlay {
    let base: any Snapshot
    let top: any Session
    private(set) var taken: Uptake
    private var whole: OverlaidWhole

    /// A ledger that begins as another one is.
    ///
    /// - Parameters:
    ///   - base: The ledger below, which stays as it is.
    ///   - top: A ledger that nothing was written to, for what is changed.
    /// - Throws: ``LedgerError``.
    public init(over base: any Snapshot, on top: any Session) throws {
        self.base = base
        self.top = top
        taken = Uptake(from: base, to: top)
        whole = OverlaidWhole(facts: try base.facts())
    }
}

// MARK: - Writing

extension Overlay: Session {
    /// Runs `body` as one unit: all that it writes is kept, or nothing.
    public func unit<Result>(_ body: () throws -> Result) throws -> Result {
        let (whole, counted) = (whole, taken.counted)
        func undo() {
            self.whole = whole
            taken.undo(to: counted)
        }
        taken.begin()
        do {
            return try top.unit {
                // A store may run it again.
                undo()
                return try body()
            }
        } catch {
            undo()
            throw error
        }
    }

    /// Writes the rows that decisions changed, once their owners and devices are taken up.
    public func write(_ changes: LedgerChanges) throws {
        try taken.take(for: changes)
        var rows = changes
        if changes.unpublishesAll { rows.unpublished += try owners(.withWidgets) }
        try top.write(rows.withoutTheWhole)
        try whole.write(changes, over: base)
    }

    // MARK: - The whole

    /// The facts of the whole ledger.
    public func facts() -> LedgerFacts { whole.facts }
    /// The key of the digests in saved plans; `nil` where the ledger has none.
    public func sealKey() throws -> [UInt8]? { try base.sealKey() }
    /// Scopes that are not as they were at first.
    public func scopes() throws -> Scopes { try whole.scopes ?? base.scopes() }
    /// Template versions as they were first applied, by name.
    public func templates() throws -> [TemplateRecord] { try whole.templates ?? base.templates() }
    /// Configuration faults, by app and environment.
    public func faults() throws -> [Fault] { try whole.faults ?? base.faults() }
    /// The pushes that the account sent in other ways on a day; `nil` where none were recorded.
    public func sentElsewhere(on day: UTCDay) throws -> SentElsewhere? {
        try whole.sentElsewhere[day] ?? base.sentElsewhere(on: day)
    }

    /// The deliveries that are booked to a day, by status.
    public func booked(on day: UTCDay) throws -> [DeliveryStatus: Int] {
        var counts = try base.booked(on: day)
        counts.merge(taken.counted.booked[day] ?? [:], uniquingKeysWith: -)
        counts.merge(try top.booked(on: day), uniquingKeysWith: +)
        return counts.filter { $0.value != 0 }
    }

    /// The activities that are running or outstanding at a moment and not too old to be, over all owners.
    public func openInstances(at now: Moment) throws -> Int {
        let below = try base.openInstances(at: now) - taken.counted.openUntil.count { now < $0 }
        return try below + top.openInstances(at: now)
    }
}

// MARK: - Owners

extension Overlay {
    /// The next owners that anything is recorded of, in the order of subscriber and app, by bytes.
    public func recorded(in range: OwnerRange, after last: Owner?, limit: Int) throws -> [Recorded] {
        guard !taken.isEmpty else { return try base.recorded(in: range, after: last, limit: limit) }
        var (found, last): ([Recorded], Owner?) = ([], last)
        while found.count < limit {
            let wanted = limit - found.count
            let below = try base.recorded(in: range, after: last, limit: wanted)
            // The last owner up to whom both have told all; nil at the end.
            var end = below.count < wanted ? nil : below.last?.owner
            let reach = OwnerRange(first: range.first, last: end?.subscriber ?? range.last)
            let above = try top.recorded(in: reach, after: last, limit: wanted)
            if above.count == wanted, let other = above.last?.owner { end = end.map { min($0, other) } ?? other }
            var both = below.filter { !taken.has($0.owner) }
            if !above.isEmpty { both = (both + above).sorted { $0.owner < $1.owner } }
            guard let end else { return Array((found + both).prefix(limit)) }
            found += both.prefix { $0.owner <= end }
            last = end
        }
        return Array(found.prefix(limit))
    }

    /// The records of some owners, which are in their order; an owner may have none.
    public func recorded(_ owners: [Owner]) throws -> [Recorded] {
        guard !taken.isEmpty else { return try base.recorded(owners) }
        let above = try top.recorded(owners.filter(taken.has))
        var below = try base.recorded(owners.filter { !taken.has($0) })[...]
        var rest = above[...]
        return owners.compactMap { taken.has($0) ? rest.popFirst() : below.popFirst() }
    }

    /// Owners by a query, in their order.
    public func owners(_ query: OwnerQuery) throws -> [Owner] {
        switch query {
        case .unpublished(let last, let limit): try unpublished(after: last, limit: limit)
        case .isUnpublished(let owner): try isUnpublished(owner) ? [owner] : []
        case .allUnpublished:
            Set(try base.owners(query)).subtracting(whole.published).union(try top.owners(query)).sorted()
        case .withWidgets:
            try (base.owners(query).filter { !taken.has($0) } + top.owners(query)).sorted()
        case .touched:
            (whole.forgetsTouched ? whole.touched : whole.touched.union(try base.owners(query))).sorted()
        }
    }

    /// The number of owners by a query.
    public func count(_ query: OwnerQuery) throws -> Int {
        switch query {
        case .allUnpublished:
            let both = try top.owners(query).count {
                try base.count(.isUnpublished($0)) > 0 && !whole.published.contains($0)
            }
            return try base.count(query) - whole.published.count + top.count(query) - both
        case .withWidgets:
            let taken = try taken.owners.elements.count { try !base.widgets(.owner($0)).isEmpty }
            return try base.count(query) - taken + top.count(query)
        case .unpublished, .isUnpublished, .touched:
            return try owners(query).count
        }
    }

    private func isUnpublished(_ owner: Owner) throws -> Bool {
        if try top.count(.isUnpublished(owner)) > 0 { return true }
        return try !whole.published.contains(owner) && base.count(.isUnpublished(owner)) > 0
    }

    private func unpublished(after last: Owner?, limit: Int) throws -> [Owner] {
        guard limit > 0 else { return [] }
        var (found, last): (Set<Owner>, Owner?) = ([], last)
        let above = try top.owners(.unpublished(after: last, limit: limit))
        while true {
            let batch = try base.owners(.unpublished(after: last, limit: limit))
            found.formUnion(batch.filter { !whole.published.contains($0) })
            last = batch.last
            guard batch.count == limit, found.count < limit else { break }
        }
        return Array(found.union(above).sorted().prefix(limit))
    }
}
