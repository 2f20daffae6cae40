import Diff
import JSON
import Testing
import Time

/// What `status` says of what can be written to.
@Suite struct StatusTests {
    // MARK: - Instances

    /// An instance, what is paused or revoked, and its status.
    struct InstanceCase: Sendable, CustomTestStringConvertible {
        let instance: Instance
        let scopes: Scopes
        let words: String

        var testDescription: String { "\(instance.phase) \(words)" }

        init(_ instance: Instance, _ scopes: Scopes = Scopes(), is words: String) {
            (self.instance, self.scopes, self.words) = (instance, scopes, words)
        }
    }

    static let order = ScopeSubject.activity(anna, name: "order", device: "phone")
    static let paused = Scopes([.subscriber("anna"): Scope(isPaused: true)])
    static let revoked = Scopes([order: Scope(number: 3, isRevoked: true)])
    static let reopened = Scopes([order: Scope(number: 2, openedAt: now)])

    static let instances: [InstanceCase] = [
        InstanceCase(running(), is: "ready"),
        InstanceCase(running(), paused, is: "disabled paused"),
        InstanceCase(running(), revoked, is: "disabled revoked"),
        // It needs no report of its own after a reauthorization.
        InstanceCase(running(), reopened, is: "ready"),
        InstanceCase(running(ending: .removal), is: "disabled ending"),
        InstanceCase(running(ending: .removal), paused, is: "disabled ending"),
        InstanceCase(withoutToken(running()), is: "notConfigured"),
        InstanceCase(withoutToken(running()), paused, is: "disabled paused"),
        InstanceCase(queued(), is: "pending queued"),
        InstanceCase(queued(), paused, is: "disabled paused"),
        InstanceCase(outstanding(), is: "pending outstanding"),
        InstanceCase(instance("a", .unconfirmed), is: "pending unconfirmed"),
        InstanceCase(closed(.person), is: "disabled person"),
        InstanceCase(closed(.declaredEnd), paused, is: "disabled declared_end"),
        InstanceCase(instance("a", .failed), is: "disabled failed"),
        InstanceCase(instance("a", .cancelled), revoked, is: "disabled cancelled"),
    ]

    @Test(arguments: instances)
    func anInstanceIsReadyWhileItRunsUnderAnOpenScope(_ row: InstanceCase) throws {
        let status = try #require(view([row.instance], row.scopes).instances.first?.status)
        #expect(status.words == row.words)
        #expect(status.scope == row.scopes[Self.order].number)
    }

    private static func withoutToken(_ instance: Instance) -> Instance {
        var instance = instance
        instance.token = nil
        return instance
    }

    // MARK: - Registrations

    /// A start target, what is paused or revoked, whether a start can reach it, and its status.
    static let targets: [(StartTarget, Scopes, canStart: Bool, String)] = [
        (target(), Scopes(), true, "ready"),
        (target(os: nil), Scopes(), true, "ready"),
        (target(os: OSVersion(17, 1)), Scopes(), false, "ready"),
        (target(token: nil), Scopes(), false, "notConfigured"),
        (target(), paused, true, "disabled paused"),
        (target(token: nil), paused, false, "disabled paused"),
        (target(), Scopes([.startTarget(target().id): Scope(number: 2, openedAt: now)]), true, "pending reauthorized"),
        (target(at: now + minute), Scopes([.startTarget(target().id): Scope(openedAt: now)]), true, "ready"),
    ]

    @Test(arguments: targets)
    func aStartTargetIsReadyWhileItsTokenLives(
        _ target: StartTarget,
        _ scopes: Scopes,
        _ canStart: Bool,
        _ words: String
    ) throws {
        let status = try #require(view([device("phone", target)], scopes).devices.first?.startTargets.first)
        #expect(status.status.words == words)
        #expect(status.canStart == canStart)
    }

    @Test func aStartTargetWhoseLaunchesAreMissedIsPending() throws {
        let missed = (1...3).map { instance(Text("\($0)"), .unconfirmed, sequence: Int64($0)) }
        let status = try #require(view([device("phone")] + missed).devices.first?.startTargets.first?.status)
        #expect(status.words == "pending unconfirmed")
    }

