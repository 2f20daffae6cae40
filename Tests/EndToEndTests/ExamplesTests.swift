import Foundation
import Testing

/// Every example is a project that works: its README is carried out line by line, and says what one sees.
@Suite struct ExamplesTests {
    static let names = ["courier", "departures", "fitness"]

    /// A copy of an example, with a simulator that has its phones and listens where its configuration says.
    private func start(_ name: String) throws -> (Workspace, SimulatorProcess) {
        let workspace = try Workspace()
        try copy(name, to: workspace)
        let configuration = try workspace.text("lockstep.json")
        let phones = workspace.url.appending(path: "phones.ndjson").path
        let simulator = try SimulatorProcess(
            workspace,
            ["--app", "com.example.\(name)", "--commands", phones, "--seed", "1"]
        )
        // The harness leaves the simulator's configuration; the example's own has to do.
        let port = try #require(URL(string: simulator.ready.url)?.port)
        try workspace.write("lockstep.json", configuration.replacingOccurrences(of: ":8443", with: ":\(port)"))
        return (workspace, simulator)
    }

    private func copy(_ name: String, to workspace: Workspace) throws {
        let source = Checkout.root.appending(path: "examples/\(name)")
        // What runs left in it by hand stays there.
        let leftovers = ["simulator", "public", "reports"]
        for file in try FileManager.default.contentsOfDirectory(atPath: source.path)
        where !leftovers.contains(file) && !file.hasPrefix("lockstep.db") {
            try FileManager.default.copyItem(at: source.appending(path: file), to: workspace.url.appending(path: file))
        }
    }

    @Test(arguments: names)
    func whatTheReadmeShowsIsWhatOneSees(_ name: String) throws {
        let (workspace, simulator) = try start(name)
        let readme = try Readme("examples/\(name)/README.md")
        #expect(
            readme.text.contains("lockstep simulate --port 8443 --app com.example.\(name) --commands phones.ndjson")
        )
        let actual = try readme.carriedOut { block in
            switch block.language {
            case "console": try console(block.lines, in: workspace, simulator)
            case "json simulator": try typed(block.lines, into: simulator)
            default: block.lines
            }
        }
        try readme.expect(actual)
        try workspace.assertInStep()
    }

    /// Types the commands of a block, and returns them with what they print.
    private func console(_ lines: [String], in workspace: Workspace, _ simulator: SimulatorProcess) throws -> [String] {
        let path = Checkout.lockstep.deletingLastPathComponent().path
        let environment = ["PATH": "\(path):/usr/local/bin:/usr/bin:/bin", "NO_COLOR": "1"]
        let screens = Checkout.root.appending(path: "examples/screens").path
        return try lines.filter { $0.hasPrefix("$ ") }.flatMap { line in
            // A person is slower than the file with the screens, a test may not be.
            if line.contains("../screens") { try simulator.send(#"{"do":"screens"}"#) }
            let command = line.dropFirst(2).replacingOccurrences(of: "../screens", with: "'\(screens)'")
            let bash = URL(filePath: "/bin/bash")
            let outcome = try execute(bash, ["-c", command], in: workspace.url, environment: environment)
            #expect(outcome.status == 0, "\(line): \(outcome.stderr)")
            return [line] + outcome.lines
        }
    }

    private func typed(_ lines: [String], into simulator: SimulatorProcess) throws -> [String] {
        for line in lines { try simulator.send(line) }
        return lines
    }

    @Test(arguments: names)
    func theFilesAreValidAndTheReportsAreTaken(_ name: String) throws {
        let workspace = try Workspace()
        // An empty ledger, which takes reports in.
        try workspace.run("init")
        try workspace.remove("lockstep.json")
        try workspace.remove("state")
        try copy(name, to: workspace)
        let validate = try workspace.run("validate")
        #expect(validate.status == 0, "\(validate.stderr)")
        let samples = workspace.url.appending(path: "sample-reports")
        for file in try FileManager.default.contentsOfDirectory(atPath: samples.path) {
            let ingest = try workspace.run("ingest", "sample-reports/\(file)")
            #expect(ingest.status == 0 && ingest.stdout.hasSuffix(" taken, 0 rejected.\n"), "\(ingest.stderr)")
        }
    }

    /// Held against the files, not against what the program says of itself.
    @Test func screensEqualTheFilesAfterEachApply() throws {
        let (workspace, simulator) = try start("courier")
        var options = ["--new-ledger"]
        for stage in ["1-placed", "2-cooking", "3-on-its-way", "4-delivered"] {
            let file = try workspace.text("stages/\(stage).json")
            try workspace.write("state/orders/order-1001.json", file)
            let apply = try execute(
                Checkout.lockstep,
                ["apply", "--yes", "--quiet"] + options,
                in: workspace.url
            )
            options = []
            #expect(apply.status == 0, "\(apply.stdout)\(apply.stderr)")
            let document = try JSONSerialization.jsonObject(with: Data(file.utf8)) as? [String: Any]
            let activities = try #require(document?["liveActivities"] as? [String: [String: Any]])
            let order = try #require(activities["order-1001"])
            let expected = order["end"] == nil ? [try Self.text(Self.decoded(order["state"]))] : []
            for device in ["ana-iphone", "ana-ipad"] {
                let shown = try simulator.tiles(device).map { try Self.text($0["state"]) }
                #expect(shown == expected, "\(stage) on \(device)")
            }
            try workspace.assertInStep()
        }
    }

    /// The state as the app decodes it: its time is one since 2001.
    private static func decoded(_ state: Any?) throws -> Any {
        var state = try #require(state as? [String: Any])
        let eta = try #require(state["eta"] as? String)
        state["eta"] = Int(try Date(eta, strategy: .iso8601).timeIntervalSinceReferenceDate)
        return state
    }

    private static func text(_ state: Any?) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: try #require(state), options: .sortedKeys)
        return String(decoding: data, as: UTF8.self)
    }
}

/// A page whose fenced blocks are carried out; `RECORD_GOLDEN=1` writes what came out into it, and still fails.
struct Readme {
    /// A fenced block.
    struct Block {
        var language: String
        var lines: [String]
    }

    let path: String
    let text: String

    init(_ path: String) throws {
        self.path = path
        text = try Checkout.text(path)
    }

    /// The page with the lines that `body` makes of each block.
    func carriedOut(_ body: (Block) throws -> [String]) rethrows -> [String] {
        var page: [String] = []
        var block: Block?
        for line in text.components(separatedBy: "\n") {
            guard line.hasPrefix("```") else {
                if block == nil { page.append(line) } else { block?.lines.append(line) }
                continue
            }
            if let whole = block {
                page += try body(whole)
                block = nil
            } else {
                block = Block(language: String(line.dropFirst(3)), lines: [])
            }
            page.append(line)
        }
        return page
    }

    /// The texts of the blocks in a language.
    func blocks(_ language: String) -> [String] {
        var found: [String] = []
        _ = carriedOut { block in
            if block.language == language { found.append(block.lines.joined(separator: "\n") + "\n") }
            return block.lines
        }
        return found
    }

    /// Expects that the page is what came out.
    func expect(_ actual: [String]) throws {
        #expect(actual == text.components(separatedBy: "\n"), "\(path) is not what one sees")
        guard ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" else { return }
        let file = Checkout.root.appending(path: path)
        try Data(actual.joined(separator: "\n").utf8).write(to: file)
    }
}
