import Diff
import JSON
import Ledger
import Testing
import Time

// MARK: - Sending

extension StoreConformance {
    private static let production = LaneName(app: Town.courier, environment: .production)
    private static let sandbox = LaneName(app: Town.tram, environment: .sandbox)

    @Test(arguments: Kind.all) func lanesAreThoseOfWhatIsDue(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        let production = DueLane(Self.production, count: 3)
        #expect(try ledger.lanes(at: Town.noon) == [production])
        #expect(try ledger.lanes(at: Town.noon + .minutes(10)) == [production, DueLane(Self.sandbox, count: 1)])
    }

    @Test(arguments: Kind.all) func pushesComeInTheOrderOfSending(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        let due = try ledger.due(Self.production, after: .start, at: Town.noon, limit: 100)
        // What is being sent is not due, and neither is what is settled.
        #expect(due.map(\.delivery) == [Town.updateOfOrder, Town.startOfOrder, Town.reloadOfPhone])
        #expect(due.map(\.name) == ["order", "order", nil])
        #expect(try ledger.due(Self.sandbox, after: .start, at: Town.noon, limit: 100).isEmpty)
        let later = try ledger.due(Self.sandbox, after: .start, at: Town.noon + .minutes(10), limit: 100)
        #expect(later == [DueDelivery(delivery: Town.reloadOfTram, name: nil)])
        let other = LaneName(app: Town.courier, environment: .sandbox)
        #expect(try ledger.due(other, after: .start, at: Town.noon, limit: 9).isEmpty)
    }

    @Test(arguments: Kind.all) func whatIsDueIsTakenInBatches(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        for limit in 1...4 {
            var found: [Delivery] = []
            while true {
                let place = found.last?.place ?? .start
                let batch = try ledger.due(Self.production, after: place, at: Town.noon, limit: limit).map(\.delivery)
                #expect(batch.count == min(limit, 3 - found.count))
                guard !batch.isEmpty else { break }
                found += batch
            }
            #expect(found == [Town.updateOfOrder, Town.startOfOrder, Town.reloadOfPhone])
        }
    }

    /// Rank, then step, then the order of queueing.
    @Test(arguments: Kind.all) func rankGoesBeforeStepAndStepBeforeNumber(kind: Kind) throws {
        let bench = try Bench(kind)
        func push(_ end: String, rank: Int64, step: Int64) -> Delivery {
            var push = Town.push(end, of: "E2", .reload, Town.anna, on: "anna-phone", .queued, rank: rank, over: nil)
            push.registration = Town.phoneWidgets.row.id.text
            push.step = Step(step)
            return push
        }
        // One that comes before because it was queued before, one of an earlier step, one of a lower rank.
        let pushes = [
            push("F9", rank: 1, step: 9), push("F4", rank: 2, step: 3), push("F1", rank: 2, step: 8),
            push("F2", rank: 2, step: 8), push("F3", rank: 2, step: 8), push("F0", rank: 5, step: 2),
        ]
        try bench.write { changes in
            changes.runs = new(Town.run)
            changes.devices = new(Town.phone)
            changes.registrations = new(Town.phoneWidgets)
        }
        try bench.write { changes in
            changes.operations = [Town.operations[1]]
            // Nothing but numbers orders those of one step.
            changes.deliveries = new(pushes[5], pushes[2], pushes[3], pushes[4], pushes[1], pushes[0])
        }
        let due = try bench.ledger.due(Self.production, after: .start, at: Town.noon, limit: 100)
        #expect(due.map(\.delivery.id) == pushes.map(\.id))
        for (place, push) in pushes.enumerated() {
            let rest = try bench.ledger.due(Self.production, after: push.place, at: Town.noon, limit: 100)
            #expect(rest.map(\.delivery.id) == pushes[(place + 1)...].map(\.id))
        }
        let unbooked = try bench.ledger.unbooked(on: Town.day, after: .start, limit: 100)
        #expect(unbooked.map(\.id) == pushes.map(\.id))
    }

    @Test(arguments: Kind.all) func someDeliveriesAreAskedWhetherTheyAreDue(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        let ids = [Town.reloadOfTram, Town.startOfBertsOrder, Town.startOfOrder, Town.reloadOfBerts].map(\.id)
        let due = try ledger.due(ids + [DeliveryID("dlv_none")])
        // The time at which one may be sent does not count here.
        #expect(due.map(\.delivery) == [Town.reloadOfTram, Town.startOfOrder])
        #expect(due.map(\.name) == [nil, "order"])
    }