    /// The registrations of a phone, and the status of the widget `Stats`.
    static let widgetCases: [(WidgetRegistration?, Scopes, String)] = [
        (nil, Scopes(), "notConfigured"),
        (widgets(["Stats"]), Scopes(), "ready"),
        (widgets(["Other"]), Scopes(), "notConfigured"),
        (widgets(["Stats"], token: nil), Scopes(), "notConfigured"),
        (widgets(["Stats"]), paused, "disabled paused"),
        (nil, paused, "disabled paused"),
        (widgets(["Stats"]), Scopes([.widget(anna, name: "Stats"): Scope(openedAt: now)]), "pending reauthorized"),
        (nil, Scopes([.widget(anna, name: "Stats"): Scope(openedAt: now)]), "notConfigured"),
    ]

    @Test(arguments: widgetCases)
    func aWidgetIsReadyWhereADeviceListsIt(
        _ registration: WidgetRegistration?,
        _ scopes: Scopes,
        _ words: String
    ) throws {
        let records: [any Record] = [committed(widget("Stats")), device("phone", widgets: registration)]
        #expect(try #require(view(records, scopes).widgets.first).status.words == words)
    }

    /// A registration, and whether a reload can reach it.
    static let registrations: [(WidgetRegistration, Bool)] = [
        (widgets(["Stats"]), true), (widgets(["Stats"], os: nil), true), (widgets(["Stats"], os: OSVersion(18)), false),
        (widgets(["Stats"], token: nil), false),
    ]

    @Test(arguments: registrations)
    func aReloadReachesWhatHasATokenAndASystemForIt(_ registration: WidgetRegistration, _ canReload: Bool) throws {
        let status = try #require(view([device("phone", widgets: registration)]).devices.first?.widgets)
        #expect(status.canReload == canReload)
    }

    // MARK: - Masks

    @Test func whatIsSensitiveIsInNoView() throws {
        let masks = Masks(PointerRules([.init(.all, try #require(Pointer("/state/pin")))]))
        let secret: Value = ["pin": "s3cret", "n": 1]
        let content = ActivityContent(state: secret, alert: ["title": "shown"])
        var push = pending(.update)
        push.content = content.value
        let tile = running(shows: content, pending: push)
        let declared = activity("order", secret, attributes: secret, end: over(secret))
        let records = recorded([
            committed(widget("Stats", secret)), committed(declared), tile,
            device("phone", widgets: widgets(["Stats"], token: "0123456789abcdef")),
        ])
        let context = StatusContext(scopes: Scopes(), masks: masks, now: now)
        let status = context.status(of: records)
        #expect(status.widgets.first?.state == ["pin": "***", "n": 1])
        #expect(status.activities.first?.state == ["pin": "***", "n": 1])
        #expect(status.instances.first?.shown == ["state": ["pin": "***", "n": 1], "alert": ["title": "shown"]])
        let views = [
            StatusView.subscriber([status]), context.view(of: .instance(Owned(anna, tile), [push])),
            context.view(of: .delivery(push)), context.view(of: .widget(records.widgets[0], records)),
        ]
        let dump = "\(views)"
        #expect(!dump.contains("s3cret"))
        #expect(!dump.contains("0123456789abcdef"))
        #expect(dump.contains("01234567…"))
    }

    // MARK: - By id

    @Test func anOperationIsWhereItsPushesAre() {
        let operation = Operation(
            id: OperationID("op_1"),
            kind: .reload,
            owner: anna,
            run: RunID("run_1"),
            step: 1,
            createdAt: now
        )
        let deliveries = [pending(.reload, .accepted), pending(.reload, .unknown), pending(.reload, .failed)]
        let context = StatusContext(scopes: Scopes(), masks: Masks(), now: now)
        guard case .operation(_, let status, let views) = context.view(of: .operation(operation, deliveries)) else {
            Issue.record("no operation")
            return
        }
        #expect(status == .unknown)
        #expect(views.map(\.delivery) == deliveries)
    }

    private func view(_ records: [any Record], _ scopes: Scopes = Scopes()) -> OwnerStatus {
        StatusContext(scopes: scopes, masks: Masks(), now: now).status(of: recorded(records))
    }
}

extension TargetStatus {
    /// `ready`, or `disabled paused`.
    fileprivate var words: String {
        [standing.word, standing.reason].compactMap(\.self?.string).joined(separator: " ")
    }
}
