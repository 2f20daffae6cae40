import Diff
import JSON
import Ledger
import TestDeclarations
import Testing
import Time

// MARK: - Writing, table by table

extension StoreConformance {
    @Test(arguments: Kind.all) func aWidgetIsChangedMovedAndDeleted(kind: Kind) throws {
        let bench = try Bench.town(kind)
        var next = Town.annasStats
        next.row.declaration.state = ["n": 2, "s": "\u{E9}"]
        (next.row.revision, next.row.changedStep, next.row.changedAt) = (2, Step(5), Town.noon + .seconds(1))
        try bench.write { $0.widgets = [RowChange(before: Town.annasStats, after: next), gone(Town.annasMap)] }
        #expect(try bench.ledger.widgets(.owner(Town.anna)) == [next])
        #expect(try bench.ledger.widgets(.id(Town.annasMap.row.id)).isEmpty)
        #expect(try bench.ledger.recorded([Town.anna]).first?.widgets == [next.row])
        let moved = Owned(Town.bert, next.row)
        try bench.write { $0.widgets = [RowChange(before: next, after: moved)] }
        #expect(try bench.ledger.widgets(.id(next.row.id)) == [moved])
        #expect(try bench.ledger.widgets(.owner(Town.anna)).isEmpty)
        #expect(try bench.ledger.widgets(.owner(Town.bert)) == [moved])
        #expect(try bench.ledger.owners(.withWidgets) == [Town.zoe, Town.annaInTram, Town.bert])
        #expect(try bench.ledger.recorded([Town.anna, Town.bert]).map(\.widgets) == [[], [next.row]])
    }

    @Test(arguments: Kind.all) func anActivityIsChangedMovedAndDeleted(kind: Kind) throws {
        let bench = try Bench.town(kind)
        var next = Town.annasOrder
        next.row.declaration.state = ["status": "ready"]
        next.row.declaration.end = ActivityDeclaration.End(state: ["status": "over"])
        (next.row.life, next.row.revision, next.row.changedStep) = (2, 7, Step(5))
        (next.row.isRemoved, next.row.adoptedLife, next.row.alertAt) = (true, 1, Town.noon + .seconds(9))
        try bench.write { $0.activities = [RowChange(before: Town.annasOrder, after: next), gone(Town.annasRide)] }
        #expect(try bench.ledger.activities(.named(Town.anna, "order")) == [next.row])
        #expect(try bench.ledger.recorded([Town.anna]).first?.activities == [next.row])
        try bench.write { $0.activities = [RowChange(before: next, after: Owned(Town.zoe, next.row))] }
        #expect(try bench.ledger.activities(.named(Town.anna, "order")).isEmpty)
        #expect(try bench.ledger.recorded([Town.zoe, Town.anna]).map(\.activities) == [[next.row], []])
        // A name that is free is given again.
        try bench.write { $0.activities = new(Town.annasOrder) }
        #expect(try bench.ledger.activities(.named(Town.anna, "order")) == [Town.annasOrder.row])
        #expect(try bench.ledger.activities(.named(Town.zoe, "order")) == [next.row])
    }

