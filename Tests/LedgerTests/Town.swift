import Diff
import JSON
import TestDeclarations
import Time

/// A few people with their phones, and what was committed and sent to them: rows of every table, which the suite asks for.
///
/// The ids are canonical, their order is that of their last letters. People are not in the order of the alphabet: bytes count.
enum Town {
    static let courier: Text = "com.example.courier"
    static let tram: Text = "com.example.tram"

    static let zoe = Owner(subscriber: "Zoe", app: courier)
    static let anna = Owner(subscriber: "anna", app: courier)
    static let annaInTram = Owner(subscriber: "anna", app: tram)
    static let bert = Owner(subscriber: "bert", app: courier)
    static let elan = Owner(subscriber: "\u{E9}lan", app: courier)
    /// Everybody, in the order of bytes.
    static let owners = [zoe, anna, annaInTram, bert, elan]

    static let noon = Moment(seconds: 1_796_000_000)
    static let day = UTCDay(at: noon)
    static let run = RunRecord(id: RunID("run_1"), command: "apply", host: "h", user: "u", pid: 7, startedAt: noon)

    /// The id with the last two characters.
    static func id<Kind>(_ end: String) -> Identifier<Kind> {
        Identifier(Text(Kind.prefix + "01ARZ3NDEKTSV4RRFFQ69G5F" + end))
    }

    // MARK: - Declarations

    static func widget(_ owner: Owner, _ name: Text, _ end: String, state: Value = ["n": 1]) -> Owned<RecordedWidget> {
        Owned(
            owner,
            RecordedWidget(
                id: id(end),
                declaration: WidgetDeclaration(name: name, state: state),
                revision: 1,
                changedStep: Step(1),
                changedAt: noon
            )
        )
    }

    static func activity(_ owner: Owner, _ name: Text) -> Owned<RecordedActivity> {
        Owned(
            owner,
            RecordedActivity(
                declaration: ActivityDeclaration(
                    name: name,
                    attributesType: "Delivery",
                    attributes: ["order": .string(name)],
                    state: ["status": "cooking"],
                    alert: ["title": "a", "body": "b"]
                ),
                life: 1,
                revision: 1,
                changedStep: Step(1),
                alertAt: noon
            )
        )
    }

    static let annasStats = widget(anna, "Stats", "A1")
    static let annasMap = widget(anna, "Map", "A2")
    static let annasTramStats = widget(annaInTram, "Stats", "A3")
    static let zoesStats = widget(zoe, "Stats", "A4")
    static let annasOrder = activity(anna, "order")
    static let annasRide = activity(anna, "Ride")
    static let bertsOrder = activity(bert, "order")

    // MARK: - Devices

    static func device(_ owner: Owner, _ id: Text) -> DeviceRow {
        DeviceRow(app: owner.app, device: id, owner: owner.subscriber, ownerSince: .never, lastReport: noon)
    }

    static let phone = device(anna, "anna-phone")
    static let pad = device(anna, "anna-pad")
    static let tramPhone = device(annaInTram, "anna-phone")
    static let bertsPhone = device(bert, "bert-phone")
    /// Somebody has logged out on it.
    static let lostPhone = DeviceRow(
        app: courier,
        device: "lost-phone",
        owner: nil,
        ownerSince: noon - .hours(1),
        lastReport: noon
    )

    static func on<Row>(_ device: DeviceRow, _ row: Row) -> OnDevice<Row> {
        OnDevice(app: device.app, device: device.device, subscriber: device.owner, row: row)
    }

    static func widgets(_ end: String, _ token: Text?, in environment: PushEnvironment = .production)
        -> WidgetRegistration
    {
        WidgetRegistration(
            id: id(end),
            token: token,
            environment: environment,
            kinds: ["Map", "Stats"],
            os: OSVersion(26, 1),
            at: noon
        )
    }

    static func start(_ end: String, _ type: Text, _ token: Text?) -> StartTarget {
        StartTarget(
            id: id(end),
            attributesType: type,
            token: token,
            environment: .production,
            os: OSVersion(18),
            at: noon,
            frequentPushes: true,
            templates: ["t@1"]
        )
    }

