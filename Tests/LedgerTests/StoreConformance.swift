import Diff
import JSON
import Ledger
import Testing
import Time

/// The promises of a store, held against answers that are written down here.
///
/// It goes through ``Snapshot``, ``Session``, ``Lease`` and ``Store`` alone, and so it says nothing about how rows are kept.
@Suite struct StoreConformance {
    typealias Kind = Bench.Kind
}

// MARK: - Owners

extension StoreConformance {
    @Test(arguments: Kind.all) func ownersComeInTheOrderOfBytes(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        let records = try ledger.recorded(in: .all, after: nil, limit: 100)
        #expect(records.map(\.owner) == Town.owners)
    }

    @Test(arguments: Kind.all) func aRecordHasEverythingOfItsOwner(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        let expected = [Town.annasRecord, Town.bertsRecord]
        #expect(try ledger.recorded([Town.anna, Town.bert]) == expected)
        let all = try ledger.recorded(in: .all, after: nil, limit: 100)
        #expect(all.filter { [Town.anna, Town.bert].contains($0.owner) } == expected)
    }

    @Test(arguments: Kind.all) func whoHasNoRecordsHasAnEmptyOne(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        let nobody = Owner(subscriber: "anna", app: "com.example.none")
        #expect(try ledger.recorded([Town.anna, nobody]) == [Town.annasRecord, Recorded(owner: nobody)])
        #expect(try ledger.recorded([]).isEmpty)
    }

    @Test(arguments: Kind.all) func batchesGoOnWhereTheLastOneEnded(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        for limit in [1, 2, 3, 5, 6] {
            var owners: [Owner] = []
            while true {
                let batch = try ledger.recorded(in: .all, after: owners.last, limit: limit)
                #expect(batch.count == min(limit, Town.owners.count - owners.count))
                owners += batch.map(\.owner)
                guard batch.count == limit else { break }
            }
            #expect(owners == Town.owners)
        }
    }

