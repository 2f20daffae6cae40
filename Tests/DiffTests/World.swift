import Diff
import JSON
import Time

/// Anna's two devices, the files, and a ledger in miniature.
///
/// It does what Commit, pushes and device reports do, in values only. What the screens show is kept apart from what the ledger believes, so that one can be held against the
/// other.
struct World {
    /// An activity as a device shows it.
    struct Tile: Hashable {
        var activityID: Text
        var launch: LaunchID?
        var name: Text?
        var token: Text
        /// What it shows; `nil` where the app chose it itself.
        var content: ActivityContent?
        var attributes: Value?
        var startedAt: Moment
    }

    /// A device as it really is.
    struct Screen {
        /// Who is signed in.
        var user: Text = "anna"
        var startToken: Text?
        var widgetToken: Text?
        var tiles: [Tile] = []
        /// What the widget fetched last, and whose it was.
        var widgets: [Text: Value] = [:]
    }

    /// What becomes of one push.
    enum Outcome: CaseIterable {
        case accepted
        /// It arrived and its answer was lost.
        case unknownArrived
        /// It was lost on the way.
        case unknownLost
        /// Certainly not processed: it goes back to the queue.
        case requeued
        case rejected
    }

    static let devices: [Text] = ["pad", "phone"]

    var time = now
    var declared: [ActivityDeclaration] = []
    var declaredWidgets: [WidgetDeclaration] = []
    /// Whether edits name templates.
    var usesTemplates = false
    var screens: [Text: Screen] = [:]
    /// Reports that were received and not taken in yet.
    var waiting: [Report] = []
    /// Every push that was dispatched, in words, for the message of a failure.
    var history: [String] = []
    /// What went wrong, if anything did.
    var faults: [String] = []

    var phones: [Text: Phone] = [:]
    var widgets: [RecordedWidget] = []
    var activities: [RecordedActivity] = []
    var step = Step.zero
    var minted = 0

    init() {
        for device in Self.devices {
            phones[device] = Phone(device)
            screens[device] = Screen()
        }
    }

    mutating func mint(_ prefix: String) -> Text {
        minted += 1
        return Text("\(prefix)\(minted)")
    }

    // MARK: - The ledger

    /// What the ledger holds of Anna.
    var recorded: Recorded {
        var devices: [Device] = []
        var instances: [Instance] = []
        for id in Self.devices {
            guard let record = phones[id]?.record else { continue }
            instances += record.instances.filter { $0.subscriber == "anna" }.map(\.instance)
            guard record.owner == "anna", record.widgets != nil || !record.startTargets.isEmpty else { continue }
            devices.append(Device(id: id, widgets: record.widgets, startTargets: record.startTargets))
        }
        return Recorded(
            owner: anna,
            widgets: widgets,
            activities: activities,
            devices: devices,
            instances: instances.sorted { ($0.name, $0.sequence, $0.id) < ($1.name, $1.sequence, $1.id) }
        )
    }

    var plan: OwnerPlan {
        var recorded = recorded
        for (index, instance) in recorded.instances.enumerated() {
            guard let order = declared.first(where: { $0.name == instance.name }) else { continue }
            recorded.instances[index].isMismatched = !instance.takes(order)
        }
        return OwnerPlan(
            desired: desired((declared as [any Declared]) + declaredWidgets),
            recorded: recorded,
            context: DiffContext(now: time, environments: ["app": [.production]])
        )
    }

    mutating func change(_ id: TargetID, _ body: (inout Instance) -> Void) {
        for device in Self.devices {
            guard let index = phones[device]?.record.instances.firstIndex(where: { $0.instance.id == id }) else {
                continue
            }
            if var instance = phones[device]?.record.instances[index].instance {
                body(&instance)
                phones[device]?.record.instances[index].instance = instance
            }
        }
    }

    mutating func changeWidgets(_ device: Text, _ body: (inout WidgetRegistration) -> Void) {
        guard var registration = phones[device]?.record.widgets else { return }
        body(&registration)
        phones[device]?.record.widgets = registration
    }

    // MARK: - Commit

    /// Writes what a plan decided.
    mutating func apply(_ plan: OwnerPlan) {
        step.number += 1
        let before = recorded
        for change in plan.changes { apply(change) }
        for adjustment in plan.adjustments { apply(adjustment) }
        for action in plan.actions { apply(action, before) }
    }

    private mutating func apply(_ change: Change) {
        switch change {
        case .widget(let declaration, let before):
            let record = widgets.first { $0.declaration.name == declaration.name }
            let isVisible = before?.state != declaration.state || before?.reload != declaration.reload
            var changed = record ?? committed(declaration, step: step, at: time)
            changed.declaration = declaration
            if isVisible { (changed.changedStep, changed.changedAt) = (step, time) }
            widgets.removeAll { $0.declaration.name == declaration.name }
            widgets.append(changed)
            widgets.sort { $0.declaration.name < $1.declaration.name }
        case .widgetRemoved(let declaration):
            widgets.removeAll { $0.declaration.name == declaration.name }
        case .activity(let declaration, let life, _):
            activities.removeAll { $0.declaration.name == declaration.name }
            activities.append(committed(declaration, life: life))
            activities.sort { $0.declaration.name < $1.declaration.name }
            for instance in recorded.instances where instance.name == declaration.name && instance.phase.isOpen {
                self.change(instance.id) { $0.revision += 1 }
            }
        case .activityRemoved(let declaration):
            guard let index = activities.firstIndex(where: { $0.declaration.name == declaration.name }) else { return }
            activities[index].isRemoved = true
        }
    }

