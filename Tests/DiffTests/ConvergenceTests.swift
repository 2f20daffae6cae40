import Diff
import JSON
import TestSeeds
import Testing
import Time

/// Whatever happens, in whatever order: plans lead to screens that show what the files say, and then to empty plans.
struct ConvergenceTests {
    /// A sequence of edits, device events and mishaps, and then a while in which everything works.
    ///
    /// Every seed is a sequence that can be had again; the numbers that once found a fault come first.
    @Test(arguments: [16, 336, 952, 3815] + Array(1000..<(runsLongProofs ? 11_000 : 1100)) as [UInt64])
    func everySequenceEndsInStep(_ seed: UInt64) { run(seed, World()) }

    /// The same, and the files name versions of a template that take different states.
    @Test(arguments: Array(0..<(runsLongProofs ? 10_000 : 100)) as [UInt64])
    func everySequenceWithTemplatesEndsInStep(_ seed: UInt64) {
        var world = World()
        world.usesTemplates = true
        run(seed, world)
    }

    private func run(_ seed: UInt64, _ world: World) {
        var random = SeededGenerator(seed: seed)
        var world = world
        let troubles = seed % 3
        for device in World.devices where Bool.random(using: &random) { world.register(device) }
        for _ in 0..<Int.random(in: 2...9, using: &random) {
            for _ in 0..<Int.random(in: 1...3, using: &random) { world.happen(&random) }
            world.ingest { _ in Int.random(in: 0..<3, using: &random) > 0 }
            let plan = world.plan
            world.apply(plan)
            expectNothingLeftToDecide(world, plan)
            world.send { world in
                world.time += .milliseconds(1)
                return .random(troubles, &random)
            }
            expectRest(world)
        }
        expectQuiet(&world)
        #expect(world.faults.isEmpty, "\(world.history)")
    }

    /// What is committed is not planned again before anything is sent.
    private func expectNothingLeftToDecide(_ world: World, _ plan: OwnerPlan) {
        let next = world.plan
        #expect(next.changes.isEmpty, "after \(plan.lines)")
        #expect(next.adjustments.isEmpty, "after \(plan.lines)")
        #expect(next.actions.allSatisfy { $0.write == .none }, "\(next.lines) after \(plan.lines)")
    }

    /// Where nothing is to be done, time alone changes nothing before it was said to.
    private func expectRest(_ world: World) {
        guard world.plan.isEmpty, let until = world.recorded.restsUntil() else { return }
        let moments: [Moment] = [
            world.time + minute, world.time + .hours(7), world.time + .hours(100), until - .milliseconds(1),
        ]
        for moment in moments where moment < until {
            var later = world
            later.time = moment
            #expect(later.plan.isEmpty, "\(later.plan.lines) \((moment - world.time).milliseconds) ms later")
        }
    }

    /// When every push is accepted and every report arrives, a few runs are enough, and the screens are right.
    private func expectQuiet(_ world: inout World) {
        var plans: [[String]] = []
        for _ in 0..<6 {
            world.pass(minute)
            world.ingest { _ in true }
            let plan = world.plan
            guard plan.hasChanges || !plan.adjustments.isEmpty else { break }
            plans.append(plan.lines)
            world.apply(plan)
            world.send { _ in .accepted }
        }
        expectRest(world)
        let rest = world.plan
        #expect(!rest.hasChanges && rest.adjustments.isEmpty, "still \(rest.lines) after \(plans)")
        #expect(rest.actions.allSatisfy { $0.status == .held || $0.status == .blocked }, "\(rest.lines)")
        for device in World.devices { expectRightScreen(device, world, rest) }
    }