    @Test(arguments: Kind.all) func aRangeCoversBothOfItsEnds(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        func owners(_ range: OwnerRange, after last: Owner? = nil) throws -> [Owner] {
            try ledger.recorded(in: range, after: last, limit: 100).map(\.owner)
        }
        #expect(try owners(.only("anna")) == [Town.anna, Town.annaInTram])
        #expect(try owners(.only("anna"), after: Town.anna) == [Town.annaInTram])
        #expect(
            try owners(OwnerRange(first: "Zoe", last: "bert")) == [Town.zoe, Town.anna, Town.annaInTram, Town.bert]
        )
        #expect(try owners(OwnerRange(first: "ann", last: "b")) == [Town.anna, Town.annaInTram])
        #expect(try owners(.prefix("an")) == [Town.anna, Town.annaInTram])
        // The last owner lies before the range.
        #expect(try owners(.only("bert"), after: Town.zoe) == [Town.bert])
        #expect(try owners(.only("bert"), after: Town.bert).isEmpty)
        #expect(try owners(.only("nobody")).isEmpty)
    }

    @Test(arguments: Kind.all) func anOwnerOfOneRowOfAnyTableIsThere(kind: Kind) throws {
        let bench = try Bench(kind)
        func owner(_ name: Text) -> Owner { Owner(subscriber: name, app: Town.courier) }
        func device(_ name: Text) -> DeviceRow { Town.device(owner(name), name) }
        var instance = Town.elansFailed.row
        instance.device = "d"
        try bench.write { changes in
            changes.widgets = new(Town.widget(owner("d"), "Stats", "A7"))
            changes.activities = new(Town.activity(owner("a"), "order"))
            changes.devices = new(device("c"), device("b"), device("nothing"))
            changes.registrations = new(Town.on(device("c"), Town.widgets("B7", "aa07")))
            changes.startTargets = new(Town.on(device("b"), Town.start("C7", "Delivery", "bb07")))
            changes.instances = new(Owned(owner("e"), instance))
        }
        let records = try bench.ledger.recorded(in: .all, after: nil, limit: 100)
        // A device that registered nothing is no record of its owner.
        #expect(records.map(\.owner.subscriber) == ["a", "b", "c", "d", "e"])
    }

    @Test(arguments: Kind.all) func aPushWhoseDeviceHasLeftIsAStray(kind: Kind) throws {
        let bench = try Bench.town(kind)
        var (phone, widgets) = (Town.phone, Town.phoneWidgets)
        var (delivery, ride) = (Town.phoneDelivery, Town.phoneRide)
        // What a device registered is always of whoever the device is of.
        (phone.owner, widgets.subscriber, delivery.subscriber, ride.subscriber) = ("bert", "bert", "bert", "bert")
        try bench.write { changes in
            changes.devices = [RowChange(before: Town.phone, after: phone)]
            changes.registrations = [RowChange(before: Town.phoneWidgets, after: widgets)]
            changes.startTargets = [
                RowChange(before: Town.phoneDelivery, after: delivery), RowChange(before: Town.phoneRide, after: ride),
            ]
        }
        let records = try bench.ledger.recorded([Town.anna, Town.bert])
        #expect(records[0].strays == [Town.reloadOfPhone])
        #expect(records[0].devices.map(\.id) == ["anna-pad"])
        #expect(records[0].instances == Town.annasRecord.instances)
        #expect(records[1].strays.isEmpty)
        #expect(records[1].devices.map(\.id) == ["anna-phone", "bert-phone"])
        #expect(records[1].devices[0].widgets == widgets.row)
        #expect(records[1].devices[0].startTargets == [delivery.row, ride.row])
    }

    @Test(arguments: Kind.all) func ownersAreFoundByWhatIsToBeDone(kind: Kind) throws {
        let bench = try Bench.town(kind)
        let ledger = bench.ledger
        #expect(try ledger.owners(.allUnpublished) == [Town.anna, Town.annaInTram])
        #expect(try ledger.owners(.withWidgets) == [Town.zoe, Town.anna, Town.annaInTram])
        #expect(try ledger.count(.allUnpublished) == 2)
        #expect(try ledger.count(.withWidgets) == 3)
        #expect(try ledger.owners(.isUnpublished(Town.anna)) == [Town.anna])
        #expect(try ledger.owners(.isUnpublished(Town.zoe)).isEmpty)
        #expect(try ledger.count(.isUnpublished(Town.anna)) == 1)
        #expect(try ledger.count(.isUnpublished(Town.bert)) == 0)
        #expect(try ledger.owners(.unpublished(after: nil, limit: 1)) == [Town.anna])
        #expect(try ledger.owners(.unpublished(after: Town.anna, limit: 5)) == [Town.annaInTram])
        #expect(try ledger.owners(.unpublished(after: Town.annaInTram, limit: 5)).isEmpty)
        #expect(try ledger.owners(.touched).isEmpty)
    }
}

// MARK: - Rows

extension StoreConformance {
    @Test(arguments: Kind.all) func widgetsAreFound(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        #expect(try ledger.widgets(.id(Town.annasMap.row.id)) == [Town.annasMap])
        #expect(try ledger.widgets(.owner(Town.anna)) == [Town.annasMap, Town.annasStats])
        #expect(try ledger.widgets(.owner(Town.annaInTram)) == [Town.annasTramStats])
        #expect(try ledger.widgets(.id(TargetID("tgt_none"))).isEmpty)
        #expect(try ledger.widgets(.owner(Town.bert)).isEmpty)
    }

    @Test(arguments: Kind.all) func activitiesAreFound(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        #expect(try ledger.activities(.named(Town.anna, "order")) == [Town.annasOrder.row])
        #expect(try ledger.activities(.named(Town.bert, "order")) == [Town.bertsOrder.row])
        #expect(try ledger.activities(.named(Town.anna, "Order")).isEmpty)
        #expect(try ledger.activities(.named(Town.annaInTram, "order")).isEmpty)
    }

    @Test(arguments: Kind.all) func devicesAreFound(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        #expect(try ledger.devices(.device(app: Town.courier, id: "anna-phone")) == [Town.phone])
        #expect(try ledger.devices(.device(app: Town.tram, id: "anna-phone")) == [Town.tramPhone])
        #expect(try ledger.devices(.device(app: Town.courier, id: "lost-phone")) == [Town.lostPhone])
        #expect(try ledger.devices(.owner(Town.anna)) == [Town.pad, Town.phone])
        #expect(try ledger.devices(.owner(Town.annaInTram)) == [Town.tramPhone])
        // An instance names it, and it has reported nothing.
        #expect(try ledger.devices(.device(app: Town.courier, id: "elan-phone")).isEmpty)
        #expect(try ledger.devices(.owner(Town.elan)).isEmpty)
    }

