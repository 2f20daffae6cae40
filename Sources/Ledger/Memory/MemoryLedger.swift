internal import Diff
internal import JSON
internal import Time

/// A ledger in memory, as a run that reads or writes it sees it: the twin of a store, for tests.
final class MemoryLedger {
    /// The ledger itself, which outlives those who have it open.
    final class Contents {
        /// Everything that is in it.
        var rows: MemoryRows
        /// The mark beside it.
        var mark: LedgerMark.Reading

        init(_ rows: MemoryRows, mark: LedgerMark.Reading = .missing) {
            self.rows = rows
            self.mark = mark
        }
    }

    private let contents: Contents
    let mark: LedgerMark.Reading
    let markProblem: String? = nil
    private let watch: (MemoryStore.Effect) throws -> Void

    /// Opens it; `watch` sees its units.
    init(
        _ contents: Contents,
        watch: @escaping (MemoryStore.Effect) throws -> Void = { _ in }
    ) {
        self.contents = contents
        self.watch = watch
        mark = contents.mark
    }

    private var rows: MemoryRows { contents.rows }
}

extension MemoryLedger: Lease {
    func unit<Result>(_ body: () throws -> Result) throws -> Result {
        try watch(.unitBegins)
        let result = try keeping(body)
        try watch(.unitKept)
        return result
    }

    private func keeping<Result>(_ body: () throws -> Result) throws -> Result {
        let before = contents.rows
        do {
            let result = try body()
            if before.facts.step != contents.rows.facts.step { moveMark() }
            return result
        } catch {
            contents.rows = before
            throw error
        }
    }

    func write(_ changes: LedgerChanges) { contents.rows.write(changes) }

    func moveMark() {
        contents.mark = .mark(LedgerMark(lineage: rows.facts.lineage, step: rows.facts.step))
    }

    func facts() -> LedgerFacts { rows.facts }
    func sealKey() -> [UInt8]? { rows.seal }
    func scopes() -> Scopes { Scopes(rows.scopes) }
    func templates() -> [TemplateRecord] { rows.templates.values.sorted { $0.name < $1.name } }
    func sentElsewhere(on day: UTCDay) -> SentElsewhere? { rows.sentElsewhere[day] }
    func closedEarly(app: Text, device: Text) -> Set<Text> {
        Set(rows.closedEarly.filter { $0.app == app && $0.device == device }.map(\.key))
    }
    func deadToken(_ token: Text) -> DeadToken? { rows.deadTokens[token] }
    func alias(_ anonymous: Text, app: Text) -> Alias? { rows.aliases[.init(app: app, device: anonymous)] }
    func earlyReport(digest: Text) -> EarlyReport? { rows.earlyReports[digest] }
    func run(_ query: RunQuery) -> RunRecord? {
        switch query {
        case .id(let id): rows.runs[id]
        case .operation(let id): rows.operations[id].flatMap { rows.runs[$0.run] }
        }
    }
    func reloadRequest(key: Text) -> ReloadRequestRecord? { rows.reloadRequests[key] }

    func faults() -> [Fault] {
        rows.faults.values.sorted { ($0.app, $0.environment.rawValue) < ($1.app, $1.environment.rawValue) }
    }

    func booked(on day: UTCDay) -> [DeliveryStatus: Int] {
        rows.deliveries.values.filter { $0.quotaDay == day }.reduce(into: [:]) { $0[$1.status, default: 0] += 1 }
    }

    func openInstances(at now: Moment) -> Int {
        rows.instances.values.count { $0.row.isOpen(at: now) }
    }

    // MARK: - Owners

    func recorded(in range: OwnerRange, after last: Owner?, limit: Int) -> [Recorded] {
        let owners = rows.owners(in: range).filter { owner in last.map { $0 < owner } ?? true }
        return owners.prefix(limit).map(rows.recorded)
    }

