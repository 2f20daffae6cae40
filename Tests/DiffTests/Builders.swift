import TestDeclarations
import Diff
import JSON
import Time

/// The moment of every plan in these tests.
let now = Moment(seconds: 1_700_000_000)
let minute = Span.minutes(1)
let hour = Span.hours(1)

/// Where only the order of moments counts, tests number them.
extension Moment: ExpressibleByIntegerLiteral {
    /// So many milliseconds after 1970.
    public init(integerLiteral milliseconds: Int64) { self.init(milliseconds: milliseconds) }
}

extension Step: ExpressibleByIntegerLiteral {
    /// A step by its number.
    public init(integerLiteral number: Int64) { self.init(number) }
}

let anna = Owner(subscriber: "anna", app: "app")

// MARK: - Declarations

func widget(
    _ name: Text,
    _ state: Value = 1,
    reload: Text? = nil,
    template: Text? = nil,
    minInterval: Span? = nil,
    expiresAfter: Span? = nil
) -> WidgetDeclaration {
    WidgetDeclaration(
        name: name,
        state: state,
        template: template,
        reload: reload,
        minInterval: minInterval,
        expiresAfter: expiresAfter
    )
}

func activity(
    _ name: Text = "order",
    _ state: Value = 1,
    type: Text = "Delivery",
    attributes: Value = ["id": 1],
    template: Text? = nil,
    alert: Value? = "ring",
    staleAt: Moment? = nil,
    relevance: Value? = nil,
    start: ActivityDeclaration.Start = .remote,
    priority: ActivityDeclaration.Priority = .normal,
    generation: Text? = nil,
    restart: ActivityDeclaration.Restart = .never,
    renew: Bool = false,
    minInterval: Span? = nil,
    expiresAfter: Span? = nil,
    protect: Bool = false,
    end: ActivityDeclaration.End? = nil
) -> ActivityDeclaration {
    ActivityDeclaration(
        name: name,
        attributesType: type,
        attributes: attributes,
        state: state,
        template: template,
        alert: alert,
        staleAt: staleAt,
        relevanceScore: relevance,
        start: start,
        priority: priority,
        generation: generation,
        restart: restart,
        renew: renew,
        minInterval: minInterval,
        expiresAfter: expiresAfter,
        protect: protect,
        end: end
    )
}

let over = ActivityDeclaration.End()

func over(_ state: Value) -> ActivityDeclaration.End { ActivityDeclaration.End(state: state) }

/// What the files declare of either kind.
protocol Declared: Sendable {}
extension WidgetDeclaration: Declared {}
extension ActivityDeclaration: Declared {}

func desired(_ declarations: [any Declared], of owner: Owner = anna) -> Desired? {
    guard !declarations.isEmpty else { return nil }
    return Desired(
        owner: owner,
        widgets: declarations.compactMap { $0 as? WidgetDeclaration }.sorted { $0.name < $1.name },
        activities: declarations.compactMap { $0 as? ActivityDeclaration }.sorted { $0.name < $1.name }
    )
}

// MARK: - Records

/// One thing that the ledger holds.
protocol Record: Sendable {}
extension RecordedWidget: Record {}
extension RecordedActivity: Record {}
extension Device: Record {}
extension Instance: Record {}

func recorded(_ records: [any Record], of owner: Owner = anna) -> Recorded {
    Recorded(
        owner: owner,
        widgets: records.compactMap { $0 as? RecordedWidget }.sorted { $0.declaration.name < $1.declaration.name },
        activities: records.compactMap { $0 as? RecordedActivity }.sorted { $0.declaration.name < $1.declaration.name },
        devices: records.compactMap { $0 as? Device }.sorted { $0.id < $1.id },
        instances: records.compactMap { $0 as? Instance }
            .sorted { ($0.name, $0.sequence, $0.id.text) < ($1.name, $1.sequence, $1.id.text) }
    )
}

/// A widget whose newest visible change was step `step`, an hour ago.
func committed(_ widget: WidgetDeclaration, step: Step = 5, at: Moment = now - hour) -> RecordedWidget {
    RecordedWidget(
        id: TargetID(Text("tgt_" + widget.name.string)),
        declaration: widget,
        revision: 1,
        changedStep: step,
        changedAt: at
    )
}

func committed(_ activity: ActivityDeclaration, life: Int64 = 1, alertAt: Moment = .never) -> RecordedActivity {
    RecordedActivity(declaration: activity, life: life, revision: 1, alertAt: alertAt)
}

func removed(_ activity: ActivityDeclaration, life: Int64 = 1) -> RecordedActivity {
    RecordedActivity(declaration: activity, life: life, revision: 2, isRemoved: true)
}

/// A device that registered two hours ago: for starts of `Delivery` unless said otherwise, and for widgets if given.
func device(_ id: Text, widgets: WidgetRegistration? = nil, _ targets: StartTarget...) -> Device {
    Device(id: id, widgets: widgets, startTargets: targets.isEmpty && widgets == nil ? [target()] : targets)
}