    /// Holds what a device shows against the files.
    private func expectRightScreen(_ device: Text, _ world: World, _ rest: OwnerPlan) {
        guard let screen = world.screens[device] else { return }
        let recorded = world.recorded
        let message = "\(device) shows \(screen.tiles), held: \(rest.lines), \(world.history)"
        // A push that APNs refused for good is held and shown; the screen is as it was.
        let isHeld = rest.actions.contains { $0.device == device }
        guard !isHeld else { return }
        guard screen.user == "anna" else {
            #expect(screen.tiles.isEmpty, "\(message)")
            #expect(screen.widgets.isEmpty, "\(message)")
            return
        }
        let shown = Dictionary(uniqueKeysWithValues: world.declaredWidgets.map { ($0.name, $0.state) })
        if screen.widgetToken != nil { #expect(shown["Stats"] == nil || screen.widgets == shown, "\(message)") }
        guard let order = world.declared.first, order.end == nil else {
            let isDeclaredOnce = recorded.activities.contains { !$0.isRemoved }
            let ours = screen.tiles.filter { $0.launch != nil || isDeclaredOnce }
            #expect(ours.isEmpty, "\(message)")
            return
        }
        #expect(screen.tiles.count <= 1, "\(message)")
        if let tile = screen.tiles.first {
            #expect(tile.content == order.content, "\(message)")
            #expect(tile.attributes == nil || tile.attributes == order.attributes, "\(message)")
        } else if screen.startToken != nil {
            // Nothing is shown only where this life was closed.
            let life = recorded.activities.first?.life
            let causes = recorded.instances.compactMap { instance -> Instance.Closure? in
                guard instance.life == life, case .closed(let cause) = instance.phase else { return nil }
                return cause
            }
            #expect(!causes.filter { [.person, .declaredEnd, .expired, .gone].contains($0) }.isEmpty, "\(message)")
        }
    }
}

extension World.Outcome {
    /// Mostly accepted; how much goes wrong depends on the kind of run.
    fileprivate static func random(_ troubles: UInt64, _ random: inout SeededGenerator) -> Self {
        guard troubles > 0, Int.random(in: 0..<3, using: &random) == 0 else { return .accepted }
        let outcomes = Array(allCases.dropLast(troubles == 1 ? 1 : 0))
        return outcomes[Int.random(in: 0..<outcomes.count, using: &random)]
    }
}

extension World {
    /// One edit of the files, or one event on a device.
    fileprivate mutating func happen(_ random: inout SeededGenerator) {
        let device = Self.devices[Int.random(in: 0..<Self.devices.count, using: &random)]
        switch Int.random(in: 0..<(usesTemplates ? 23 : 20), using: &random) {
        case 20, 21, 22:
            let version = Version.allCases.randomElement(using: &random)
            edit { if let version, $0.versions.contains(version) { $0.template = version.rawValue } }
        case 0, 1, 2, 3: edit { $0.state = .integer(Int64.random(in: 1...3, using: &random)) }
        case 4: edit { $0.alert = .integer(Int64.random(in: 1...3, using: &random)) }
        case 5: edit { $0.attributes = ["id": .integer(Int64.random(in: 1...2, using: &random))] }
        case 6: edit { $0.generation = Text("\(Int.random(in: 1...4, using: &random))") }
        case 7: edit { $0.end = $0.end == nil ? over(9) : nil }
        case 8, 9: if declared.isEmpty { declared = [activity()] } else { declared = [] }
        case 10, 11: declaredWidgets = [widget("Stats", .integer(Int64.random(in: 1...3, using: &random)))]
        case 12: declaredWidgets = []
        case 13, 14: register(device)
        case 15: dismiss(device)
        case 16: signIn(screens[device]?.user == "anna" ? "ben" : "anna", on: device)
        case 17: signIn("anna", on: device)
        case 18: if screens[device]?.user == "anna" { startInApp("order", on: device) }
        default: pass(.minutes(5 * Int64.random(in: 1...60, using: &random)))
        }
    }

    private mutating func edit(_ body: (inout ActivityDeclaration) -> Void) {
        if declared.isEmpty { declared = [activity()] }
        body(&declared[0])
        // A file whose state its own template does not take is an error, and nothing is planned.
        guard usesTemplates, let name = declared[0].template else { return }
        let versions = declared[0].versions
        if !versions.contains(where: { $0.rawValue == name }) { declared[0].template = versions.first?.rawValue }
    }
}

extension OwnerPlan {
    /// True where apply now would commit a declared state or send.
    var hasChanges: Bool { !changes.isEmpty || actions.contains { $0.status == .send } }
}
