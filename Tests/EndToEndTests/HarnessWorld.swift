import Foundation
import Testing

/// A project, the Apple that it sends to, and the phones that show what arrives.
///
/// A test says what the files declare, what people do with their phones and what an apply is to come to, and holds the
/// pushes and the screens against that.
final class World {
    let workspace: Workspace
    let simulator: SimulatorProcess
    private var seen = 0
    /// What gives the runs, and Apple, another time; empty where they have the system's.
    private let clock: [String]

    /// Starts Apple with the options of `simulate`; `set(minutes:)` moves a clock that can be moved.
    init(_ options: [String] = [], launcher: [String] = [], hasMovableClock: Bool = false) throws {
        workspace = try Workspace()
        let file = try workspace.write("clock", "+0m\n").path
        let movable = [
            "env", FakeTime.preload, "FAKETIME_TIMESTAMP_FILE=\(file)",
            "FAKETIME_NO_CACHE=1", "DONT_FAKE_MONOTONIC=1",
        ]
        clock = hasMovableClock ? movable : []
        simulator = try SimulatorProcess(workspace, options, launcher: launcher + clock)
    }

    /// Moves the clock to so many minutes after the system's.
    func set(minutes: Int) throws {
        try workspace.write("clock", "+\(minutes)m\n")
        // Apple wakes, and does what was due meanwhile.
        try simulator.send(#"{"do":"counters"}"#)
    }

    // MARK: Phones

    /// Adds phones of a subscriber with the app; `more` holds further keys of the command.
    func phone(_ devices: String..., of subscriber: String? = "user_42", os: String = "26.0", more: String = "") throws
    {
        let owner = subscriber.map { #""subscriber":"\#($0)","# } ?? ""
        for device in devices {
            try simulator.send(
                #"{"do":"add","device":"\#(device)",\#(owner)"os":"\#(os)","widgets":["Stats"],"#
                    + #""attributesTypes":["DeliveryAttributes"]\#(more.isEmpty ? "" : ",")\#(more)}"#
            )
        }
    }

    /// Something happens to a phone.
    func on(_ device: String, _ verb: String, _ more: String = "") throws {
        try simulator.send(#"{"do":"\#(verb)","device":"\#(device)"\#(more.isEmpty ? "" : ",")\#(more)}"#)
    }

    /// Something goes wrong once, or as `more` says.
    func fault(_ effect: String, on scope: String = "{}", _ more: String = "") throws {
        try simulator.send(#"{"do":"fault",\#(effect),"on":\#(scope)\#(more.isEmpty ? "" : ",")\#(more)}"#)
    }

    /// A report that no simulated phone writes.
    func report(_ line: String) throws {
        let name = "reports/\(UUID().uuidString)"
        let file = try workspace.write("\(name).tmp", line + "\n")
        try FileManager.default.moveItem(at: file, to: workspace.url.appending(path: "\(name).ndjson"))
    }

    // MARK: Files

    /// Writes the state file of a subscriber, or takes it away.
    func declare(_ document: Document?, of subscriber: String = "user_42") throws {
        let path = "state/\(document?.subscriber ?? subscriber).json"
        if let document { try workspace.write(path, document.text) } else { try workspace.remove(path) }
    }

    /// Copies a file of the cases.
    func copy(_ name: String, to path: String = "state/user_42.json") throws {
        try workspace.write(path, "")
        try Data(contentsOf: Checkout.root.appending(path: "Tests/Cases/\(name)"))
            .write(to: workspace.url.appending(path: path))
    }

    /// Changes the configuration.
    func configure(_ change: (inout [String: Any]) -> Void) throws {
        let data = Data(try workspace.text("lockstep.json").utf8)
        var configuration = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        change(&configuration)
        let text = String(decoding: try JSONSerialization.data(withJSONObject: configuration), as: UTF8.self)
        try workspace.write("lockstep.json", text)
    }

    /// While this runs, Apple's certificate is not trusted, so that nothing is sent.
    func cutOff(_ body: () throws -> Void) throws {
        let configuration = try workspace.text("lockstep.json")
        try configure { $0["endpoints"] = ["production": ["url": simulator.ready.url]] }
        try body()
        try workspace.write("lockstep.json", configuration)
    }

    // MARK: Runs

    /// The command line, behind `/usr/bin/env`, of the program with these arguments.
    func command(_ arguments: [String], launcher: [String] = []) -> [String] {
        clock + launcher + [Checkout.lockstep.path] + arguments
    }

    /// Runs a command and expects its exit status.
    @discardableResult
    func run(
        _ arguments: [String],
        _ status: Int32 = 0,
        environment: [String: String] = [:],
        launcher: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Outcome {
        let outcome = try execute(
            URL(filePath: "/usr/bin/env"),
            command(arguments, launcher: launcher),
            in: workspace.url,
            environment: environment
        )
        #expect(outcome.status == status, "\(outcome.stdout)\(outcome.stderr)", sourceLocation: sourceLocation)
        return outcome
    }

    /// Begins a command whose output nobody reads, and goes on once Apple has seen so many requests more.
    func begin(_ arguments: [String], until requests: Int) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = clock + [Checkout.lockstep.path] + arguments
        process.currentDirectoryURL = workspace.url
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: workspace.write("stdout", ""))
        process.standardError = try FileHandle(forWritingTo: workspace.write("stderr", ""))
        try process.run()
        while process.isRunning, try count() < seen + requests { usleep(2_000) }
        return process
    }

    private func count() throws -> Int {
        workspace.exists("simulator/requests.ndjson") ? try simulator.requests().count : 0
    }

    /// Applies the files; the first apply makes the ledger.
    @discardableResult
    func apply(
        _ options: String...,
        status: Int32 = 0,
        environment: [String: String] = [:],
        launcher: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Outcome {
        let first = workspace.exists("lockstep.db") ? [] : ["--new-ledger"]
        return try run(
            ["apply", "--yes"] + first + options,
            status,
            environment: environment,
            launcher: launcher,
            sourceLocation: sourceLocation
        )
    }

    @discardableResult
    func plan(_ options: String..., status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> Outcome
    {
        try run(["plan", "--verbose"] + options, status, sourceLocation: sourceLocation)
    }

    /// Applies, and expects that nothing is left to do: what is held and waits is said by the last line.
    func settles(
        _ last: String = "No changes. Every target is in step with the files.",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let plan = try run(["plan", "--detailed-exitcode", "--verbose"], sourceLocation: sourceLocation)
        #expect(plan.lines.last == last, "\(plan.stdout)", sourceLocation: sourceLocation)
    }

    // MARK: What arrived

    /// The requests that arrived since this was asked the last time.
    func pushes() throws -> [Push] {
        try simulator.send(#"{"do":"counters"}"#)
        guard workspace.exists("simulator/requests.ndjson") else { return [] }
        let all = try simulator.requests()
        defer { seen = all.count }
        return all.dropFirst(seen).map(Push.init)
    }

    /// The events that arrived since the last time: `start phone-1`.
    func events() throws -> [String] {
        try pushes().map(\.description).sorted()
    }

    /// What `status` says of a tile: the values of the key in the states that a phone's tiles show.
    func statuses(_ device: String, _ key: String = "status") throws -> [String] {
        try simulator.tiles(device).map { ($0["state"] as? [String: Any])?[key] as? String ?? "-" }.sorted()
    }

    /// The state that a phone's widget shows, as JSON.
    func widget(_ device: String, _ name: String = "Stats") throws -> String {
        let widgets = try simulator.screen(device)["widgets"] as? [String: [String: Any]]
        let state = widgets?[name]?["state"] ?? NSNull()
        let data = try JSONSerialization.data(withJSONObject: state, options: [.fragmentsAllowed, .sortedKeys])
        return String(decoding: data, as: UTF8.self)
    }
}

extension World {
    /// A world with three phones that wait for an activity each.
    static func waiting() throws -> World {
        let world = try World()
        for number in 1...3 {
            try world.phone("d\(number)", of: "u\(number)")
            try world.declare(.order("cooking", of: "u\(number)"))
        }
        return world
    }
}

/// One request as Apple saw it.
struct Push: CustomStringConvertible {
    let fields: [String: Any]

    init(_ fields: [String: Any]) { self.fields = fields }

    subscript(header: String) -> String? { (fields["headers"] as? [String: Any])?[header] as? String }
    var event: String { fields["event"] as? String ?? "?" }
    var device: String { fields["device"] as? String ?? "?" }
    var status: Int? { fields["status"] as? Int }
    var aps: [String: Any] { (fields["payload"] as? [String: Any])?["aps"] as? [String: Any] ?? [:] }
    var connection: Int { fields["connection"] as? Int ?? -1 }
    var timestamp: Int { aps["timestamp"] as? Int ?? 0 }
    var description: String { "\(event) \(device)" + (status == 200 ? "" : " \(status ?? 0)") }
}

/// A subscriber document.
struct Document {
    var subscriber = "user_42"
    var app: String?
    var widgets: [String: String] = [:]
    var activities: [String: String] = [:]

    /// A document with one activity of the given status, and further keys of it.
    static func order(_ status: String, _ more: String = "", of subscriber: String = "user_42") -> Document {
        Document(subscriber: subscriber, activities: ["order-1001": activity(status, more)])
    }

    /// A document with one widget.
    static func steps(_ steps: Int, of subscriber: String = "user_42") -> Document {
        Document(subscriber: subscriber, widgets: ["Stats": #"{"state":{"steps":\#(steps)}}"#])
    }

    /// A document with so many activities, named `order-1` and so on.
    static func orders(_ numbers: ClosedRange<Int>, _ status: String, _ more: String = "") -> Document {
        let pairs = numbers.map { ("order-\($0)", activity(status, more, order: "\($0)")) }
        return Document(activities: Dictionary(uniqueKeysWithValues: pairs))
    }

    static let alert = #""alert":{"title":"Order","body":"In the kitchen","sound":"default"}"#

    /// The declaration of an activity; `more` adds or replaces keys.
    static func activity(_ status: String, _ more: String = "", order: String = "1001") -> String {
        let parts = [
            more.contains("attributesType") ? nil : #""attributesType":"DeliveryAttributes""#,
            more.contains("\"attributes\"") ? nil : #""attributes":{"orderId":"\#(order)"}"#,
            more.contains("\"alert\"") ? nil : alert,
            more.hasPrefix("\"state\"") ? nil : #""state":{"status":"\#(status)"}"#,
            more.isEmpty ? nil : more,
        ]
        return "{\(parts.compactMap { $0 }.joined(separator: ","))}"
    }

    var text: String {
        func object(_ pairs: [String: String]) -> String {
            "{\(pairs.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
        }
        let app = app.map { #""app":"\#($0)","# } ?? ""
        return #"{"subscriber":"\#(subscriber)",\#(app)"widgets":\#(object(widgets)),"#
            + #""liveActivities":\#(object(activities))}"#
    }
}

extension Workspace {
    /// The records of the ledger of one type, or all of them, with push tokens whole.
    func records(_ type: String? = nil) throws -> [[String: Any]] {
        let dump = try run("state", "dump", "--show-tokens")
        try #require(dump.status == 0, "\(dump.stderr)")
        return try dump.items().filter { type == nil || $0["type"] as? String == type }
    }
}

extension World {
    /// Every token that the phones use.
    func tokens() throws -> [String] {
        let answer = try simulator.send(#"{"do":"tokens","all":true}"#)
        return (answer["tokens"] as? [[String: Any]] ?? []).compactMap { $0["token"] as? String }
    }
}

/// Another time for a program, by libfaketime.
enum FakeTime {
    static let preload = "LD_PRELOAD=/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"

    /// What runs a program some time from now, or faster: `+9h`, `+0 x60`.
    ///
    /// The wrapper of the same name is not used: it fails where a process with the same number was killed before.
    static func from(_ offset: String) -> [String] { ["env", preload, "FAKETIME=\(offset)"] }
}
