import Diff
import JSON
import Ledger
import TestDeclarations
import Testing
import Time

// MARK: - Writing of the whole

extension StoreConformance {
    @Test(arguments: Kind.all) func factsAreSetAndCleared(kind: Kind) throws {
        let bench = try Bench(kind)
        #expect(try bench.ledger.facts() == LedgerFacts(lineage: Bench.lineage))
        var facts = LedgerFacts(lineage: Bench.lineage)
        (facts.step, facts.launchSequence, facts.restoredAt) = (Step(3), 4, Town.noon)
        (facts.confirmedAt, facts.appliedCommit) = (Town.noon + .seconds(1), "c0ffee")
        (facts.index, facts.publishedPlace) = ("i1", "p1")
        try bench.write { changes in
            changes.facts = RowChange(before: LedgerFacts(lineage: Bench.lineage), after: facts)
        }
        #expect(try bench.ledger.facts() == facts)
        var next = facts
        (next.step, next.restoredAt, next.index) = (Step(4), nil, nil)
        try bench.write { $0.facts = RowChange(before: facts, after: next) }
        #expect(try bench.ledger.facts() == next)
        #expect(try bench.ledger.sealKey() == Array(Bench.seal.string.utf8))
    }

    @Test(arguments: Kind.all) func theOwnersOfChangedRecordsAreTouchedWhileThereIsAnIndex(kind: Kind) throws {
        let bench = try Bench.town(kind)
        let facts = try bench.ledger.facts()
        var indexed = facts
        indexed.index = "i1"
        // What comes before the index counts as little as what comes with it.
        try bench.write { $0.widgets = [change(Town.zoesStats) { $0.row.revision = 2 }] }
        try bench.write { changes in
            changes.facts = RowChange(before: facts, after: indexed)
            changes.forgetsTouched = true
        }
        #expect(try bench.ledger.owners(.touched).isEmpty)
        var moved = Town.bertsOnAnnasPhone
        moved.owner = Town.elan
        try bench.write { $0.instances = [RowChange(before: Town.bertsOnAnnasPhone, after: moved)] }
        try bench.write { $0.registrations = [change(Town.tramWidgets) { $0.row.owesReload = true }] }
        // Nobody's phone, and what is no record of an owner.
        try bench.write { changes in
            changes.registrations = [change(Town.lostWidgets) { $0.row.owesReload = true }]
            changes.devices = [change(Town.phone) { $0.lastReport = Town.noon + .seconds(1) }]
            changes.unpublished = [Town.zoe]
        }
        #expect(try bench.ledger.owners(.touched) == [Town.annaInTram, Town.bert, Town.elan])
        try bench.write { $0.deliveries = [change(Town.startOfOrder) { $0.rank = 6 }] }
        #expect(try bench.ledger.owners(.touched) == [Town.anna, Town.annaInTram, Town.bert, Town.elan])
        #expect(try bench.ledger.count(.touched) == 4)
        try bench.write { $0.forgetsTouched = true }
        #expect(try bench.ledger.owners(.touched).isEmpty)
        try bench.write { $0.widgets = [gone(Town.annasMap)] }
        #expect(try bench.ledger.owners(.touched) == [Town.anna])
    }

    @Test(arguments: Kind.all) func aChangedScopeMakesTheIndexUseless(kind: Kind) throws {
        let bench = try Bench.town(kind)
        let facts = try bench.ledger.facts()
        var indexed = facts
        indexed.index = "i1"
        try bench.write { $0.facts = RowChange(before: facts, after: indexed) }
        try bench.write { $0.scopes = new(ScopeRow(.widgets(Town.id("B1")), Scope(isRevoked: true))) }
        #expect(try bench.ledger.facts() == facts)
        try bench.write { $0.widgets = [gone(Town.annasMap)] }
        #expect(try bench.ledger.owners(.touched).isEmpty)
    }