func target(
    _ type: Text = "Delivery",
    token: Text? = "aa",
    in environment: PushEnvironment = .production,
    os: OSVersion? = OSVersion(18),
    at: Moment = now - .hours(2),
    frequentPushes: Bool? = nil,
    templates: [Text]? = nil
) -> StartTarget {
    StartTarget(
        id: StartTargetID(Text("stt_" + type.string)),
        attributesType: type,
        token: token,
        environment: environment,
        os: os,
        at: at,
        frequentPushes: frequentPushes,
        templates: templates
    )
}

/// A widget registration that was reloaded up to step 5.
func widgets(
    _ kinds: [Text],
    token: Text? = "bb",
    _ environment: PushEnvironment = .production,
    os: OSVersion? = OSVersion(26),
    at: Moment = now - .hours(2),
    reloaded: Step = 5,
    owes: Bool = false,
    reloadedAt: Moment = 0,
    rejected: Rejection? = nil,
    pending: Delivery? = nil
) -> WidgetRegistration {
    WidgetRegistration(
        id: WidgetsID("wgt_1"),
        token: token,
        environment: environment,
        kinds: kinds,
        os: os,
        at: at,
        reloadedStep: reloaded,
        reloadedAt: reloadedAt,
        owesReload: owes,
        rejection: rejected,
        pending: pending
    )
}

/// A delivery that was committed, or first sent, a minute ago.
func pending(
    _ kind: Action.Kind,
    _ status: DeliveryStatus = .queued,
    until: Moment = 0,
    age: Span = minute,
    expiresAfter: Span? = nil
) -> Delivery {
    Delivery(
        id: DeliveryID(Text("dlv_" + kind.rawValue.string)),
        kind: kind,
        owner: anna,
        device: "phone",
        state: DeliveryState(status, isOpen: true),
        revision: 1,
        createdAt: now - age,
        expiresAfter: expiresAfter,
        notBefore: until
    )
}

/// An instance of `order` on `phone` that Lockstep launched an hour ago.
func instance(
    _ id: Text,
    _ phase: Instance.Phase,
    of name: Text = "order",
    on device: Text = "phone",
    shows: ActivityContent? = activity().content,
    type: Text = "Delivery",
    attributes: Value? = ["id": 1],
    template: Text? = nil,
    origin: Instance.Origin = .remote,
    life: Int64 = 1,
    sequence: Int64 = 1,
    replaces: Text? = nil,
    ending: Instance.Closure? = nil,
    tokenAt: Moment = now - hour,
    _ environment: PushEnvironment = .production,
    os: OSVersion? = OSVersion(18),
    age: Span = hour,
    registered: Moment? = nil,
    revision: Int64 = 1,
    rejected: Rejection? = nil,
    pending: Delivery...
) -> Instance {
    let isReported = phase == .running || { if case .closed = phase { true } else { false } }()
    return Instance(
        id: TargetID(id),
        launch: origin == .remote || origin == .unknownLaunch ? LaunchID(Text("lrq_" + id.string)) : nil,
        name: name,
        device: device,
        origin: origin,
        attributesType: type,
        attributes: attributes,
        template: template,
        life: life,
        sequence: sequence,
        replaces: replaces.map { TargetID($0) },
        phase: phase,
        ending: ending,
        activityID: isReported ? Text("activity-" + id.string) : nil,
        token: isReported ? "cc" : nil,
        tokenAt: isReported ? tokenAt : 0,
        environment: environment,
        os: os,
        startedAt: phase == .queued ? 0 : now - age,
        startExpiresAt: phase == .queued || origin != .remote ? 0 : now - age + hour,
        registeredAt: isReported ? registered ?? now - age : 0,
        revision: revision,
        shown: phase == .queued ? nil : shows,
        rejection: rejected,
        pending: pending.map { $0.of(id) }
    )
}

extension Delivery {
    /// The same delivery for an instance.
    fileprivate func of(_ instance: Text) -> Delivery {
        var delivery = self
        delivery.target = TargetID(instance)
        if kind == .start { delivery.registration = "stt_Delivery" }
        return delivery
    }
}

/// Shows the declared state 1 unless said otherwise.
func running(
    _ id: Text = "a",
    of name: Text = "order",
    on device: Text = "phone",
    shows: ActivityContent? = activity().content,
    life: Int64 = 1,
    ending: Instance.Closure? = nil,
    age: Span = hour,
    revision: Int64 = 1,
    rejected: Rejection? = nil,
    pending: Delivery...
) -> Instance {
    var result = instance(id, .running, of: name, on: device, shows: shows, life: life, ending: ending, age: age)
    result.revision = revision
    result.rejection = rejected
    result.pending = pending.map { $0.of(id) }
    return result
}

func closed(_ id: Text, _ cause: Instance.Closure, on device: Text = "phone") -> Instance {
    instance(id, .closed(cause), on: device)
}

func closed(_ cause: Instance.Closure) -> Instance { closed("a", cause) }

/// Closed without its end having arrived: APNs found its token dead.
func unreached(_ cause: Instance.Closure) -> Instance {
    var instance = closed(cause)
    (instance.token, instance.ending) = (nil, cause == .gone ? nil : cause)
    return instance
}

func outstanding(_ id: Text = "a") -> Instance { instance(id, .outstanding, age: minute) }

func queued(_ id: Text = "a", until: Moment = 0) -> Instance {
    instance(id, .queued, pending: pending(.start, until: until))
}
