import Diff
import Foundation
import JSON
import Ledger
import Testing
import Time

// MARK: - Units

extension StoreConformance {
    private struct Stop: Error {}

    /// Changes of every table.
    private static let everything: LedgerChanges = {
        var changes = LedgerChanges()
        changes.widgets = [change(Town.annasStats) { $0.row.revision = 9 }, gone(Town.annasMap)]
        changes.activities = [gone(Town.annasRide), change(Town.bertsOrder) { $0.row.life = 9 }]
        changes.devices = [change(Town.phone) { $0.owner = nil }]
        changes.registrations = [change(Town.phoneWidgets) { $0.subscriber = nil }]
        changes.startTargets = [Town.phoneRide, Town.phoneDelivery].map { change($0) { $0.subscriber = nil } }
        changes.instances = [change(Town.annasRunning) { $0.row.phase = .closed(.gone) }]
        changes.closedEarly = [ClosedEarly(app: Town.courier, device: "anna-phone", key: "also")]
        changes.aliases = [Alias(app: Town.courier, anonymous: "anon_9", person: "bert")]
        changes.scopes = new(ScopeRow(.subscriber("Zoe"), Scope(isRevoked: true)))
        changes.sentElsewhere = [.adding(1, on: Town.day, to: SentElsewhere(day: Town.day, pushes: 5))]
        changes.deliveries = [change(Town.startOfOrder) { ($0.state, $0.quotaDay) = (.accepted, Town.day) }]
        changes.deadTokens = [DeadToken(token: "dd09", at: Town.noon)]
        changes.faults = [gone(Town.fault)]
        changes.history = [
            .event(Event(at: Town.noon, run: Town.run.id, kind: "k", owner: Town.anna, subject: nil, text: "t"))
        ]
        changes.unpublished = [Town.zoe]
        changes.published = [Town.anna]
        changes.runs = [change(Town.run) { $0.endedAt = Town.noon }]
        changes.templates = new(TemplateRecord(name: "u@1", digest: "d", document: [:], appliedAt: Town.noon))
        changes.reloadRequests = [ReloadRequestRecord(key: "k9", subscribers: [], results: nil, at: Town.noon)]
        changes.earlyReports = [EarlyReport(digest: "ee09", at: Town.noon)]
        var (facts, next) = (LedgerFacts(lineage: Bench.lineage), LedgerFacts(lineage: Bench.lineage))
        (facts.step, facts.launchSequence, facts.confirmedAt) = (Step(4), 6, Town.noon)
        (next.step, next.launchSequence) = (Step(5), 7)
        changes.facts = RowChange(before: facts, after: next)
        return changes
    }()

    @Test(arguments: Kind.all) func aUnitThatThrowsWritesNothing(kind: Kind) throws {
        let bench = try Bench.town(kind)
        let before = try bench.ledger.answers()
        #expect(throws: Stop.self) {
            try bench.ledger.unit {
                try bench.ledger.write(Self.everything)
                // What was written is read in the same unit.
                let within = try bench.ledger.answers()
                for (line, former) in zip(within, before) where !line.hasPrefix("always ") {
                    #expect(line != former)
                }
                throw Stop()
            }
        }
        #expect(try bench.ledger.answers() == before)
        // And what comes later is as if it had not been.
        try bench.write(Self.everything)
        let other = try Bench.town(.memory)
        try other.write(Self.everything)
        #expect(try bench.ledger.answers() == other.ledger.answers())
    }

    @Test(arguments: Kind.all) func aUnitGivesWhatItsBodyGives(kind: Kind) throws {
        let bench = try Bench.town(kind)
        let count = try bench.ledger.unit {
            try bench.ledger.write(Self.everything)
            return try bench.ledger.widgets(.owner(Town.anna)).count
        }
        #expect(count == 1)
        #expect(try bench.ledger.widgets(.owner(Town.anna)).map(\.row.revision) == [9])
    }

    @Test(arguments: Kind.all) func manyOwnersAreWrittenAtOnce(kind: Kind) throws {
        let bench = try Bench(kind)
        let owners = (0..<300).map { Owner(subscriber: Text("user_\($0)"), app: Town.courier) }
        try bench.write { changes in
            for (place, owner) in owners.enumerated() {
                var widget = Town.widget(owner, "Stats", "A0", state: .integer(Int64(place)))
                widget.row.id = TargetID(Text("tgt_\(place)"))
                changes.widgets.append(RowChange(before: nil, after: widget))
            }
        }
        var found: [Recorded] = []
        while true {
            let batch = try bench.ledger.recorded(in: .all, after: found.last?.owner, limit: 64)
            found += batch
            guard batch.count == 64 else { break }
        }
        #expect(found.map(\.owner) == owners.sorted())
        #expect(found.allSatisfy { $0.widgets.map(\.declaration.state) == [.integer(Self.number($0.owner))] })
    }

    private static func number(_ owner: Owner) -> Int64 { Int64(owner.subscriber.string.dropFirst(5)) ?? -1 }
}

// MARK: - Stores

