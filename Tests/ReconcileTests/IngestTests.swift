import Source
import Diff
import Foreign
import Foundation
import JSON
import TestProjects
import TestDeclarations
import Testing
import Time

@testable import Ledger
@testable import Reconcile

/// A project with a ledger, whose clock the test moves.
struct LedgerProject {
    let files: LoadProject
    var now: Moment

    init(_ state: [String: String] = [:], now: String = "2026-11-30T10:00:00Z") throws {
        files = try LoadProject(state)
        try FileManager.default.createDirectory(atPath: files.path("state"), withIntermediateDirectories: true)
        self.now = try RFC3339.moment(of: now)
        try store.make(on: .machine)
    }

    func pipeline(events: @escaping (RunEvent) throws -> Void = { _ in }) throws -> Pipeline {
        var environment = LedgerProject.environment(at: now)
        environment.events = events
        return Pipeline(try Configuration.read(files.path("lockstep.json")), environment)
    }

    static func environment(at now: Moment) -> RunEnvironment {
        var system = SystemEnvironment.machine
        system.now = { now }
        return RunEnvironment(system: system, variable: { _ in nil })
    }

    func report(_ name: String, _ lines: String...) throws {
        try files.write("reports/\(name).ndjson", lines.joined(separator: "\n"))
    }

    @discardableResult
    func ingest() throws -> Ingest.Result { try IngestRun(pipeline(), pipeline().mintRun()).run() }

    var store: SQLiteStore { SQLiteStore(path: files.path("lockstep.db")) }

    func ledger() throws -> SQLiteLedger { try store.open(.read) }

    /// A ledger that a run writes to, with the run in it.
    func open(for run: RunID, _ command: Text = "test") throws -> SQLiteLedger {
        let ledger = try store.open(.write)
        try begin(run, command, in: ledger)
        return ledger
    }

    /// Notes a run.
    func begin(_ run: RunID, _ command: Text, in ledger: any Session) throws {
        let record = RunRecord(id: run, command: command, host: "h", user: "u", pid: 1, startedAt: now)
        var changes = LedgerChanges()
        changes.runs = [RowChange(before: nil, after: record)]
        try ledger.unit { try ledger.write(changes) }
    }

    /// Writes what a plan decided, in a step of its own.
    func commit(
        _ plan: OwnerPlan,
        _ desired: Desired?,
        _ recorded: Recorded,
        in ledger: any Session,
        by run: RunID,
        within quota: Quota? = nil
    ) throws {
        let day = UTCDay(at: now)
        var book = try quota.map { QuotaBook(day: day, sums: try ledger.quotaDay(day, $0)) }
        try ledger.step(run, in: LedgerProject.environment(at: now), book: &book) { step, changes in
            var transition = Transition(recorded)
            _ = try PlanCommit(of: plan, desired).write(to: &transition, in: &step)
            changes.add(transition)
        }
    }

    func recorded(_ subscriber: Text) throws -> Recorded {
        try ledger().recorded([Owner(subscriber: subscriber, app: "com.example.courier")])[0]
    }

    /// All records of the ledger, with push tokens whole.
    func records() throws -> [LedgerRecord] {
        var records: [LedgerRecord] = []
        var masks = Masks()
        masks.showsTokens = true
        try LedgerDump(store, masks: { _ in masks }).each { records.append($0) }
        return records
    }

    /// The records that reports write.
    func reported() throws -> [LedgerRecord] {
        try records().filter { record in
            switch record {
            case .alias, .device, .widgetRegistration, .startTarget, .closedEarly, .instance: true
            default: false
            }
        }
    }
}

/// A report line with the members that every one has.
private func line(
    _ type: String,
    _ at: String,
    subscriber: String = "anna",
    device: String = "d1",
    _ rest: String = ""
) -> String {
    #"{"type":"\#(type)","app":"com.example.courier","subscriber":"\#(subscriber)","device":"\#(device)","#
        + #""at":"2026-11-30T\#(at)Z"\#(rest.isEmpty ? "" : ",")\#(rest)}"#
}