    @Test(arguments: Kind.all) func aPushHasTheNameThatItsInstanceHasNow(kind: Kind) throws {
        let bench = try Bench.town(kind)
        try bench.write { $0.instances = [change(Town.annasQueued) { $0.row.name = "another" }] }
        #expect(try bench.ledger.due([Town.startOfOrder.id]).map(\.name) == ["another"])
        let due = try bench.ledger.due(Self.production, after: .start, at: Town.noon, limit: 9)
        #expect(due.map(\.name) == ["order", "another", nil])
        #expect(try bench.ledger.instances(.declaration(Town.anna, name: "order", device: "anna-phone")).isEmpty)
    }

    @Test(arguments: Kind.all) func whatHoldsNoCapacityIsFound(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        // What costs nothing needs no capacity; what was sent has what it had.
        let waiting = [Town.startOfOrder, Town.reloadOfPhone]
        #expect(try ledger.unbooked(on: Town.day, after: .start, limit: 100) == waiting)
        #expect(try ledger.unbooked(on: Town.day, after: .start, limit: 1) == [Town.startOfOrder])
        #expect(try ledger.unbooked(on: Town.day, after: Town.startOfOrder.place, limit: 9) == [Town.reloadOfPhone])
        #expect(try ledger.unbooked(on: Town.day, after: Town.reloadOfPhone.place, limit: 9).isEmpty)
    }

    @Test(arguments: Kind.all) func bookedFollowsEachMove(kind: Kind) throws {
        let bench = try Bench.town(kind)
        #expect(
            try bench.ledger.booked(on: Town.day) == [.unknown: 2, .dispatching: 1, .accepted: 1]
        )
        var pushes = Town.pushes
        func move(_ place: Int, _ body: (inout Delivery) -> Void) throws {
            let change = change(pushes[place], body)
            try bench.write { $0.deliveries = [change] }
            pushes[place] = try #require(change.after)
            // The tally is what counting gives.
            for day in [Town.day, UTCDay(Town.day.number + 1)] {
                let booked = try pushes.flatMap { try bench.ledger.deliveries(.id($0.id)) }.filter {
                    $0.quotaDay == day
                }
                let counted = Dictionary(grouping: booked, by: \.status).mapValues(\.count)
                #expect(try bench.ledger.booked(on: day).filter { $0.value != 0 } == counted)
            }
        }
        let tomorrow = UTCDay(Town.day.number + 1)
        try move(0) { $0.quotaDay = Town.day }
        try move(0) { $0.quotaDay = tomorrow }
        try move(0) { $0.state = .dispatching(again: true) }
        try move(0) { $0.state = .accepted }
        try move(1) { ($0.quotaDay, $0.state) = (tomorrow, .cancelled) }
        try move(3) { $0.state = .queued }
        try move(3) { $0.quotaDay = nil }
        try move(2) { $0.state = .lost }
        try move(5) { $0.state = .accepted }
        #expect(try bench.ledger.booked(on: Town.day).filter { $0.value != 0 } == [.unknown: 1, .accepted: 2])
        #expect(try bench.ledger.booked(on: tomorrow).filter { $0.value != 0 } == [.accepted: 1, .cancelled: 1])
    }

    @Test(arguments: Kind.all) func openInstancesFollowThePhasesAndTheTime(kind: Kind) throws {
        let bench = try Bench.town(kind)
        // Anna's on her pad, and Bert's that was sent; his other one is too old.
        #expect(try bench.ledger.openInstances(at: Town.noon) == 2)
        // Anna's is too old by then. What was not reported has no age.
        #expect(try bench.ledger.openInstances(at: Town.noon + .hours(7)) == 1)
        #expect(try bench.ledger.openInstances(at: Town.noon - .hours(2)) == 3)
        try bench.write { changes in
            changes.instances = [
                change(Town.annasQueued) { $0.row.phase = .outstanding },
                change(Town.bertsOutstanding) { $0.row.phase = .unconfirmed },
                change(Town.annasRunning) { $0.row.phase = .closed(.declaredEnd) },
            ]
        }
        #expect(try bench.ledger.openInstances(at: Town.noon) == 2)
        try bench.write { $0.instances = [change(Town.elansFailed) { $0.row.phase = .outstanding }] }
        #expect(try bench.ledger.openInstances(at: Town.noon) == 3)
    }
}
