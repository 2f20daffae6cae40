internal import Foreign
public import JSON
public import Time

/// A simulated APNs with its phones, asked without a socket: no files, no waiting, no clock of its own.
///
/// The same seed and the same calls give the same answers, tokens and reports. ``Simulator`` puts connections, a spool
/// and a loop around it.
public final class SimulatedService {
    let world: World
    let apple: Apple
    private let commander: Commander
    private var lateReports = Deadlines<Moment, Report>()
    private var connections: UInt64 = 0
    private var delivered = 0

    init(apps: [Simulator.Options.App], keys: [ProviderKey], published: Published, seed: UInt64) {
        var random = Random(seed: seed)
        let faults = Faults(random: Random(seed: random.next()))
        world = World(random: random, published: published)
        let teams = Dictionary(apps.map { ($0.bundle, $0.team) }) { first, _ in first }
        let inspector = Inspector(tokens: ProviderTokens(keys: keys), teams: teams, world: world)
        apple = Apple(world: world, faults: faults, inspector: inspector)
        commander = Commander(apple: apple, defaultApp: apps.first?.bundle ?? Simulator.Options.App().bundle)
    }

    // MARK: People and phones

    /// Carries out a command of `lockstep simulate`: one line of JSON.
    ///
    /// `streams`, `goaway`, `cut`, `screens` and `stop` do nothing here.
    ///
    /// - Returns: The answer, a JSON object with `ok`.
    public func carryOut(_ line: [UInt8], at now: Moment) -> Value {
        settle(at: now)
        return carryOut(line, reports: delivered, at: now).answer
    }

    func carryOut(_ line: [UInt8], reports: Int, at now: Moment) -> (answer: Value, command: Command?) {
        commander.carryOut(line, reports: reports, at: now)
    }

    /// Lets time pass: activities go stale, reach their 8 hours, leave the lock screen.
    public func settle(at now: Moment) { world.settle(at: now) }

    /// The moment at which a phone changes, or a late report arrives, by itself.
    public var nextChange: Moment? { [world.nextChange, lateReports.next].compactMap { $0 }.min() }

    /// The screens of all phones, in the form of `screens.json`.
    public func screens(at now: Moment) -> Value {
        settle(at: now)
        return Screens.value(of: world, at: now)
    }

    /// Hands over the reports that have arrived since the last call, each a line for the spool without its end.
    public func takeReportLines(at now: Moment) -> [[UInt8]] {
        settle(at: now)
        let reports = takeReports(at: now)
        delivered += reports.count
        return reports.map(\.value.canonicalBytes)
    }

    /// The reports that have arrived, less those that a fault loses or delays, and with those that it doubles.
    func takeReports(at now: Moment) -> [Report] {
        var arrived: [Report] = []
        for report in world.reports.take() {
            let context = FaultContext(
                device: report.device,
                subscriber: report.subscriber,
                app: report.app,
                type: report.kind
            )
            switch apple.faults.happens(toReport: context) {
            case .loseReport: break
            case .doubleReport: arrived += [report, report]
            case .delayReport(let span): lateReports.add(report, at: now + span)
            default: arrived.append(report)
            }
        }
        while let (_, report) = lateReports.popDue(at: now) { arrived.append(report) }
        return arrived
    }

    // MARK: Senders

    /// Lets a sender connect to one of the two services.
    public func connect(to environment: APNsEnvironment) -> SimulatedConnection {
        connections += 1
        let beginning: SimulatedConnection.Beginning =
            switch apple.connect(to: environment) {
            case .refuseConnection: .refused
            case .dismissConnection(let reason): .dismissed(reason: reason)
            default: .open
            }
        return SimulatedConnection(id: connections, environment: environment, beginning: beginning)
    }

    /// Takes a request that came over an open connection.
    public func receive(
        _ request: SimulatedRequest,
        over connection: SimulatedConnection,
        at now: Moment
    ) -> SimulatedReceipt {
        settle(at: now)
        var entry = RequestLog.Entry(
            request: request,
            payload: try? Value(json: request.body),
            environment: connection.environment,
            connection: connection.id,
            stream: 0
        )
        let outcome = apple.receive(&entry, provider: &connection.provider, at: now)
        return SimulatedReceipt(
            outcome: outcome,
            device: entry.device,
            event: entry.event?.rawValue,
            effect: entry.effect?.word,
            fault: entry.fault
        )
    }
}

/// The fate of a request, and the words that `requests.ndjson` has for it.
public struct SimulatedReceipt: Equatable, Sendable {
    /// The fate of it.
    public let outcome: SimulatedOutcome
    /// The device that the token belongs to.
    public let device: String?
    /// The kind of push.
    public let event: String?
    /// The effect on the phone; `nil` where the push did not get as far.
    public let effect: String?
    /// The fault that was asked for.
    public let fault: String?
}

/// A sender's connection to a ``SimulatedService``, as Apple remembers it.
public final class SimulatedConnection {
    /// The beginning of a connection.
    public enum Beginning: Equatable, Sendable {
        /// It takes requests.
        case open
        /// It is closed before a byte of TLS.
        case refused
        /// GOAWAY, before any request.
        case dismissed(reason: String)
    }

    /// The beginning of this one.
    public let beginning: Beginning
    let id: UInt64
    let environment: APNsEnvironment
    var provider = ProviderSession()

    init(id: UInt64, environment: APNsEnvironment, beginning: Beginning) {
        self.id = id
        self.environment = environment
        self.beginning = beginning
    }
}
