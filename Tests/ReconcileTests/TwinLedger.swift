import Diff
import JSON
import Testing
import Time

@testable import Ledger
@testable import Reconcile

/// Two ledgers that get the same changes, and have to give the same answers: each is the judge of the other.
final class TwinLedger: Lease {
    private let first: any Lease
    private let second: any Session

    init(_ first: any Lease, _ second: any Session) {
        self.first = first
        self.second = second
    }

    /// The answer of both.
    private func same<Answer: Equatable>(_ question: String, _ ask: (any Session) throws -> Answer) throws -> Answer {
        let answers = (try ask(first), try ask(second))
        #expect(answers.0 == answers.1, "\(question)")
        return answers.0
    }

    var mark: LedgerMark.Reading { first.mark }
    var markProblem: String? { first.markProblem }

    func unit<Result>(_ body: () throws -> Result) throws -> Result { try first.unit { try second.unit(body) } }

    func write(_ changes: LedgerChanges) throws {
        try first.write(changes)
        try second.write(changes)
    }

    func moveMark() throws { try first.moveMark() }

    func facts() throws -> LedgerFacts { try same("facts") { try $0.facts() } }
    func sealKey() throws -> [UInt8]? { try first.sealKey() }
    func scopes() throws -> Scopes { try same("scopes") { try $0.scopes() } }
    func templates() throws -> [TemplateRecord] { try same("templates") { try $0.templates() } }
    func faults() throws -> [Fault] { try same("faults") { try $0.faults() } }
    func sentElsewhere(on day: UTCDay) throws -> SentElsewhere? {
        try same("elsewhere") { try $0.sentElsewhere(on: day) }
    }
    func booked(on day: UTCDay) throws -> [DeliveryStatus: Int] { try same("booked") { try $0.booked(on: day) } }
    func openInstances(at now: Moment) throws -> Int { try same("open instances") { try $0.openInstances(at: now) } }

    func recorded(in range: OwnerRange, after last: Owner?, limit: Int) throws -> [Recorded] {
        try same("\(range) after \(last as Owner?)") { try $0.recorded(in: range, after: last, limit: limit) }
    }
    func recorded(_ owners: [Owner]) throws -> [Recorded] { try same("\(owners)") { try $0.recorded(owners) } }
    func owners(_ query: OwnerQuery) throws -> [Owner] { try same("\(query)") { try $0.owners(query) } }
    func count(_ query: OwnerQuery) throws -> Int { try same("count of \(query)") { try $0.count(query) } }

    func widgets(_ query: WidgetQuery) throws -> [Owned<RecordedWidget>] {
        try same("\(query)") { try $0.widgets(query) }
    }
    func activities(_ query: ActivityQuery) throws -> [RecordedActivity] {
        try same("\(query)") { try $0.activities(query) }
    }
    func devices(_ query: DeviceQuery) throws -> [DeviceRow] { try same("\(query)") { try $0.devices(query) } }
    func registrations(_ query: RegistrationQuery) throws -> [OnDevice<WidgetRegistration>] {
        try same("\(query)") { try $0.registrations(query) }
    }
    func startTargets(_ query: StartTargetQuery) throws -> [OnDevice<StartTarget>] {
        try same("\(query)") { try $0.startTargets(query) }
    }
    func instances(_ query: InstanceQuery) throws -> [Owned<Instance>] {
        try same("\(query)") { try $0.instances(query) }
    }
    func deliveries(_ query: DeliveryQuery) throws -> [Delivery] { try same("\(query)") { try $0.deliveries(query) } }
    func closedEarly(app: Text, device: Text) throws -> Set<Text> {
        try same("closed early") { try $0.closedEarly(app: app, device: device) }
    }
    func deadToken(_ token: Text) throws -> DeadToken? { try same("dead token") { try $0.deadToken(token) } }
    func alias(_ anonymous: Text, app: Text) throws -> Alias? {
        try same("alias") { try $0.alias(anonymous, app: app) }
    }
    func earlyReport(digest: Text) throws -> EarlyReport? {
        try same("early report") { try $0.earlyReport(digest: digest) }
    }
    func run(_ query: RunQuery) throws -> RunRecord? { try same("\(query)") { try $0.run(query) } }
    func reloadRequest(key: Text) throws -> ReloadRequestRecord? {
        try same("reload request") { try $0.reloadRequest(key: key) }
    }

    func lanes(at now: Moment) throws -> [DueLane] { try same("lanes") { try $0.lanes(at: now) } }
    func due(_ lane: LaneName, after place: SendingPlace, at now: Moment, limit: Int) throws -> [DueDelivery] {
        try same("due of \(lane) after \(place)") { try $0.due(lane, after: place, at: now, limit: limit) }
    }
    func due(_ ids: [DeliveryID]) throws -> [DueDelivery] { try same("due \(ids)") { try $0.due(ids) } }
    func unbooked(on day: UTCDay, after place: SendingPlace, limit: Int) throws -> [Delivery] {
        try same("unbooked") { try $0.unbooked(on: day, after: place, limit: limit) }
    }
}