    @Test(arguments: Kind.all) func aDeviceChangesHands(kind: Kind) throws {
        let bench = try Bench.town(kind)
        var (phone, widgets) = (Town.phone, Town.phoneWidgets)
        var (delivery, ride) = (Town.phoneDelivery, Town.phoneRide)
        (phone.owner, phone.ownerSince, phone.lastReport) = (nil, Town.noon, Town.noon + .seconds(5))
        (widgets.subscriber, delivery.subscriber, ride.subscriber) = (nil, nil, nil)
        try bench.write { changes in
            changes.devices = [RowChange(before: Town.phone, after: phone)]
            changes.registrations = [RowChange(before: Town.phoneWidgets, after: widgets)]
            changes.startTargets = [
                RowChange(before: Town.phoneDelivery, after: delivery), RowChange(before: Town.phoneRide, after: ride),
            ]
        }
        #expect(try bench.ledger.devices(.device(app: Town.courier, id: "anna-phone")) == [phone])
        #expect(try bench.ledger.devices(.owner(Town.anna)) == [Town.pad])
        #expect(try bench.ledger.registrations(.device(app: Town.courier, id: "anna-phone")) == [widgets])
        #expect(try bench.ledger.registrations(.token("aa01")) == [widgets, Town.bertsWidgets])
        #expect(try bench.ledger.registrations(.live(Town.anna)).isEmpty)
        #expect(try bench.ledger.startTargets(.id(delivery.row.id)) == [delivery])
        #expect(try bench.ledger.recorded([Town.anna]).first?.devices.map(\.id) == ["anna-pad"])
        // It is Bert's now; the same phone in another app stays whose it was.
        var (next, registered) = (phone, widgets)
        (next.owner, registered.subscriber, registered.row.token) = ("bert", "bert", "aa09")
        (registered.row.kinds, registered.row.os, registered.row.owesReload) = ([], nil, true)
        (registered.row.reloadedStep, registered.row.reloadedAt) = (Step(5), Town.noon)
        registered.row.rejection = Rejection(revision: 5, tokenAt: Town.noon)
        try bench.write { changes in
            changes.devices = [RowChange(before: phone, after: next)]
            changes.registrations = [RowChange(before: widgets, after: registered)]
        }
        #expect(try bench.ledger.devices(.owner(Town.bert)) == [next, Town.bertsPhone])
        #expect(try bench.ledger.registrations(.live(Town.bert)) == [registered, Town.bertsWidgets])
        #expect(try bench.ledger.devices(.owner(Town.annaInTram)) == [Town.tramPhone])
    }

    @Test(arguments: Kind.all) func aRegistrationThatLeavesARecordKeepsItsRow(kind: Kind) throws {
        let bench = try Bench.town(kind)
        try bench.write { changes in
            changes.registrations = [gone(Town.phoneWidgets)]
            changes.startTargets = [gone(Town.phoneRide)]
            changes.instances = [gone(Town.annasRunning)]
        }
        #expect(try bench.ledger.registrations(.token("aa01")) == [Town.phoneWidgets, Town.bertsWidgets])
        #expect(try bench.ledger.startTargets(.id(Town.phoneRide.row.id)) == [Town.phoneRide])
        #expect(try bench.ledger.instances(.id(Town.annasRunning.row.id)) == [Town.annasRunning])
    }

    @Test(arguments: Kind.all) func aStartTargetIsChanged(kind: Kind) throws {
        let bench = try Bench.town(kind)
        var next = Town.phoneDelivery
        (next.row.token, next.row.environment, next.row.os) = (nil, .sandbox, nil)
        (next.row.at, next.row.frequentPushes, next.row.templates) = (Town.noon + .seconds(1), nil, nil)
        try bench.write { $0.startTargets = [RowChange(before: Town.phoneDelivery, after: next)] }
        #expect(try bench.ledger.startTargets(.id(next.row.id)) == [next])
        #expect(try bench.ledger.startTargets(.token("bb01")).isEmpty)
    }

    @Test(arguments: Kind.all) func anInstanceIsChangedInAllThatCanChange(kind: Kind) throws {
        let bench = try Bench.town(kind)
        var next = Town.bertsOnAnnasPhone
        next.row.name = "order"
        next.row.origin = .ambiguous
        next.row.attributes = ["a": [1, .number(2.5), .null]]
        next.row.template = "t@2"
        next.row.life = 3
        next.row.phase = .closed(.gone)
        next.row.ending = nil
        next.row.activityID = "an id of the app's own"
        (next.row.token, next.row.tokenAt) = ("cc05", Town.noon + .seconds(3))
        (next.row.environment, next.row.os) = (.sandbox, OSVersion(17, 2))
        (next.row.startedAt, next.row.startExpiresAt) = (Town.noon, Town.noon + .seconds(4))
        (next.row.registeredAt, next.row.isInferred, next.row.updatedAt) = (Town.noon, true, Town.noon + .seconds(5))
        (next.row.revision, next.row.lastTimestamp) = (12, Town.noon + .seconds(6))
        next.row.shown = ActivityContent(state: ["n": 9], alert: ["title": "t", "body": "b"])
        next.row.rejection = Rejection(revision: 11, tokenAt: Town.noon)
        try bench.write { $0.instances = [RowChange(before: Town.bertsOnAnnasPhone, after: next)] }
        #expect(try bench.ledger.instances(.id(next.row.id)) == [next])
        #expect(try bench.ledger.instances(.open(app: Town.courier, device: "anna-phone")) == [Town.annasQueued])
        #expect(try bench.ledger.instances(.activity(app: Town.courier, id: "an id of the app's own")) == [next])
        var back = next
        (back.row.shown, back.row.rejection, back.row.token, back.row.os) = (nil, nil, nil, nil)
        (back.row.phase, back.row.attributes, back.row.template) = (.running, nil, nil)
        try bench.write { $0.instances = [RowChange(before: next, after: back)] }
        #expect(try bench.ledger.instances(.id(next.row.id)) == [back])
    }