    static let phoneWidgets = on(phone, widgets("B1", "aa01"))
    static let padWidgets = on(pad, widgets("B2", nil))
    static let tramWidgets = on(tramPhone, widgets("B3", "aa03", in: .sandbox))
    /// The token of a phone that was restored from the backup of another one.
    static let bertsWidgets = on(bertsPhone, widgets("B4", "aa01"))
    static let lostWidgets = on(lostPhone, widgets("B5", "aa05"))

    static let phoneDelivery = on(phone, start("C1", "Delivery", "bb01"))
    static let phoneRide = on(phone, start("C2", "Ride", "bb02"))
    static let bertsDelivery = on(bertsPhone, start("C3", "Delivery", "bb02"))
    static let lostDelivery = on(lostPhone, start("C4", "Delivery", nil))

    // MARK: - Instances

    /// Waits to be started.
    static let annasQueued = Owned(
        anna,
        Instance(
            id: id("D1"),
            launch: id("J1"),
            name: "order",
            device: "anna-phone",
            origin: .remote,
            attributesType: "Delivery",
            attributes: ["order": "order"],
            template: "t@1",
            life: 1,
            sequence: 1,
            startTarget: id("C1"),
            phase: .queued
        )
    )
    /// Was started by the app.
    static let annasRunning = Owned(
        anna,
        Instance(
            id: id("D2"),
            name: "order",
            device: "anna-pad",
            origin: .app,
            attributesType: "Delivery",
            life: 1,
            sequence: 2,
            phase: .running,
            activityID: "9F2B7C1E-0000-4000-8000-000000000002",
            token: "cc02",
            tokenAt: noon,
            os: OSVersion(18),
            startedAt: noon - .hours(1),
            registeredAt: noon,
            revision: 4,
            shown: ActivityContent(state: ["status": "ready"], staleAt: noon, relevanceScore: 2),
            lastTimestamp: noon,
            rejection: Rejection(revision: 3, tokenAt: noon)
        )
    )
    /// Was sent, and nobody has reported it.
    static let bertsOutstanding = Owned(
        bert,
        Instance(
            id: id("D3"),
            launch: id("J3"),
            name: "order",
            device: "bert-phone",
            origin: .remote,
            attributesType: "Delivery",
            life: 1,
            sequence: 3,
            startTarget: id("C3"),
            phase: .outstanding,
            startedAt: noon,
            startExpiresAt: noon + .hours(1)
        )
    )
    /// Was over before it was reported; its start may have arrived.
    static let annasClosed = Owned(
        anna,
        Instance(
            id: id("D4"),
            launch: id("J4"),
            name: "Ride",
            device: "anna-phone",
            origin: .remote,
            attributesType: "Ride",
            life: 1,
            sequence: 4,
            replaces: id("D1"),
            startTarget: id("C2"),
            phase: .closed(.person),
            startedAt: noon - .hours(9)
        )
    )
    /// Bert's, on a phone that is Anna's by now.
    static let bertsOnAnnasPhone = Owned(
        bert,
        Instance(
            id: id("D5"),
            name: "",
            device: "anna-phone",
            origin: .unattributed,
            attributesType: "Delivery",
            life: 0,
            phase: .running,
            ending: .logout,
            activityID: "9F2B7C1E-0000-4000-8000-000000000005",
            startedAt: noon - .hours(9)
        )
    )
    /// All that is left of somebody.
    static let elansFailed = Owned(
        elan,
        Instance(
            id: id("D6"),
            launch: id("J6"),
            name: "order",
            device: "elan-phone",
            origin: .remote,
            attributesType: "Delivery",
            life: 1,
            sequence: 6,
            phase: .failed
        )
    )

    // MARK: - All of it

    /// The changes that make the town, in the order in which they are written.
    static let history: [LedgerChanges] = [begin, declarations, devices, instances, sending, marks]

