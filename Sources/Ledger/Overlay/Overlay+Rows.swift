public import Diff
public import JSON
public import Time

// Rows by query: those of what was taken up from the ledger on top, all others from the one below.

extension Overlay {
    /// Committed widgets, by owner and name.
    public func widgets(_ query: WidgetQuery) throws -> [Owned<RecordedWidget>] {
        switch query {
        case .id: try rest(of: base.widgets(query)) + top.widgets(query)
        case .owner(let owner): try store(of: owner).widgets(query)
        }
    }

    /// Committed activities.
    public func activities(_ query: ActivityQuery) throws -> [RecordedActivity] {
        switch query {
        case .named(let owner, _): try store(of: owner).activities(query)
        }
    }

    /// Devices, by id.
    public func devices(_ query: DeviceQuery) throws -> [DeviceRow] {
        switch query {
        case .device(let app, let id): try store(of: id, app: app).devices(query)
        case .owner(let owner): try store(of: owner).devices(query)
        }
    }

    /// Widget push tokens, by device.
    public func registrations(_ query: RegistrationQuery) throws -> [OnDevice<WidgetRegistration>] {
        switch query {
        case .device(let app, let id): return try store(of: id, app: app).registrations(query)
        case .live(let owner): return try store(of: owner).registrations(query)
        case .id, .token:
            let rows = try rest(of: base.registrations(query)) + top.registrations(query)
            return rows.sorted { ($0.app, $0.device) < ($1.app, $1.device) }
        }
    }

    /// Push-to-start tokens, by device and attributes type.
    public func startTargets(_ query: StartTargetQuery) throws -> [OnDevice<StartTarget>] {
        switch query {
        case .device(let app, let id): return try store(of: id, app: app).startTargets(query)
        case .id, .token:
            let rows = try rest(of: base.startTargets(query)) + top.startTargets(query)
            return rows.sorted {
                ($0.app, $0.device, $0.row.attributesType) < ($1.app, $1.device, $1.row.attributesType)
            }
        }
    }

    /// Activities on devices, by id; their deliveries are not attached.
    public func instances(_ query: InstanceQuery) throws -> [Owned<Instance>] {
        if case .declaration(let owner, _, _) = query { return try store(of: owner).instances(query) }
        return try (rest(of: base.instances(query)) + top.instances(query)).sorted { $0.row.id < $1.row.id }
    }

    /// Deliveries, by id.
    public func deliveries(_ query: DeliveryQuery) throws -> [Delivery] {
        try (rest(of: base.deliveries(query)) + top.deliveries(query)).sorted { $0.id < $1.id }
    }

    /// Ids of activities and launches that were reported over before they were reported at all.
    public func closedEarly(app: Text, device: Text) throws -> Set<Text> {
        try base.closedEarly(app: app, device: device).union(try top.closedEarly(app: app, device: device))
    }

    /// The time at which a token was found dead; `nil` where it was not.
    public func deadToken(_ token: Text) throws -> DeadToken? {
        let known = [try base.deadToken(token), try top.deadToken(token)].compactMap(\.self)
        return known.max { $0.at < $1.at }
    }

    /// The person that an anonymous id turned out to be; `nil` where it did not.
    public func alias(_ anonymous: Text, app: Text) throws -> Alias? {
        try top.alias(anonymous, app: app) ?? base.alias(anonymous, app: app)
    }

    /// A report line of the future that was seen before.
    public func earlyReport(digest: Text) throws -> EarlyReport? {
        try base.earlyReport(digest: digest) ?? top.earlyReport(digest: digest)
    }

    /// A run; `nil` where there is none.
    public func run(_ query: RunQuery) throws -> RunRecord? {
        if let run = try top.run(query) { return run }
        guard let run = try base.run(query) else { return nil }
        return try top.run(.id(run.id)) ?? run
    }

    /// A reload, by its idempotency key.
    public func reloadRequest(key: Text) throws -> ReloadRequestRecord? {
        try top.reloadRequest(key: key) ?? base.reloadRequest(key: key)
    }

    // MARK: - Whose answer it is

    /// The ledger that answers for an owner.
    private func store(of owner: Owner) -> any Snapshot { taken.has(owner) ? top : base }

    /// The ledger that answers for a device.
    private func store(of device: Text, app: Text) -> any Snapshot {
        taken.hasDevice(device, app: app) ? top : base
    }

    /// The rows of the ledger below that were not taken up.
    private func rest<Row>(of rows: [Owned<Row>]) -> [Owned<Row>] { rows.filter { !taken.has($0.owner) } }

    private func rest<Row>(of rows: [OnDevice<Row>]) -> [OnDevice<Row>] {
        rows.filter { !taken.hasDevice($0.device, app: $0.app) }
    }

    private func rest(of rows: [Delivery]) throws -> [Delivery] { try rows.filter { try !taken.has($0) } }
}

// MARK: - Sending

extension Overlay {
    /// The apps and environments that have deliveries to send at a moment, in order.
    public func lanes(at now: Moment) throws -> [DueLane] {
        var counts: [LaneName: Int] = [:]
        for lane in try base.lanes(at: now) {
            let due = try rest(after: .start, limit: lane.count) { place, limit in
                try base.due(lane.name, after: place, at: now, limit: limit)
            }
            if !due.isEmpty { counts[lane.name] = due.count }
        }
        for lane in try top.lanes(at: now) { counts[lane.name, default: 0] += lane.count }
        return counts.map { DueLane($0.key, count: $0.value) }.sorted { $0.name < $1.name }
    }

    /// The next deliveries of one app and environment that may be sent at a moment, in the order of sending.
    public func due(_ lane: LaneName, after place: SendingPlace, at now: Moment, limit: Int) throws -> [DueDelivery] {
        let below = try rest(after: place, limit: limit) { try base.due(lane, after: $0, at: now, limit: $1) }
        return inOrder(below, try top.due(lane, after: place, at: now, limit: limit), limit: limit)
    }

    /// Those of some deliveries that may still be sent.
    public func due(_ ids: [DeliveryID]) throws -> [DueDelivery] {
        try ids.flatMap { id in try (top.deliveries(.id(id)).isEmpty ? base : top).due([id]) }
    }

    /// The next queued deliveries that cost something and hold no capacity of a day, in the order of sending.
    public func unbooked(on day: UTCDay, after place: SendingPlace, limit: Int) throws -> [Delivery] {
        func due(_ deliveries: [Delivery]) -> [DueDelivery] { deliveries.map { DueDelivery(delivery: $0, name: nil) } }
        let below = try rest(after: place, limit: limit) { due(try base.unbooked(on: day, after: $0, limit: $1)) }
        return inOrder(below, due(try top.unbooked(on: day, after: place, limit: limit)), limit: limit).map(\.delivery)
    }

    /// The next deliveries of the ledger below that were not taken up; `batch` gives those behind a place, at most so many.
    private func rest(
        after place: SendingPlace,
        limit: Int,
        _ batch: (SendingPlace, Int) throws -> [DueDelivery]
    ) throws -> [DueDelivery] {
        var (found, place): ([DueDelivery], SendingPlace) = ([], place)
        while found.count < limit {
            let deliveries = try batch(place, limit)
            found += try deliveries.filter { try !taken.has($0.delivery) }
            guard deliveries.count == limit, let last = deliveries.last else { break }
            place = last.delivery.place
        }
        return found
    }

    /// The first of both in the order of sending.
    private func inOrder(_ below: [DueDelivery], _ above: [DueDelivery], limit: Int) -> [DueDelivery] {
        Array((below + above).sorted { $0.delivery.place < $1.delivery.place }.prefix(limit))
    }
}
