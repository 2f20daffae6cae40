import Foreign
import Simulator

/// `lockstep simulate`: runs an APNs simulator with devices.
struct SimulateCommand: Equatable, Sendable {
    /// The port of the production service; 0 takes a free one.
    let port: Int
    /// The port of the sandbox; 0 takes a free one.
    let sandboxPort: Int
    /// The file that url, caFile and configuration are written to once connections are accepted.
    let readyFile: String?
    /// The directory of keys, certificates and screens.
    let stateDirectory: String
    /// The directory that devices put their reports in.
    let spool: String
    /// The directory that widgets read published state from.
    let published: String
    /// The apps that Apple knows: bundle ids, each with `=TEAM` where it is not the first team.
    let apps: [String]
    /// The number of streams that a connection may have open.
    let streams: Int?
    /// The number of streams that a connection may have open before its first authenticated request.
    let firstStreams: Int?
    /// A file of commands that are carried out first.
    let commands: String?
    /// Makes tokens, ids and faults the same from run to run.
    let seed: Int?
    /// True where requests are written down.
    let logsRequests: Bool
    /// True where it stops when standard input ends.
    let stopsAtEndOfInput: Bool
}

extension SimulateCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments) {
        port = arguments.count(.port) ?? 0
        sandboxPort = arguments.count(.sandboxPort) ?? 0
        readyFile = arguments.text(.readyFile)
        stateDirectory = arguments.text(.stateDir) ?? "simulator"
        spool = arguments.text(.spool) ?? "reports"
        published = arguments.text(.publicDir) ?? "public"
        apps = arguments.texts(.app)
        streams = arguments.count(.streams)
        firstStreams = arguments.count(.firstStreams)
        commands = arguments.text(.commands)
        seed = arguments.count(.seed)
        logsRequests = !arguments.has(.noRequestLog)
        stopsAtEndOfInput = arguments.has(.untilEOF)
    }

    func run(_ output: Output) throws -> ExitStatus {
        let signals = StopSignals()
        let simulator = try Simulator(try options()) { answer in
            output.line(answer)
            output.flush()
        }
        try simulator.run(until: signals) { output.say($0) }
        return .done
    }

    private func options() throws(Failure) -> Simulator.Options {
        var options = Simulator.Options(stateDirectory: stateDirectory, spool: spool, publishDirectory: published)
        guard let port = UInt16(exactly: port), let sandboxPort = UInt16(exactly: sandboxPort) else {
            throw Failure(.usage, code: "bad_port", "a port is at most 65535")
        }
        options.port = port
        options.sandboxPort = sandboxPort
        options.readyFile = readyFile
        if !apps.isEmpty {
            options.apps = apps.map { app in
                let parts = app.split(separator: "=", maxSplits: 1).map(String.init)
                let standard = Simulator.Options.App()
                return Simulator.Options.App(
                    bundle: parts.first ?? standard.bundle,
                    team: parts.count == 2 ? parts[1] : standard.team
                )
            }
        }
        if let streams { options.streams = UInt32(clamping: streams) }
        if let firstStreams { options.firstStreams = UInt32(clamping: firstStreams) }
        options.commands = commands
        options.seed = seed.map { UInt64($0) }
        options.logsRequests = logsRequests
        options.stopsAtEndOfInput = stopsAtEndOfInput
        return options
    }
}