    @Test(arguments: Kind.all) func everyKindOfScopeIsKept(kind: Kind) throws {
        let bench = try Bench(kind)
        let subjects: [ScopeSubject] = [
            .subscriber("anna"), .widget(Town.anna, name: "Stats"),
            .activity(Town.anna, name: "order", device: "anna-phone"), .startTarget(Town.id("C1")),
            .widgets(Town.id("B1")), .widget(Town.annaInTram, name: "Stats"),
        ]
        var expected: [ScopeSubject: Scope] = [:]
        for (place, subject) in subjects.enumerated() {
            let scope = Scope(
                number: Int64(place + 2),
                isPaused: place.isMultiple(of: 2),
                isRevoked: place > 2,
                openedAt: Town.noon + .seconds(Int64(place))
            )
            expected[subject] = scope
            try bench.write { $0.scopes = new(ScopeRow(subject, scope)) }
        }
        #expect(try bench.ledger.scopes() == Scopes(expected))
        // One is changed, one gets another name, one goes.
        let (first, second) = (try #require(expected[subjects[0]]), try #require(expected[subjects[1]]))
        let third = try #require(expected[subjects[2]])
        try bench.write { changes in
            changes.scopes = [
                change(ScopeRow(subjects[0], first)) { $0.scope.isPaused.toggle() },
                change(ScopeRow(subjects[1], second)) { $0.subject = .widget(Town.bert, name: "Stats") },
                gone(ScopeRow(subjects[2], third)),
            ]
        }
        expected[subjects[0]]?.isPaused.toggle()
        expected[.widget(Town.bert, name: "Stats")] = expected.removeValue(forKey: subjects[1])
        expected[subjects[2]] = nil
        #expect(try bench.ledger.scopes() == Scopes(expected))
    }

    @Test(arguments: Kind.all) func templatesComeByName(kind: Kind) throws {
        let bench = try Bench.town(kind)
        let known = TemplateRecord(name: "t@1", digest: "d1", document: ["v": 1], appliedAt: Town.noon)
        var next = known
        next.document = ["v": 1, "sensitive": ["/a"]]
        let (first, last) = (
            TemplateRecord(name: "T@2", digest: "d2", document: ["v": 2], appliedAt: Town.noon),
            TemplateRecord(name: "u@1", digest: "d3", document: ["v": 3], appliedAt: Town.noon)
        )
        try bench.write { $0.templates = [RowChange(before: nil, after: last)] }
        try bench.write {
            $0.templates = [RowChange(before: known, after: next), RowChange(before: nil, after: first)]
        }
        #expect(try bench.ledger.templates() == [first, next, last])
    }

    @Test(arguments: Kind.all) func runsBeginAndEnd(kind: Kind) throws {
        let bench = try Bench.town(kind)
        var over = Town.run
        (over.sourceCommit, over.endedAt, over.exitStatus) = ("c0ffee", Town.noon + .seconds(9), 3)
        try bench.write { $0.runs = [RowChange(before: Town.run, after: over)] }
        #expect(try bench.ledger.run(.id(over.id)) == over)
        #expect(try bench.ledger.run(.operation(Town.id("E1"))) == over)
        var operation = Town.operations[0]
        (operation.id, operation.step) = (Town.id("E9"), Step(9))
        var push = Town.reloadOfPhone
        (push.id, push.operation, push.step) = (Town.id("F9"), operation.id, Step(9))
        try bench.write { changes in
            changes.operations = [operation]
            changes.deliveries = new(push)
        }
        #expect(try bench.ledger.run(.operation(operation.id)) == over)
    }

    @Test(arguments: Kind.all) func faultsComeByAppAndEnvironment(kind: Kind) throws {
        let bench = try Bench.town(kind)
        var (sandbox, tram) = (Town.fault, Town.fault)
        sandbox.environment = .sandbox
        tram.app = "com.example.a"
        try bench.write { $0.faults = new(sandbox, tram) }
        #expect(try bench.ledger.faults() == [tram, Town.fault, sandbox])
        var next = Town.fault
        (next.reason, next.fingerprint) = ("BadTopic", "f2")
        try bench.write { $0.faults = [RowChange(before: Town.fault, after: next), gone(tram)] }
        #expect(try bench.ledger.faults() == [next, sandbox])
    }

    @Test(arguments: Kind.all) func whatWasSentElsewhereIsReplaced(kind: Kind) throws {
        let bench = try Bench.town(kind)
        let next = UTCDay(Town.day.number + 1)
        let before = try bench.ledger.sentElsewhere(on: Town.day)
        try bench.write { $0.sentElsewhere = [.adding(3, on: Town.day, to: before), .adding(1, on: next, to: nil)] }
        #expect(try bench.ledger.sentElsewhere(on: Town.day)?.pushes == 8)
        #expect(try bench.ledger.sentElsewhere(on: next)?.pushes == 1)
    }

    @Test(arguments: Kind.all) func whatIsKnownOnceStaysKnown(kind: Kind) throws {
        let bench = try Bench.town(kind)
        let (earlier, later) = (Town.noon - .seconds(1), Town.noon + .seconds(1))
        // The last death of a token counts, and the first sight of a report.
        try bench.write { changes in
            changes.deadTokens = [DeadToken(token: "dd01", at: earlier), DeadToken(token: "dd02", at: later)]
            changes.earlyReports = [EarlyReport(digest: "ee01", at: later), EarlyReport(digest: "ee02", at: later)]
        }
        #expect(try bench.ledger.deadToken("dd01")?.at == Town.noon)
        #expect(try bench.ledger.deadToken("dd02")?.at == later)
        #expect(try bench.ledger.earlyReport(digest: "ee01")?.at == Town.noon)
        #expect(try bench.ledger.earlyReport(digest: "ee02")?.at == later)
        try bench.write { changes in
            changes.deadTokens = [DeadToken(token: "dd01", at: later)]
            changes.closedEarly = [ClosedEarly(app: Town.courier, device: "anna-phone", key: "also")]
        }
        #expect(try bench.ledger.deadToken("dd01")?.at == later)
        #expect(try bench.ledger.closedEarly(app: Town.courier, device: "anna-phone") == ["early", "also"])
    }

    @Test(arguments: Kind.all) func filesAreUnpublishedAndPublished(kind: Kind) throws {
        let bench = try Bench.town(kind)
        func unpublished() throws -> [Owner] {
            let owners = try bench.ledger.owners(.allUnpublished)
            #expect(try bench.ledger.count(.allUnpublished) == owners.count)
            for owner in Town.owners {
                let count = try bench.ledger.count(.isUnpublished(owner))
                #expect(count == (owners.contains(owner) ? 1 : 0))
            }
            var paged: [Owner] = []
            while let owner = try bench.ledger.owners(.unpublished(after: paged.last, limit: 1)).first {
                paged.append(owner)
            }
            #expect(paged == owners)
            return owners
        }
        try bench.write { $0.published = [Town.anna] }
        #expect(try unpublished() == [Town.annaInTram])
        try bench.write { $0.unpublished = [Town.zoe, Town.annaInTram] }
        #expect(try unpublished() == [Town.zoe, Town.annaInTram])
        try bench.write { $0.unpublishesAll = true }
        #expect(try unpublished() == [Town.zoe, Town.anna, Town.annaInTram])
        try bench.write { $0.published = [Town.zoe, Town.annaInTram] }
        #expect(try unpublished() == [Town.anna])
    }

    @Test(arguments: Kind.all) func whatWasTouchedBeforeTheIndexIsForgotten(kind: Kind) throws {
        let bench = try Bench(kind)
        var indexed = LedgerFacts(lineage: Bench.lineage)
        indexed.index = "i1"
        try bench.write { $0.facts = RowChange(before: LedgerFacts(lineage: Bench.lineage), after: indexed) }
        try bench.write { $0.widgets = new(Town.zoesStats) }
        #expect(try bench.ledger.owners(.touched) == [Town.zoe])
        try bench.write { $0.widgets = new(Town.annasStats) }
        #expect(try bench.ledger.owners(.touched) == [Town.zoe, Town.anna])
        try bench.write { $0.forgetsTouched = true }
        #expect(try bench.ledger.owners(.touched).isEmpty)
    }

    /// Owners that come and go between others, in batches of every size.
    @Test(arguments: Kind.all) func batchesMissNobodyAmongThoseWhoChanged(kind: Kind) throws {
        let bench = try Bench(kind)
        let owners = (10..<40).map { Owner(subscriber: Text("user_\($0)"), app: Town.courier) }
        func widget(_ place: Int) -> Owned<RecordedWidget> { Town.widget(owners[place], "Stats", "\(place + 10)") }
        // Every third is there from the beginning, then some go, and others come in heaps.
        for part in [stride(from: 0, to: 30, by: 3), stride(from: 1, to: 15, by: 3), stride(from: 17, to: 30, by: 3)] {
            try bench.write { $0.widgets = part.map { RowChange(before: nil, after: widget($0)) } }
        }
        try bench.write { $0.widgets = [0, 3, 6, 12, 27].map { gone(widget($0)) } }
        try bench.write { $0.widgets = new(widget(2), widget(5), widget(8), widget(28)) }
        let expected = [1, 2, 4, 5, 7, 8, 9, 10, 13, 15, 17, 18, 20, 21, 23, 24, 26, 28, 29].map { owners[$0] }
        for limit in 1...12 {
            var found: [Owner] = []
            while true {
                let batch = try bench.ledger.recorded(in: .all, after: found.last, limit: limit).map(\.owner)
                found += batch
                guard batch.count == limit else { break }
            }
            #expect(found == expected, "batches of \(limit)")
        }
    }
}