    @Test(arguments: Kind.all) func registrationsAreFound(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        #expect(try ledger.registrations(.id(Town.padWidgets.row.id)) == [Town.padWidgets])
        #expect(try ledger.registrations(.device(app: Town.tram, id: "anna-phone")) == [Town.tramWidgets])
        #expect(try ledger.registrations(.device(app: Town.courier, id: "lost-phone")) == [Town.lostWidgets])
        #expect(try ledger.registrations(.token("aa01")) == [Town.phoneWidgets, Town.bertsWidgets])
        #expect(try ledger.registrations(.token("aa05")) == [Town.lostWidgets])
        #expect(try ledger.registrations(.live(Town.anna)) == [Town.phoneWidgets])
        #expect(try ledger.registrations(.live(Town.annaInTram)) == [Town.tramWidgets])
        #expect(try ledger.registrations(.id(WidgetsID("wgt_none"))).isEmpty)
        #expect(try ledger.registrations(.device(app: Town.tram, id: "anna-pad")).isEmpty)
        #expect(try ledger.registrations(.token("bb01")).isEmpty)
        #expect(try ledger.registrations(.live(Town.zoe)).isEmpty)
    }

    @Test(arguments: Kind.all) func startTargetsAreFound(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        #expect(try ledger.startTargets(.id(Town.phoneRide.row.id)) == [Town.phoneRide])
        let phone = StartTargetQuery.device(app: Town.courier, id: "anna-phone")
        #expect(try ledger.startTargets(phone) == [Town.phoneDelivery, Town.phoneRide])
        #expect(try ledger.startTargets(.device(app: Town.courier, id: "lost-phone")) == [Town.lostDelivery])
        #expect(try ledger.startTargets(.token("bb02")) == [Town.phoneRide, Town.bertsDelivery])
        #expect(try ledger.startTargets(.id(StartTargetID("stt_none"))).isEmpty)
        #expect(try ledger.startTargets(.device(app: Town.tram, id: "anna-phone")).isEmpty)
        #expect(try ledger.startTargets(.token("aa01")).isEmpty)
    }

