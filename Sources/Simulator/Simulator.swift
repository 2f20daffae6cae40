public import Foreign
internal import JSON
internal import Time

/// A simulated APNs over real HTTP/2 and TLS, with simulated phones that answer as iOS does.
///
/// One loop on one thread serves connections, commands and timers. A turn of it ends with the devices' reports in the
/// spool, then the screens, then the answers: whoever has read an answer finds what it caused.
///
/// Production and sandbox listen on ports of their own; the ready configuration names both.
public final class Simulator {
    /// The longest wait of the loop while phones change with the time, which `faketime` may move.
    private static let longestWait = Span.seconds(1)
    /// Up to so many phones, the screens are written before the answer to any command.
    private static let fewPhones = 5_000
    private static let inputName: UInt64 = 0
    private static let signalName: UInt64 = 1

    private let options: Options
    private let environment: SystemEnvironment
    private let project: Project
    private let poller: Poller
    private let service: SimulatedService
    private let connections: Connections
    private let reply: (String) -> Void
    private var spool: Spool
    private var screens: Screens
    private var shallStop = false

    /// Prepares everything but the ports; makes certificates, keys and directories where they are missing.
    ///
    /// - Parameters:
    ///   - options: Its options.
    ///   - reply: Takes the answer to each command: one line, without its end.
    /// - Throws: The fault of a directory, a file or a key.
    public init(_ options: Options, reply: @escaping (String) -> Void) throws {
        self.options = options
        self.reply = reply
        environment = options.environment
        project = try Project(options)
        poller = try Poller()
        let directory = options.stateDirectory
        spool = Spool(directory: options.spool, run: "sim-" + Hex.text(try environment.randomBytes(8)))
        screens = Screens(path: Files.join(directory, "screens.json"), uptime: environment.uptime)
        let log = options.logsRequests ? try RequestLog(path: Files.join(directory, "requests.ndjson")) : nil
        let publishDirectory = options.publishDirectory
        service = SimulatedService(
            apps: options.apps,
            keys: project.providerKeys,
            published: Published(key: project.publishKey) { try? Files.read("\(publishDirectory)/\($0)") },
            seed: try options.seed ?? Simulator.seed(from: environment)
        )
        connections = Connections(
            apple: service.apple,
            poller: poller,
            environment: environment,
            tls: try TLSContext.server(certificates: project.server.certificate, key: project.server.key),
            log: log,
            streams: options.streams,
            firstStreams: options.firstStreams
        )
    }

    /// Listens, writes the ready file and serves until a signal, the command `stop` or, if asked for, the end of the
    /// input.
    ///
    /// - Parameters:
    ///   - signals: SIGINT and SIGTERM, held back since before anything else began.
    ///   - announce: Takes a line for people once everything is ready.
    /// - Throws: The fault of a port, a file or a startup command.
    public func run(until signals: StopSignals, announce: (String) -> Void = { _ in }) throws {
        let urls = try listen()
        try project.writeConfiguration(urls: urls)
        if let path = options.commands { try carryOutCommands(in: path) }
        try finishTurn(showsScreens: true)
        if let path = options.readyFile { try project.writeReadyFile(path, urls: urls) }
        announce(
            "production at \(urls[.production] ?? ""), sandbox at \(urls[.sandbox] ?? ""); "
                + "configuration: \(project.configurationFile)"
        )
        try poller.add(signals.descriptor, for: .read, token: Simulator.signalName)
        let input = options.input.map { IncomingLines(descriptor: $0) }
        if let input { try poller.add(input.descriptor, for: .read, token: Simulator.inputName) }
        while !shallStop { try turn(signals, input) }
        connections.closeAll()
        try finishTurn(showsScreens: true)
    }

    private static func seed(from environment: SystemEnvironment) throws -> UInt64 {
        try environment.randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func listen() throws -> [APNsEnvironment: String] {
        let production = try connections.listen(port: options.port, for: .production)
        let sandbox = try connections.listen(port: options.sandboxPort, for: .sandbox)
        return [.production: "https://127.0.0.1:\(production)", .sandbox: "https://127.0.0.1:\(sandbox)"]
    }

    // MARK: The loop

    private func turn(_ signals: StopSignals, _ input: IncomingLines?) throws {
        let events = try poller.wait(nextWait())
        let now = environment.now()
        service.settle(at: now)
        var answers: [Value] = []
        var showsScreens = false
        for event in events {
            switch event.token {
            case Simulator.signalName:
                if signals.received != nil { shallStop = true }
            case Simulator.inputName:
                guard let input else { continue }
                for line in input.read() where !line.isEmpty {
                    let (answer, command) = carryOut(line, at: now)
                    answers.append(answer)
                    let isFew = service.world.phones.count <= Simulator.fewPhones
                    showsScreens = showsScreens || isFew || command == .screens
                }
                if input.isAtEnd && options.stopsAtEndOfInput { shallStop = true }
                if input.isAtEnd { poller.remove(input.descriptor) }
            default:
                try connections.handle(event, at: now)
            }
        }
        try connections.handleWaiting(at: now)
        try finishTurn(showsScreens: showsScreens)
        for answer in answers { reply(answer.canonical) }
    }

    /// The time that the loop may wait: until the first timer, and not long while anything depends on the system's time, which
    /// may jump.
    private func nextWait() -> Span? {
        let now = environment.uptime()
        let timers = [connections.nextDue, screens.due(service.world)].compactMap { $0 }
        let wait = timers.min().map { max(.zero, $0 - now) }
        guard let change = service.nextChange else { return wait }
        let untilChange = max(.zero, min(change - environment.now(), Simulator.longestWait))
        return min(wait ?? untilChange, untilChange)
    }

    /// Writes what this turn caused: reports, screens, log and answers, in this order.
    private func finishTurn(showsScreens: Bool) throws {
        let now = environment.now()
        for report in service.takeReports(at: now) { try spool.add(report) }
        try spool.flush()
        try screens.write(service.world, always: showsScreens, at: now)
        try connections.finishTurn()
    }

    /// Carries out a command, with what it asks of the connections.
    private func carryOut(_ line: [UInt8], at now: Moment) -> (answer: Value, command: Command?) {
        let (answer, command) = service.carryOut(line, reports: spool.written, at: now)
        switch command {
        case .streams(let limit): connections.allow(streams: limit)
        case .goAway(let reason): connections.sayGoodbye(reason: reason)
        case .cut: connections.cutAll()
        case .stop: shallStop = true
        default: break
        }
        return (answer, command)
    }

    /// Carries out the commands of a file; a wrong one stops the start.
    private func carryOutCommands(in path: String) throws {
        var lines = try LineReader(path)
        var line: [UInt8] = []
        while try lines.next(into: &line) {
            guard !line.isEmpty else { continue }
            let (answer, _) = carryOut(line, at: environment.now())
            guard answer["ok"] == true else {
                throw CommandError("\(path):\(lines.number): \(answer["error"]?.text?.string ?? "wrong command")")
            }
        }
    }
}