    private static let begin: LedgerChanges = {
        var changes = LedgerChanges()
        changes.runs = new(run)
        var facts = LedgerFacts(lineage: Bench.lineage)
        facts.step = Step(4)
        facts.launchSequence = 6
        facts.confirmedAt = noon
        changes.facts = RowChange(before: LedgerFacts(lineage: Bench.lineage), after: facts)
        changes.templates = new(TemplateRecord(name: "t@1", digest: "d1", document: ["v": 1], appliedAt: noon))
        return changes
    }()

    private static let declarations: LedgerChanges = {
        var changes = LedgerChanges()
        changes.widgets = new(annasStats, zoesStats, annasMap, annasTramStats)
        changes.activities = new(annasOrder, bertsOrder, annasRide)
        changes.unpublished = [annaInTram, zoe, anna]
        return changes
    }()

    private static let devices: LedgerChanges = {
        var changes = LedgerChanges()
        changes.devices = new(phone, pad, tramPhone, bertsPhone, lostPhone)
        changes.registrations = new(phoneWidgets, padWidgets, tramWidgets, bertsWidgets, lostWidgets)
        changes.startTargets = new(phoneRide, phoneDelivery, bertsDelivery, lostDelivery)
        changes.closedEarly = [ClosedEarly(app: courier, device: "anna-phone", key: "early")]
        return changes
    }()

    private static let instances: LedgerChanges = {
        var changes = LedgerChanges()
        changes.instances = new(annasRunning, annasQueued, bertsOutstanding, annasClosed)
        changes.instances += new(bertsOnAnnasPhone, elansFailed)
        return changes
    }()

    private static let sending: LedgerChanges = {
        var changes = LedgerChanges()
        changes.operations = operations
        changes.deliveries = pushes.map { RowChange(before: nil, after: $0) }
        return changes
    }()

    private static let marks: LedgerChanges = {
        var changes = LedgerChanges()
        changes.aliases = [Alias(app: courier, anonymous: "anon_1", person: "anna")]
        changes.deadTokens = [DeadToken(token: "dd01", at: noon)]
        changes.earlyReports = [EarlyReport(digest: "ee01", at: noon)]
        changes.sentElsewhere = new(SentElsewhere(day: day, pushes: 5))
        changes.faults = new(fault)
        changes.scopes = new(ScopeRow(.subscriber("bert"), Scope(number: 2, isPaused: true, openedAt: noon)))
        changes.published = [zoe]
        changes.reloadRequests = [ReloadRequestRecord(key: "k1", subscribers: ["anna"], results: ["ok"], at: noon)]
        return changes
    }()

    static let fault = Fault(
        app: courier,
        environment: .production,
        reason: "InvalidProviderToken",
        fingerprint: "f1",
        since: noon
    )

    /// The records of Anna, with her pushes where they belong.
    static let annasRecord: Recorded = {
        var reloading = phoneWidgets.row
        reloading.pending = reloadOfPhone
        var (queued, running) = (annasQueued.row, annasRunning.row)
        queued.pending = [startOfOrder]
        running.pending = [updateOfOrder]
        return Recorded(
            owner: anna,
            widgets: [annasMap.row, annasStats.row],
            activities: [annasRide.row, annasOrder.row],
            devices: [
                Device(id: "anna-pad", widgets: padWidgets.row),
                Device(id: "anna-phone", widgets: reloading, startTargets: [phoneDelivery.row, phoneRide.row]),
            ],
            instances: [annasClosed.row, queued, running]
        )
    }()

    /// The records of Bert.
    static let bertsRecord: Recorded = {
        var outstanding = bertsOutstanding.row
        outstanding.pending = [startOfBertsOrder]
        return Recorded(
            owner: bert,
            activities: [bertsOrder.row],
            devices: [Device(id: "bert-phone", widgets: bertsWidgets.row, startTargets: [bertsDelivery.row])],
            instances: [bertsOnAnnasPhone.row, outstanding]
        )
    }()
}

extension Bench {
    /// A ledger that has the town in it.
    static func town(_ kind: Kind) throws -> Bench {
        let bench = try Bench(kind)
        for changes in Town.history { try bench.write(changes) }
        return bench
    }
}
