import Diff
import Foreign
import Foundation
import JSON
import Source
import TestDeclarations
import Testing
import Time

@testable import Ledger
@testable import Reconcile

/// Every statement that runs per owner, report or delivery finds its rows by an index.
@Suite struct QueryPlanTests {
    /// What holds only what is open now: reading it whole costs what the work costs.
    static let open = ["open_deliveries", "instances_open"]

    @Test func noStatementReadsAWholeTable() throws {
        let project = try LedgerProject()
        let run = RunID("run_1")
        let ledger = try project.open(for: run)
        try exercise(ledger, project, run)
        let statements = ledger.database.cachedStatements + RecordedCursor.statements
        #expect(statements.count > 50)
        for sql in statements where !sql.hasPrefix("PRAGMA") {
            for step in try plan(of: sql, ledger) where step.hasPrefix("SCAN") {
                let isOpenOnly = Self.open.contains { name in
                    step.contains(" INDEX \(name)") || step == "SCAN d" && sql.contains("FROM \(name) AS d")
                }
                // A subquery that is read once was found by an index of its own; an INSERT has no table to find.
                let isDerived = step.hasPrefix("SCAN (") || step == "SCAN CONSTANT ROW"
                // What people paused and revoked by hand is few, and all of it is wanted.
                let isHandMade = step == "SCAN scopes"
                // Single facts are fewer than ten, and read at once.
                let isFew = step == "SCAN facts"
                #expect(isOpenOnly || isDerived || isHandMade || isFew, "\(step) in\n\(sql)")
            }
        }
    }

    @Test func ownersComeOutOfTheIndexInOrder() throws {
        let project = try LedgerProject()
        let ledger = try project.ledger()
        for sql in RecordedCursor.statements {
            let steps = try plan(of: sql, ledger)
            #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps) in\n\(sql)")
        }
    }

    private func plan(of sql: String, _ ledger: SQLiteLedger) throws -> [String] {
        let statement = try ledger.database.prepare("EXPLAIN QUERY PLAN " + sql)
        var steps: [String] = []
        while try statement.step() { steps.append(statement.text(3).string) }
        return steps
    }

    /// Has the ledger compile what ingest, commit, publish and send run.
    private func exercise(_ ledger: SQLiteLedger, _ project: LedgerProject, _ run: RunID) throws {
        let at = project.now - .seconds(1)
        func report(_ device: Text, _ event: Report.Event) -> Report {
            Report(app: "com.example.courier", subscriber: "anna", device: device, at: at, event: event)
        }
        _ = try ledger.recover(run: run, at: at)
        var intake = Intake(ledger, at: at, try SystemEnvironment.machine.identifiers(at: at))
        try intake.take(
            report("d1", .widgetsRegistered(token: "aa", environment: .production, kinds: ["Stats"], os: nil))
        )
        try intake.take(
            report(
                "d1",
                .startRegistered(
                    attributesType: "Delivery",
                    token: "bb",
                    environment: .production,
                    os: nil,
                    frequentPushes: nil,
                    templates: nil
                )
            )
        )
        try intake.take(report("d2", .identified(anonymous: "anon_1")))

        var running = ActivityDeclaration(
            name: "order",
            attributesType: "Delivery",
            state: ["n": 1],
            alert: ["title": "a", "body": "b"]
        )
        let widget = WidgetDeclaration(name: "Stats", state: 1)
        for step in 0..<5 {
            if step == 2 {
                let launch = try #require(try project.recorded("anna").instances.first?.launch)
                try intake.take(
                    report(
                        "d1",
                        .activityRegistered(
                            activityID: "A",
                            attributesType: "Delivery",
                            token: "cc",
                            environment: .production,
                            os: nil,
                            launch: launch,
                            name: nil
                        )
                    )
                )
            }
            running.state = ["n": .integer(Int64(step))]
            if step == 4 { running.end = ActivityDeclaration.End() }
            let desired = Desired(owner: anna, widgets: step == 3 ? [] : [widget], activities: [running])
            try apply(desired, ledger, project, run)
        }
        try intake.take(report("d1", .activityClosed(activityID: "A", launch: nil, dismissed: true)))
        try intake.take(report("d1", .widgetsUnregistered))
        try intake.take(report("d1", .startUnregistered(attributesType: "Delivery")))
        try intake.take(report("d1", .loggedOut))
        _ = try ledger.firstSeen("{}", at: at)
    }

    private var anna: Owner { Owner(subscriber: "anna", app: "com.example.courier") }

    private func apply(_ desired: Desired, _ ledger: SQLiteLedger, _ project: LedgerProject, _ run: RunID) throws {
        let recorded = try project.recorded("anna")
        let context = DiffContext(now: project.now, environments: ["com.example.courier": [.production]])
        let plan = OwnerPlan(desired: desired, recorded: recorded, context: context)
        let quota = Quota(dailyPushes: 100)
        try project.commit(plan, desired, recorded, in: ledger, by: run, within: quota)
        try ledger.recordElsewhere(1, on: UTCDay(at: project.now))
        // As if it had been queued the day before.
        _ = try ledger.renewReservations(quota, at: project.now + .days(1))
        _ = try ledger.openInstances(at: .never)
        for subject in [ScopeSubject.subscriber("anna"), .activity(anna, name: "order", device: "d1")] {
            _ = try ledger.underWay(subject)
        }
        for owner in try ledger.owners(.unpublished(after: nil, limit: 10)) { _ = try ledger.widgets(.owner(owner)) }
        try ledger.markPublished([anna])
        for lane in try ledger.lanes(at: project.now).map(\.name) {
            let pushes = try ledger.unit {
                let due = try ledger.due(lane, after: .start, at: project.now, limit: 10).map(\.delivery)
                let templates = TemplateBook([])
                return try ledger.dispatch(due, templates, within: quota, isRestored: false, at: project.now)
            }
            for push in pushes {
                _ = try ledger.due([push.delivery.id])
                try ledger.settle(push, .accepted, run: run, at: project.now)
            }
        }
    }
}