    private mutating func apply(_ adjustment: Adjustment) {
        switch adjustment {
        case .cancelLaunch(let id): change(id) { ($0.phase, $0.pending) = (.cancelled, []) }
        case .miss(let id): change(id) { $0.phase = .unconfirmed }
        case .expire(let delivery): expire(delivery)
        case .cancelUpdate(let id, let delivery): change(id) { $0.pending.removeAll { $0.id == delivery } }
        case .withdrawEnd(let id, let life):
            change(id) { instance in
                instance.ending = nil
                instance.life = life
                instance.pending.removeAll { $0.kind == .end }
            }
        case .close(let id, let cause): change(id) { ($0.phase, $0.pending) = (.closed(cause), []) }
        case .adopt(let id, let attributes, let template):
            change(id) { ($0.attributes, $0.template) = (attributes, template) }
        }
    }

    private mutating func expire(_ delivery: DeliveryID) {
        for device in Self.devices { changeWidgets(device) { if $0.pending?.id == delivery { $0.pending = nil } } }
        for instance in recorded.instances {
            guard let pending = instance.pending.first(where: { $0.id == delivery }) else { continue }
            change(instance.id) { instance in
                instance.pending.removeAll { $0.id == delivery }
                if pending.kind == .start { instance.phase = .cancelled }
                if pending.kind == .update, pending.status == .unknown { instance.shown = nil }
            }
        }
    }

    private mutating func apply(_ action: Action, _ before: Recorded) {
        let delivery = Pending(
            id: DeliveryID(mint("dlv")),
            kind: action.kind,
            status: .queued,
            since: time,
            expiresAfter: action.expiresAfter,
            revision: step.number
        )
        switch action.write {
        case .none: break
        case .reload: changeWidgets(action.device) { $0.pending = delivery }
        case .launch(_, let replaced): launch(action, delivery, replacing: replaced, before)
        case .update(let id, let superseded):
            guard let instance = before.instances.first(where: { $0.id == id }) else { return }
            if instance.phase != .running { faults.append("updates \(id), which is \(instance.phase)") }
            let isWithdrawn = recorded.instances.contains { $0.id == id && $0.ending == nil }
            if !isWithdrawn { faults.append("updates \(id), which is ending") }
            change(id) { instance in
                instance.pending.removeAll { $0.id == superseded }
                instance.pending.append(delivery)
            }
        case .end(let id, let cause):
            if recorded.instances.contains(where: { $0.id == id && $0.pending(.end) != nil }) {
                faults.append("ends \(id) twice")
            }
            change(id) { instance in
                instance.ending = instance.ending ?? cause
                instance.pending.removeAll { $0.kind == .update }
                instance.pending.append(delivery)
            }
        }
    }

    private mutating func launch(
        _ action: Action,
        _ delivery: Pending,
        replacing replaced: TargetID?,
        _ before: Recorded
    ) {
        guard let name = action.name, let record = activities.first(where: { $0.declaration.name == name }) else {
            return
        }
        let here = recorded.instances.filter { $0.device == action.device && $0.name == name && $0.phase.isOpen }
        for open in here where open.id != replaced {
            // Duplicates of what is replaced may be ending; nothing else may be there.
            if open.phase == .unconfirmed { continue }
            if open.phase != .running || open.ending == nil {
                faults.append("starts \(name) beside \(open.id), \(open.phase)")
            }
        }
        let id = mint("tgt")
        phones[action.device]?.hold(
            Instance(
                id: TargetID(id),
                launch: LaunchID(Text("lrq_" + id.string)),
                name: name,
                device: action.device,
                origin: .remote,
                attributesType: record.declaration.attributesType,
                attributes: record.declaration.attributes,
                template: record.declaration.template,
                life: record.life,
                sequence: Int64(minted),
                replaces: replaced,
                phase: .queued,
                os: OSVersion(18),
                pending: [delivery]
            )
        )
    }
}

// MARK: - Templates

/// The versions of a template in these tests: one takes odd states, one the others, and none takes any.
enum Version: Text, CaseIterable {
    case odd = "order@1"
    case even = "order@2"

    func takes(_ state: Value) -> Bool { (state.integer ?? 0) % 2 == (self == .odd ? 1 : 0) }
}

extension Instance {
    /// Whether the version that it was started with takes what is declared; its own declared version does.
    func takes(_ order: ActivityDeclaration) -> Bool {
        guard template != order.template, let version = template.flatMap(Version.init) else { return true }
        return version.takes(order.end.map { $0.state ?? order.state } ?? order.state)
    }
}

extension ActivityDeclaration {
    /// The versions that a file which declares this can name.
    var versions: [Version] {
        Version.allCases.filter { $0.takes(state) && $0.takes(end?.state ?? state) }
    }
}
