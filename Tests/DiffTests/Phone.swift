import Diff
import JSON
import Testing
import Time

/// One device of one app that takes reports one after the other, with the parts of a ledger that they look at.
struct Phone {
    let id: Text
    var record = DeviceRecord()
    /// What the reports added to the log.
    private(set) var history: [HistoryEntry] = []
    /// The pushes that reports settled or sent elsewhere.
    private(set) var deliveries: [RowChange<Delivery>] = []
    /// When tokens were found dead.
    var deadTokens: [Text: Moment] = [:]
    /// When the tokens were reported with which another device's widgets are registered.
    var tokensElsewhere: [Text: Moment] = [:]
    /// Whom anonymous ids stand for.
    var aliases: [Text: Text] = [:]
    /// Which life of its activity was committed last.
    var declared: DeclaredLife?
    /// When reports are taken in.
    var time = now
    /// What was paused or revoked.
    var scopes = Scopes()
    private var minted = 0

    init(_ id: Text = "phone") {
        self.id = id
    }

    /// Puts a launch of Lockstep's on the device.
    mutating func hold(_ instance: Instance, of subscriber: Text = "anna") {
        record.instances.append(DeviceInstance(subscriber: subscriber, instance: instance))
    }

    mutating func take(_ report: Report) {
        minted += 1
        let suffix = id == "phone" ? "" : "-" + id.string
        var context = ReportContext(
            subscriber: aliases[report.subscriber] ?? report.subscriber,
            declared: declared,
            scopes: scopes,
            fresh: FreshIDs(
                widgets: WidgetsID(Text("wgt_\(minted)\(suffix)")),
                startTarget: StartTargetID(Text("stt_\(minted)\(suffix)")),
                target: TargetID(Text("new\(minted)\(suffix)"))
            ),
            now: time
        )
        switch report.event {
        case .identified(let anonymous): context.anonymousIs = aliases[anonymous] ?? anonymous
        case .widgetsRegistered(let token, _, _, _), .startRegistered(_, let token, _, _, _, _),
            .activityRegistered(_, _, let token, _, _, _, _):
            context.tokenDeadAt = deadTokens[token]
            if let at = tokensElsewhere[token] { context.holders.registrations = [holder(of: token, at)] }
        default: break
        }
        do {
            let transition = try record.applied(report, context)
            record = transition.record
            history += transition.history
            deliveries += transition.deliveries
            for alias in transition.aliases { aliases[alias.anonymous] = alias.person }
            for change in transition.registrations { tokensElsewhere[change.before?.row.token ?? ""] = nil }
        } catch {
            Issue.record(error)
        }
    }

    private func holder(of token: Text, _ at: Moment) -> OnDevice<WidgetRegistration> {
        let row = WidgetRegistration(
            id: WidgetsID("wgt_other"),
            token: token,
            environment: .production,
            kinds: ["Stats"],
            os: nil,
            at: at
        )
        return OnDevice(app: "app", device: "other", subscriber: "ben", row: row)
    }

    /// The log, a line for each entry: `closed: closed on device phone: person`.
    var log: [String] { history.map(\.line) }

    /// What is recorded, a line for each thing: `owner anna`, `widgets aa Stats`, `start Delivery bb`, `a running`.
    var lines: [String] {
        var lines = ["owner \(record.owner?.string ?? "-")"]
        if let widgets = record.widgets {
            let kinds = widgets.kinds.map(\.string).joined(separator: ",")
            lines.append(
                "widgets \(widgets.token?.string ?? "-") \(kinds)\(widgets.owesReload ? " owes a reload" : "")"
            )
        }
        for target in record.startTargets {
            lines.append("start \(target.attributesType) \(target.token?.string ?? "-")")
        }
        for entry in record.instances {
            let ending = entry.instance.phase.isOpen ? entry.instance.ending.map { " ending \($0.rawValue)" } : nil
            lines.append("\(entry.instance.id) of \(entry.subscriber) \(entry.instance.phase.words)\(ending ?? "")")
        }
        return lines
    }
}

extension Instance.Phase {
    fileprivate var words: String {
        if case .closed(let cause) = self { "closed \(cause.rawValue)" } else { "\(self)" }
    }
}

extension HistoryEntry {
    /// `closed: closed on device phone: person`.
    var line: String {
        switch self {
        case .event(let event): "\(event.kind): \(event.text)"
        case .resolution(let resolution): "\(resolution.event.kind): \(resolution.event.text)"
        }
    }
}

// MARK: - Reports

/// A report of `anna`'s phone, received at a moment.
func report(
    _ at: Moment,
    _ event: Report.Event,
    by subscriber: Text = "anna",
    from device: Text = "phone"
) -> Report {
    Report(app: "app", subscriber: subscriber, device: device, at: at, event: event)
}

func hasWidgets(_ token: Text, _ kinds: [Text] = ["Stats"], in environment: PushEnvironment = .production)
    -> Report.Event
{
    .widgetsRegistered(token: token, environment: environment, kinds: kinds, os: OSVersion(26))
}

func canStart(_ token: Text, _ type: Text = "Delivery", in environment: PushEnvironment = .production) -> Report.Event {
    .startRegistered(
        attributesType: type,
        token: token,
        environment: environment,
        os: OSVersion(18),
        frequentPushes: nil,
        templates: nil
    )
}

/// An activity that runs: of a launch, or started by the app under a name.
func runs(_ activityID: Text, launch: Text? = nil, name: Text? = nil, token: Text = "cc") -> Report.Event {
    .activityRegistered(
        activityID: activityID,
        attributesType: "Delivery",
        token: token,
        environment: .production,
        os: OSVersion(18),
        launch: launch.map { LaunchID($0) },
        name: name
    )
}

func isOver(_ activityID: Text? = nil, launch: Text? = nil, dismissed: Bool = false) -> Report.Event {
    .activityClosed(activityID: activityID, launch: launch.map { LaunchID($0) }, dismissed: dismissed)
}