private func widgets(_ token: String) -> String { #""token":"\#(token)","widgets":["Stats"],"os":"26.0""# }
private func start(_ token: String) -> String { #""token":"\#(token)","attributesType":"Delivery","os":"26.0""# }

@Suite struct IngestTests {
    @Test func reportsCountByTheirTimesAndNotByTheirFiles() throws {
        let project = try LedgerProject()
        try project.report("a", line("widgets.registered", "09:00:02", widgets("bb")))
        try project.report("b", line("widgets.registered", "09:00:01", widgets("aa")))
        try project.ingest()
        #expect(try project.recorded("anna").devices.first?.widgets?.token == "bb")
    }

    @Test func aLateReportChangesNothing() throws {
        let project = try LedgerProject()
        try project.report("a", line("start.registered", "09:00:02", start("bb")))
        try project.ingest()
        try project.report("b", line("start.registered", "09:00:01", start("aa")))
        try project.ingest()
        #expect(try project.recorded("anna").devices.first?.startTargets.first?.token == "bb")
    }

    @Test func takingTheSameLinesAgainChangesNothing() throws {
        let project = try LedgerProject()
        let lines = [
            line("widgets.registered", "09:00:01", widgets("aa")), line("start.registered", "09:00:02", start("bb")),
            line("subscriber.loggedOut", "09:00:03"),
            line("start.registered", "09:00:04", subscriber: "ben", start("cc")),
        ].joined(separator: "\n")
        try project.report("a", lines)
        try project.ingest()
        let before = try project.reported()
        try project.report("again", lines)
        #expect(try project.ingest().taken == 4)
        #expect(try project.reported() == before)
    }

    @Test func whatIsWrongIsKeptWithItsReasonsAndTheRestIsTaken() throws {
        let project = try LedgerProject()
        try project.files.add(case: "tokens.ndjson", as: "reports/tokens.ndjson")
        let result = try project.ingest()
        #expect((result.taken, result.rejected) == (2, 4))
        #expect(
            result.examples.map(\.description) == [
                "tokens.ndjson:3: 'token' is an even number of hexadecimal digits, at most 1,024: it has 3 digits",
                "tokens.ndjson:4: 'token' is an even number of hexadecimal digits, at most 1,024: it is no hexadecimal string",
                result.examples[2].description,
                "tokens.ndjson:6: 'type' future.kind is not known",
            ]
        )
        #expect(result.examples[2].description.hasPrefix("tokens.ndjson:5: it is no JSON"))
        let recorded = try project.recorded("user_42")
        #expect(recorded.devices.first?.widgets?.token == Text(String(repeating: "ab", count: 32)))
        #expect(recorded.devices.first?.startTargets.first?.token?.string.count == 160)
        #expect(try project.pipeline().spool.waiting() == [])
        let kept = try String(contentsOfFile: project.files.path("reports/rejected/tokens.ndjson"), encoding: .utf8)
        #expect(kept.split(separator: "\n").count == 4)
        #expect(FileManager.default.fileExists(atPath: project.files.path("reports/done/tokens.ndjson")))
    }

    @Test func aLineThatIsTooLongKeepsNobodyElseWaiting() throws {
        let project = try LedgerProject()
        let long = String(repeating: "x", count: 5 << 20)
        try project.report("long", long, line("widgets.registered", "09:00:00", widgets("aa")))
        let result = try project.ingest()
        #expect((result.taken, result.rejected) == (1, 1))
        #expect(result.examples.map(\.description) == ["long.ndjson:1: the line has more than 4194304 bytes"])
        #expect(try project.pipeline().spool.waiting() == [])
    }

    @Test func filesOfOneNameKeepTheirOwnRejections() throws {
        let project = try LedgerProject()
        for _ in 1...2 {
            try project.report("daily", "{}")
            try project.ingest()
        }
        try project.report("daily", "[]")
        let third = try project.ingest()
        #expect(third.examples.map(\.file) == ["daily.2.ndjson"])
        let kept = try FileManager.default.contentsOfDirectory(atPath: project.files.path("reports/rejected")).sorted()
        #expect(kept == ["daily.1.ndjson", "daily.2.ndjson", "daily.ndjson"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: project.files.path("reports/done")).sorted() == kept
        )
    }

    @Test func aTimeAheadCountsAsItsFirstIngestion() throws {
        var project = try LedgerProject()
        let ahead = line("start.registered", "12:00:00", start("aa"))
        try project.report("a", ahead)
        try project.ingest()
        project.now += .hours(1)
        try project.report("b", ahead)
        try project.ingest()
        let at = try project.recorded("anna").devices.first?.startTargets.first?.at
        #expect(at == project.now - .hours(1))
        // A time within 5 minutes is taken as it is.
        try project.report("c", line("start.registered", "11:04:00", start("cc")))
        try project.ingest()
        #expect(
            try project.recorded("anna").devices.first?.startTargets.first?.at
                == RFC3339.moment(of: "2026-11-30T11:04:00Z")
        )
    }

    @Test func whatIsRecordedOfAnAnonymousIDMovesToThePerson() throws {
        let project = try LedgerProject()
        try project.report(
            "a",
            line("widgets.registered", "09:00:01", subscriber: "anon_1", widgets("aa")),
            line("start.registered", "09:00:02", subscriber: "anon_1", device: "d2", start("bb"))
        )
        try project.ingest()
        try project.report(
            "b",
            line("subscriber.identified", "09:00:03", #""anonymous":"anon_1""#)
        )
        try project.ingest()
        #expect(try project.recorded("anna").devices.map(\.id) == ["d1", "d2"])
        #expect(try project.recorded("anon_1").devices == [])
        #expect(try project.ledger().resolve("anon_1", app: "com.example.courier") == "anna")
    }

    @Test func aTokenLivesInOnePlace() throws {
        let project = try LedgerProject()
        try project.report(
            "a",
            line("widgets.registered", "09:00:01", widgets("aa")),
            line("widgets.registered", "09:00:02", subscriber: "ben", device: "d2", widgets("AA"))
        )
        try project.ingest()
        #expect(try project.recorded("anna").devices.first?.widgets?.token == nil)
        #expect(try project.recorded("ben").devices.first?.widgets?.token == "aa")
    }

    @Test func whatIsQueuedFollowsItsTokenToTheOtherEnvironment() throws {
        let project = try LedgerProject()
        let run = RunID("run_1")
        let ledger = try project.open(for: run)
        let sandbox = #","environment":"sandbox""#
        try project.report(
            "a",
            line("widgets.registered", "09:00:01", widgets("aa") + sandbox),
            line("start.registered", "09:00:02", start("bb") + sandbox)
        )
        try project.ingest()
        let desired = Desired(
            owner: Owner(subscriber: "anna", app: "com.example.courier"),
            widgets: [WidgetDeclaration(name: "Stats", state: 1)],
            activities: [ActivityDeclaration(name: "order", attributesType: "Delivery", state: 1)]
        )
        let recorded = try project.recorded("anna")
        let context = DiffContext(now: project.now, environments: ["com.example.courier": [.production, .sandbox]])
        let plan = OwnerPlan(desired: desired, recorded: recorded, context: context)
        try project.commit(plan, desired, recorded, in: ledger, by: run)
        #expect(try ledger.lanes(at: project.now).map(\.name.environment) == [.sandbox])
        try project.report(
            "b",
            line("widgets.registered", "09:01:01", widgets("cc")),
            line("start.registered", "09:01:02", start("dd"))
        )
        try project.ingest()
        #expect(try ledger.lanes(at: project.now).map(\.name.environment) == [.production])
    }

    @Test func aDirectoryInTheSpoolIsNobodysReport() throws {
        let project = try LedgerProject()
        try FileManager.default.createDirectory(
            atPath: project.files.path("reports/x.ndjson"),
            withIntermediateDirectories: true
        )
        try project.report("a", line("start.registered", "09:00:01", start("aa")))
        #expect(try project.ingest().files == 1)
    }

    @Test func onlyItsUserReadsTheLedger() throws {
        let project = try LedgerProject()
        try project.report("a", line("start.registered", "09:00:01", start("aa")))
        try project.ingest()
        for file in try FileManager.default.contentsOfDirectory(atPath: project.files.directory)
        where file.hasPrefix("lockstep.db") {
            let facts = try #require(try Files.facts(project.files.path(file)))
            #expect(facts.mode & 0o777 == 0o600, "\(file)")
        }
    }

    @Test func planLooksAtWaitingReportsAndChangesNothing() throws {
        let project = try LedgerProject([
            "state/a.json": #"{"subscriber":"anna","widgets":{"Stats":{"state":1}}}"#
        ])
        try project.report("a", line("widgets.registered", "09:00:01", widgets("aa")))
        let before = try Data(contentsOf: URL(filePath: project.files.path("lockstep.db")))
        var blocked: [PlanEntry.Push] = []
        let pipeline = try project.pipeline { event in
            if case .planned(let owner) = event { blocked += owner.entries.compactMap(\.push) }
        }
        let files = try ProjectFiles(.disk, of: pipeline.configuration)
        let outcome = try PlanRun(pipeline, files: files, options: RunOptions()).run()
        #expect(outcome.reports.taken == 1)
        #expect(blocked.map(\.reason) == [.noCredential])
        #expect(try project.pipeline().spool.waiting() == ["a.ndjson"])
        #expect(try Data(contentsOf: URL(filePath: project.files.path("lockstep.db"))) == before)
    }
}
