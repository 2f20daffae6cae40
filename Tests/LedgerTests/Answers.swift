import Diff
import JSON
import Ledger

extension Snapshot {
    /// Everything that can be asked about the town, a line each; `always` marks what no change of it can move.
    func answers() throws -> [String] {
        var lines: [String] = []
        func ask(_ question: String, _ answer: Any) { lines.append("\(question): \(answer)") }
        ask("facts", try facts())
        ask("templates", try templates())
        ask("faults", try faults())
        ask("elsewhere", try sentElsewhere(on: Town.day)?.pushes ?? 0)
        ask("booked", try booked(on: Town.day).filter { $0.value != 0 }.sorted { $0.key.rawValue < $1.key.rawValue })
        ask("open instances", try openInstances(at: Town.noon))
        ask("scope", try scopes()[.subscriber("Zoe")])
        ask("owners", try recorded(in: .all, after: nil, limit: 100))
        ask("always owners", try recorded(in: .all, after: nil, limit: 100).map(\.owner))
        ask("anna", try recorded([Town.anna]))
        ask("bert", try recorded([Town.bert]))
        ask("always zoe", try recorded([Town.zoe]))
        ask("unpublished", try owners(.allUnpublished))
        ask("always with widgets", try owners(.withWidgets))
        ask("widgets", try widgets(.owner(Town.anna)))
        ask("activities", try activities(.named(Town.anna, "Ride")))
        ask("devices", try devices(.owner(Town.anna)))
        ask("registrations", try registrations(.token("aa01")))
        ask("start targets", try startTargets(.token("bb02")))
        ask("instances", try instances(.subscriber("anna")))
        ask("open", try instances(.open(app: Town.courier, device: "anna-pad")))
        ask("deliveries", try deliveries(.openOfSubscriber("anna")))
        ask("always dispatching", try deliveries(.dispatching))
        ask("delivery", try deliveries(.id(Town.startOfOrder.id)))
        ask(
            "due",
            try due(LaneName(app: Town.courier, environment: .production), after: .start, at: Town.noon, limit: 9)
        )
        let nowhere = LaneName(app: "com.example.none", environment: .production)
        ask("always nowhere", try due(nowhere, after: .start, at: Town.noon, limit: 9))
        ask("unbooked", try unbooked(on: Town.day, after: .start, limit: 9))
        ask("closed early", try closedEarly(app: Town.courier, device: "anna-phone").sorted())
        ask("alias", try alias("anon_9", app: Town.courier) as Any)
        ask("dead token", try deadToken("dd09") as Any)
        ask("early report", try earlyReport(digest: "ee09") as Any)
        ask("run", try run(.id(Town.run.id)) as Any)
        ask("run of an operation", try run(.operation(Town.id("E1"))) as Any)
        ask("reload request", try reloadRequest(key: "k9") as Any)
        return lines
    }
}
