import Diff
import JSON
import Time

/// Anna's two devices, the files, and a ledger in miniature.
///
/// Plans are committed and pushes are sent as apply does it. What the screens show is kept apart from what the ledger
/// believes, so that one can be held against the other.
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
    private var ids = IdentifierSupply(at: now, entropy: [])
    private var sequence: Int64 = 0
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

    /// What the files declare.
    private var declarations: Desired? { desired((declared as [any Declared]) + declaredWidgets) }

    var plan: OwnerPlan {
        var recorded = recorded
        for (index, instance) in recorded.instances.enumerated() {
            guard let order = declared.first(where: { $0.name == instance.name }) else { continue }
            recorded.instances[index].isMismatched = !instance.takes(order)
        }
        return OwnerPlan(
            desired: declarations,
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
        step = Step(step.number + 1)
        var context = StepContext(
            step: step,
            run: RunID("run"),
            now: time,
            clock: ConfirmedTime(time),
            ids: ids,
            sequence: sequence
        )
        var transition = Transition(recorded)
        do { _ = try PlanCommit(of: plan, declarations).write(to: &transition, in: &context) } catch {
            faults.append("\(error)")
        }
        (ids, sequence) = (context.ids, context.sequence)
        for action in plan.actions { check(action, transition.record) }
        keep(transition.record)
    }

    /// Puts a record back to where it is kept.
    mutating func keep(_ record: Recorded) {
        (widgets, activities) = (record.widgets, record.activities)
        for instance in record.instances {
            if recorded.instances.contains(where: { $0.id == instance.id }) {
                change(instance.id) { $0 = instance }
            } else {
                phones[instance.device]?.hold(instance)
            }
        }
        for device in record.devices {
            changeWidgets(device.id) { $0 = device.widgets ?? $0 }
            phones[device.id]?.record.startTargets = device.startTargets
        }
    }

    /// Notes what no plan may do.
    private mutating func check(_ action: Action, _ after: Recorded) {
        switch action.write {
        case .none, .reload: break
        case .launch(_, let replaced):
            // Duplicates of what is replaced may be ending, and what was not confirmed stays; nothing else may be there.
            for open in after.instances
            where open.device == action.device && open.name == action.name && open.phase.isOpen && open.id != replaced {
                if open.phase == .queued || open.phase == .unconfirmed { continue }
                guard open.phase != .running || open.ending == nil else { continue }
                faults.append("starts \(open.name) beside \(open.id), \(open.phase)")
            }
            let queued = after.instances.count {
                $0.device == action.device && $0.name == action.name && $0.phase == .queued
            }
            if queued > 1 { faults.append("starts \(action.name ?? "") \(queued) times") }
        case .update(let id, _):
            guard let instance = after.instances.first(where: { $0.id == id }) else { return }
            if instance.phase != .running { faults.append("updates \(id), which is \(instance.phase)") }
            if instance.ending != nil { faults.append("updates \(id), which is ending") }
        case .end(let id, _):
            let ends = after.instances.first { $0.id == id }?.pending.count { $0.kind == .end } ?? 0
            if ends > 1 { faults.append("ends \(id) twice") }
        }
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