    @Test(arguments: Kind.all) func instancesAreFound(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        func expect(_ query: InstanceQuery, _ rows: Owned<Instance>..., line: SourceLocation = #_sourceLocation) throws
        {
            #expect(try ledger.instances(query) == rows, "\(query)", sourceLocation: line)
        }
        try expect(.id(Town.annasRunning.row.id), Town.annasRunning)
        try expect(.launch(Town.id("J3")), Town.bertsOutstanding)
        try expect(.activity(app: Town.courier, id: "9F2B7C1E-0000-4000-8000-000000000005"), Town.bertsOnAnnasPhone)
        try expect(.activity(app: Town.tram, id: "9F2B7C1E-0000-4000-8000-000000000005"))
        try expect(.open(app: Town.courier, device: "anna-phone"), Town.annasQueued, Town.bertsOnAnnasPhone)
        try expect(.open(app: Town.courier, device: "bert-phone"), Town.bertsOutstanding)
        try expect(.open(app: Town.tram, device: "anna-phone"))
        try expect(.subscriber("anna"), Town.annasQueued, Town.annasRunning, Town.annasClosed)
        try expect(.subscriber("bert"), Town.bertsOutstanding, Town.bertsOnAnnasPhone)
        try expect(.subscriber("\u{E9}lan"), Town.elansFailed)
        try expect(.declaration(Town.anna, name: "order", device: "anna-phone"), Town.annasQueued)
        try expect(.declaration(Town.anna, name: "Ride", device: "anna-phone"), Town.annasClosed)
        try expect(.declaration(Town.anna, name: "Ride", device: "anna-pad"))
        try expect(.startedOver(Town.id("C2"), app: Town.courier, device: "anna-phone"), Town.annasClosed)
        try expect(.startedOver(Town.id("C2"), app: Town.courier, device: "bert-phone"))
        try expect(.id(TargetID("tgt_none")))
    }

    @Test(arguments: Kind.all) func deliveriesAreFound(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        func expect(_ query: DeliveryQuery, _ rows: Delivery..., line: SourceLocation = #_sourceLocation) throws {
            #expect(try ledger.deliveries(query) == rows, "\(query)", sourceLocation: line)
        }
        for push in Town.pushes { try expect(.id(push.id), push) }
        try expect(.id(DeliveryID("dlv_none")))
        try expect(
            .openOfSubscriber("anna"),
            Town.startOfOrder,
            Town.reloadOfPhone,
            Town.updateOfOrder,
            Town.reloadOfTram
        )
        try expect(.openOfSubscriber("bert"), Town.startOfBertsOrder)
        try expect(.openReloads(Town.anna), Town.reloadOfPhone)
        try expect(.openReloads(Town.annaInTram), Town.reloadOfTram)
        try expect(.openReloads(Town.bert))
        try expect(.openOver(Town.phoneWidgets.row.id.text, Town.anna), Town.reloadOfPhone)
        try expect(.openOver(Town.phoneDelivery.row.id.text, Town.anna), Town.startOfOrder)
        try expect(.openOver(Town.phoneDelivery.row.id.text, Town.bert))
        try expect(.openOverAny(Town.tramWidgets.row.id.text), Town.reloadOfTram)
        try expect(.openOverAny(Town.bertsDelivery.row.id.text), Town.startOfBertsOrder)
        try expect(.openOverAny(Town.bertsWidgets.row.id.text))
        try expect(.openOfTarget(Town.annasRunning.row.id), Town.updateOfOrder)
        try expect(.openOfTarget(Town.annasClosed.row.id))
        try expect(.reportable(Town.annasClosed.row.id), Town.startOfRide)
        try expect(.reportable(Town.annasQueued.row.id), Town.startOfOrder)
        try expect(.reportable(Town.elansFailed.row.id))
        try expect(.dispatching, Town.startOfBertsOrder)
    }

    @Test(arguments: Kind.all) func singleRowsAreFound(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        #expect(try ledger.closedEarly(app: Town.courier, device: "anna-phone") == ["early"])
        #expect(try ledger.closedEarly(app: Town.tram, device: "anna-phone").isEmpty)
        #expect(try ledger.deadToken("dd01") == DeadToken(token: "dd01", at: Town.noon))
        #expect(try ledger.deadToken("aa01") == nil)
        #expect(try ledger.alias("anon_1", app: Town.courier)?.person == "anna")
        #expect(try ledger.alias("anon_1", app: Town.tram) == nil)
        #expect(try ledger.resolve("anon_1", app: Town.courier) == "anna")
        #expect(try ledger.earlyReport(digest: "ee01") == EarlyReport(digest: "ee01", at: Town.noon))
        #expect(try ledger.earlyReport(digest: "ee02") == nil)
        #expect(try ledger.run(.id(Town.run.id)) == Town.run)
        #expect(try ledger.run(.id(RunID("run_2"))) == nil)
        #expect(try ledger.run(.operation(Town.id("E3"))) == Town.run)
        #expect(try ledger.run(.operation(OperationID("op_none"))) == nil)
        #expect(try ledger.reloadRequest(key: "k1")?.results == ["ok"])
        #expect(try ledger.reloadRequest(key: "k2") == nil)
    }

    @Test(arguments: Kind.all) func theWholeIsFound(kind: Kind) throws {
        let ledger = try Bench.town(kind).ledger
        #expect(try ledger.sealKey() == Array(Bench.seal.string.utf8))
        let scope = Scope(number: 2, isPaused: true, openedAt: Town.noon)
        #expect(try ledger.scopes() == Scopes([.subscriber("bert"): scope]))
        #expect(try ledger.templates().map(\.name) == ["t@1"])
        #expect(try ledger.faults() == [Town.fault])
        #expect(try ledger.sentElsewhere(on: Town.day)?.pushes == 5)
        #expect(try ledger.sentElsewhere(on: UTCDay(Town.day.number + 1)) == nil)
    }
}