    /// A timestamp goes out in seconds, and no store keeps more of it.
    @Test(arguments: Kind.all) func aTimestampIsKeptToTheSecond(kind: Kind) throws {
        let bench = try Bench.town(kind)
        var next = Town.annasRunning
        next.row.lastTimestamp = Town.noon + Span(milliseconds: 1_999)
        try bench.write { $0.instances = [RowChange(before: Town.annasRunning, after: next)] }
        #expect(try bench.ledger.instances(.id(next.row.id)).first?.row.lastTimestamp == Town.noon + .seconds(1))
    }

    @Test(arguments: Kind.all) func anInstanceAndItsPushesMoveToAnotherOwner(kind: Kind) throws {
        let bench = try Bench.town(kind)
        let anonymous = Owner(subscriber: "anon_2", app: Town.courier)
        var (instance, push) = (Town.annasQueued, Town.startOfOrder)
        (instance.owner, push.owner) = (anonymous, anonymous)
        try bench.write { changes in
            changes.instances = [RowChange(before: Town.annasQueued, after: instance)]
            changes.deliveries = [RowChange(before: Town.startOfOrder, after: push)]
        }
        instance.row.pending = [push]
        #expect(try bench.ledger.recorded([anonymous]).first?.instances == [instance.row])
        #expect(
            try bench.ledger.recorded([Town.anna]).first?.instances.map(\.id)
                == [Town.annasClosed.row.id, Town.annasRunning.row.id]
        )
        #expect(try bench.ledger.deliveries(.openOfSubscriber("anon_2")) == [push])
        #expect(try bench.ledger.instances(.subscriber("anon_2")).map(\.row.id) == [instance.row.id])
        #expect(try bench.ledger.recorded(in: .all, after: nil, limit: 9).map(\.owner).contains(anonymous))
    }

    @Test(arguments: Kind.all) func aDeliveryIsChangedInAllThatCanChange(kind: Kind) throws {
        let bench = try Bench.town(kind)
        var next = Town.startOfOrder
        (next.environment, next.rank, next.revision, next.cost) = (.sandbox, 6, 9, 0)
        (next.quotaDay, next.notBefore, next.dispatchedAt) = (Town.day, Town.noon + .seconds(1), Town.noon)
        (next.attempts, next.content) = (2, ["state": ["n": 1]])
        next.state = .unknown
        next.answer = DeliveryAnswer(status: 503, reason: "ServiceUnavailable", id: "x", note: "n", at: Town.noon)
        try bench.write { $0.deliveries = [RowChange(before: Town.startOfOrder, after: next)] }
        #expect(try bench.ledger.deliveries(.id(next.id)) == [next])
        // A start is never sent on a guess.
        let lane = LaneName(app: Town.courier, environment: .sandbox)
        #expect(try bench.ledger.due(lane, after: .start, at: Town.noon + .hours(1), limit: 9).isEmpty)
        var over = next
        (over.state, over.quotaDay, over.content) = (.failed, nil, nil)
        over.answer = DeliveryAnswer(status: 400, reason: "BadDeviceToken", at: Town.noon + .seconds(2))
        try bench.write { $0.deliveries = [RowChange(before: next, after: over)] }
        #expect(try bench.ledger.deliveries(.id(next.id)) == [over])
        #expect(try bench.ledger.deliveries(.openOfTarget(Town.annasQueued.row.id)).isEmpty)
        #expect(try bench.ledger.recorded([Town.anna]).first?.instances[1].pending == [])
    }

    @Test(arguments: Kind.all) func everyStateOfADeliveryIsReadBack(kind: Kind) throws {
        let bench = try Bench.town(kind)
        var pushes: [Delivery] = []
        for status in DeliveryStatus.allCases {
            for isOpen in [true, false] {
                var push = Town.reloadOfPhone
                // Ids in the order of their last letters.
                let number = pushes.count
                (push.id, push.state) = (
                    Town.id("G\(number / 10)\(number % 10)"), DeliveryState(status, isOpen: isOpen)
                )
                pushes.append(push)
            }
        }
        try bench.write { $0.deliveries = pushes.map { RowChange(before: nil, after: $0) } }
        for push in pushes { #expect(try bench.ledger.deliveries(.id(push.id)) == [push]) }
        let open = pushes.filter(\.state.isOpen)
        #expect(try bench.ledger.deliveries(.openReloads(Town.anna)) == [Town.reloadOfPhone] + open)
    }

    /// Ids that were given before they had their form of today.
    @Test(arguments: Kind.all) func idsOfAnyFormAreFound(kind: Kind) throws {
        let bench = try Bench(kind)
        var (widget, instance) = (Town.annasStats, Town.annasQueued)
        (widget.row.id, instance.row.id) = (TargetID("tgt_old"), TargetID("tgt_01arz3ndektsv4rrffq69g5fav"))
        (instance.row.launch, instance.row.startTarget) = (LaunchID("lrq_old"), StartTargetID("stt_old"))
        var (widgets, target) = (Town.phoneWidgets, Town.phoneDelivery)
        (widgets.row.id, target.row.id) = (WidgetsID("wgt_old"), StartTargetID("stt_old"))
        let run = RunRecord(id: RunID("first"), command: "c", host: "h", user: "u", pid: 1, startedAt: Town.noon)
        var operation = Town.operations[0]
        (operation.id, operation.run) = (OperationID("op_old"), run.id)
        var push = Town.startOfOrder
        (push.id, push.operation, push.target) = (DeliveryID("dlv_old"), operation.id, instance.row.id)
        push.registration = target.row.id.text
        try bench.write { $0.runs = new(run) }
        try bench.write { changes in
            changes.widgets = new(widget)
            changes.devices = new(Town.phone)
            changes.registrations = new(widgets)
            changes.startTargets = new(target)
            changes.instances = new(instance)
            changes.operations = [operation]
            changes.deliveries = new(push)
        }
        #expect(try bench.ledger.widgets(.id(widget.row.id)) == [widget])
        #expect(try bench.ledger.registrations(.id(widgets.row.id)) == [widgets])
        #expect(try bench.ledger.startTargets(.id(target.row.id)) == [target])
        #expect(try bench.ledger.instances(.id(instance.row.id)) == [instance])
        #expect(try bench.ledger.instances(.launch(LaunchID("lrq_old"))) == [instance])
        #expect(try bench.ledger.deliveries(.id(push.id)) == [push])
        #expect(try bench.ledger.deliveries(.openOfTarget(instance.row.id)) == [push])
        #expect(try bench.ledger.run(.operation(operation.id)) == run)
    }

    /// Texts are bytes: no form of Unicode is another one, and no letter is another case of itself.
    @Test(arguments: Kind.all) func textsAreComparedByBytes(kind: Kind) throws {
        let bench = try Bench(kind)
        let owners = ["e\u{301}", "E", "e", "\u{E9}"].map { Owner(subscriber: Text($0), app: Town.courier) }
        for (place, owner) in owners.enumerated() {
            try bench.write { $0.widgets = new(Town.widget(owner, "Stats", "A\(place)")) }
        }
        let expected = ["E", "e", "e\u{301}", "\u{E9}"].map { Owner(subscriber: Text($0), app: Town.courier) }
        #expect(try bench.ledger.recorded(in: .all, after: nil, limit: 9).map(\.owner) == expected)
        #expect(try bench.ledger.widgets(.owner(owners[0])).map(\.row.id) == [Town.id("A0")])
        #expect(try bench.ledger.widgets(.owner(owners[3])).map(\.row.id) == [Town.id("A3")])
        #expect(try bench.ledger.recorded(in: .only("e"), after: nil, limit: 9).map(\.owner.subscriber) == ["e"])
    }
}