extension StoreConformance {
    @Test(arguments: Kind.stores) func aStoreIsMadeOnce(kind: Kind) throws {
        let bench = try Bench(kind)
        #expect(try bench.store.exists())
        #expect(throws: LedgerError.exists(path: bench.store.path)) { try bench.store.make(lineage: "other", seal: "") }
        #expect(try bench.store.snapshot().facts().lineage == Bench.lineage)
        let nothing = try Bench.nothing(kind)
        #expect(try !nothing.exists())
        #expect(try nothing.mark() == .missing)
        #expect(throws: LedgerError.missing(path: nothing.path)) { _ = try nothing.snapshot() }
        #expect(throws: LedgerError.missing(path: nothing.path)) { _ = try nothing.session() }
        #expect(throws: LedgerError.missing(path: nothing.path)) { _ = try nothing.lease() }
    }

    @Test(arguments: Kind.stores) func aSnapshotStaysAsItIs(kind: Kind) throws {
        let bench = try Bench.town(kind)
        let snapshot = try bench.store.snapshot()
        let before = try snapshot.answers()
        try bench.write(Self.everything)
        #expect(try snapshot.answers() == before)
        #expect(try bench.store.snapshot().answers() == bench.ledger.answers())
        #expect(try bench.store.snapshot().answers() != before)
    }

    @Test(arguments: Kind.stores) func sessionsSeeEachOther(kind: Kind) throws {
        let bench = try Bench.town(kind)
        let other = try bench.store.session()
        try other.unit { try other.write(Self.everything) }
        #expect(try bench.ledger.answers() == other.answers())
        #expect(try bench.ledger.widgets(.owner(Town.anna)).map(\.row.revision) == [9])
    }

    /// The step of a mark of the town's ledger; `nil` where it is none.
    private func step(_ mark: LedgerMark.Reading) -> Step? {
        guard case .mark(let mark) = mark, mark.lineage == Bench.lineage else { return nil }
        return mark.step
    }

    @Test(arguments: Kind.stores) func aStepMovesTheMarkUp(kind: Kind) throws {
        let bench = try Bench.town(kind)
        #expect(try step(bench.store.mark()) == Step(4))
        let lease = try bench.store.lease()
        #expect(step(lease.mark) == Step(4))
        #expect(lease.markProblem == nil)
        #expect(throws: Stop.self) {
            try lease.unit {
                try lease.write(Self.everything)
                throw Stop()
            }
        }
        #expect(try step(bench.store.mark()) == Step(4))
        try lease.unit { try lease.write(Self.everything) }
        #expect(try step(bench.store.mark()) == Step(5))
        // It goes on telling what stood there when the run began.
        #expect(step(lease.mark) == Step(4))
    }

    @Test(arguments: Kind.stores) func aMarkIsMovedByHand(kind: Kind) throws {
        let bench = try Bench(kind)
        #expect(try bench.store.mark() == .missing)
        try bench.store.lease().moveMark()
        #expect(try step(bench.store.mark()) == .zero)
    }

    @Test(arguments: Kind.stores) func aCopyTakesTheOldLedgersPlace(kind: Kind) throws {
        let bench = try Bench.town(kind)
        let before = try bench.ledger.answers()
        let copy = bench.store.path + ".copy"
        try bench.store.export(to: copy)
        try bench.write(Self.everything)
        let after = try bench.ledger.answers()
        let backup = try #require(try bench.store.replace(with: copy, at: Town.noon))
        #expect(try bench.store.snapshot().answers() == before)
        // The mark stays: that is how the next run knows.
        #expect(try step(bench.store.mark()) == Step(5))
        _ = try bench.store.replace(with: backup, at: Town.noon + .seconds(1))
        #expect(try bench.store.snapshot().answers() == after)
    }

    /// A plan is made by people who may look and not touch.
    @Test func aReaderNeedsNoPermissionToWrite() throws {
        let bench = try Bench.town(.sqlite)
        let expected = try bench.ledger.answers()
        let files = FileManager.default
        let directory = URL(filePath: bench.store.path).deletingLastPathComponent().path
        let names = try files.contentsOfDirectory(atPath: directory).sorted()
        for name in names { try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: "\(directory)/\(name)") }
        try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: directory)
        defer { try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory) }
        try asSomebodyElse {
            #expect(!files.createFile(atPath: "\(directory)/new", contents: nil))
            let answers = try bench.store.snapshot().answers()
            #expect(answers == expected)
        }
        #expect(try files.contentsOfDirectory(atPath: directory).sorted() == names)
    }

    /// Looks at files with the permissions of a user who owns none of them, where the test has those of root.
    private func asSomebodyElse(_ body: () throws -> Void) throws {
        guard geteuid() == 0 else { return try body() }
        // Glibc's module leaves it out; it changes this thread alone.
        typealias SetUser = @convention(c) (UInt32) -> Int32
        let setUser = unsafeBitCast(try #require(dlsym(nil, "setfsuid")), to: SetUser.self)
        _ = setUser(65_534)
        defer { _ = setUser(0) }
        try body()
    }
}