    func recorded(_ owners: [Owner]) -> [Recorded] { owners.map(rows.recorded) }

    func owners(_ query: OwnerQuery) -> [Owner] {
        switch query {
        case .unpublished(let last, let limit):
            Array(rows.unpublished.filter { owner in last.map { $0 < owner } ?? true }.sorted().prefix(limit))
        case .isUnpublished(let owner): rows.unpublished.contains(owner) ? [owner] : []
        case .allUnpublished: rows.unpublished.sorted()
        case .withWidgets: Set(rows.widgets.keys.map(\.owner)).sorted()
        case .touched: rows.touched.sorted()
        }
    }

    func count(_ query: OwnerQuery) -> Int { owners(query).count }

    // MARK: - Rows

    func widgets(_ query: WidgetQuery) -> [Owned<RecordedWidget>] {
        rows.widgets.values.filter(query.takes).sorted { $0.row.declaration.name < $1.row.declaration.name }
    }

    func activities(_ query: ActivityQuery) -> [RecordedActivity] {
        switch query {
        case .named(let owner, let name): rows.activities[.init(owner: owner, name: name)].map { [$0.row] } ?? []
        }
    }

    func devices(_ query: DeviceQuery) -> [DeviceRow] {
        rows.devices.values.filter(query.takes).sorted { ($0.app, $0.device) < ($1.app, $1.device) }
    }

    func registrations(_ query: RegistrationQuery) -> [OnDevice<WidgetRegistration>] {
        rows.registrations.values.filter(query.takes).sorted { ($0.app, $0.device) < ($1.app, $1.device) }
    }

    func startTargets(_ query: StartTargetQuery) -> [OnDevice<StartTarget>] {
        rows.startTargets.values.filter(query.takes).sorted {
            ($0.app, $0.device, $0.row.attributesType) < ($1.app, $1.device, $1.row.attributesType)
        }
    }

    func instances(_ query: InstanceQuery) -> [Owned<Instance>] {
        rows.instances.values.filter(query.takes).sorted { $0.row.id.text < $1.row.id.text }
    }

    func deliveries(_ query: DeliveryQuery) -> [Delivery] {
        rows.deliveries.values.filter(query.takes).sorted { $0.id.text < $1.id.text }
    }

    // MARK: - Sending

    private func sendable(at now: Moment) -> [Delivery] {
        rows.deliveries.values.filter { $0.state.isSendable(as: $0.kind) && $0.notBefore <= now }
            .sorted { $0.place < $1.place }
    }

    private func due(_ deliveries: [Delivery]) -> [DueDelivery] {
        deliveries.map { delivery in
            DueDelivery(delivery: delivery, name: delivery.target.flatMap { rows.instances[$0]?.row.name })
        }
    }

    func lanes(at now: Moment) -> [DueLane] {
        Dictionary(grouping: sendable(at: now)) { LaneName(app: $0.owner.app, environment: $0.environment) }
            .map { DueLane($0.key, count: $0.value.count) }
            .sorted { $0.name < $1.name }
    }

    func due(_ lane: LaneName, after place: SendingPlace, at now: Moment, limit: Int) -> [DueDelivery] {
        let waiting = sendable(at: now).filter { delivery in
            delivery.owner.app == lane.app && delivery.environment == lane.environment && place < delivery.place
        }
        return due(Array(waiting.prefix(limit)))
    }

    func due(_ ids: [DeliveryID]) -> [DueDelivery] {
        due(ids.compactMap { rows.deliveries[$0] }.filter { $0.state.isSendable(as: $0.kind) })
    }

    func unbooked(on day: UTCDay, after place: SendingPlace, limit: Int) -> [Delivery] {
        let waiting = rows.deliveries.values.filter { delivery in
            delivery.status == .queued && delivery.cost > 0 && delivery.quotaDay != day && place < delivery.place
        }
        return Array(waiting.sorted { $0.place < $1.place }.prefix(limit))
    }
}
