import APNs
import Diff
import Foundation
import JSON
import Ledger
import Reconcile
import Simulator
import Source
import TestSeeds
import Time

@testable import Foreign

/// A moment at which the world can stop a run, or let something happen beside it.
enum Effect: String {
    case unitBegins, unitKept, submit, poll, write, rename, synchronize
}

/// The run was killed: nothing catches this, and whatever it still asks for is refused.
struct Killed: Error {}

/// Something that must never happen.
struct Wrong: Error, CustomStringConvertible {
    var description: String
    init(_ words: String) { description = words }
}

func expect(_ condition: Bool, _ words: @autoclosure () -> String) throws {
    if !condition { throw Wrong(words()) }
}

/// One project in one process: its files, its ledger, its Apple and its phones.
final class House {
    static let keys: [(id: String, environment: APNsEnvironment, pem: [UInt8])] = {
        APNsEnvironment.allCases.compactMap { environment in
            guard let pem = try? SigningKey().privatePEM() else { return nil }
            return (environment == .production ? "PRODKEY001" : "SANDKEY001", environment, Array(pem.utf8))
        }
    }()
    private static let team = "ABCDE12345"
    private static let root = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()

    let directory: String
    let time: VirtualTime
    let service: SimulatedService
    let store: MemoryStore
    private let disk = WorldDisk()
    private let apps: [String]
    private(set) var configuration: Configuration
    private var seed: UInt64
    /// The effects of the run that is at work, and what may happen at them.
    private var effects = 0
    private var mishap: Mishap?
    private var isDead = false
    private var isBusy = false
    /// The number of the ledger's unit that began last.
    private(set) var unit = 0
    /// Judges a unit of the ledger that a run was allowed to keep.
    var judgeUnit: () throws -> Void = {}
    /// Carries out what happens beside a run.
    var beside: (Deed) throws -> Void = { _ in }
    /// Takes what Apple sees.
    private(set) var seen: [SeenRequest] = []

    init(seed: UInt64, apps: [String]) throws {
        self.seed = seed
        self.apps = apps
        directory = "\(Self.root)/lockstep-world-\(UUID().uuidString)"
        for folder in ["state", "reports", "public", "keys"] {
            try FileManager.default.createDirectory(
                atPath: "\(directory)/\(folder)",
                withIntermediateDirectories: true
            )
        }
        time = VirtualTime(Moment(seconds: 1_800_000_000 + Int64(seed % 86_400)), seed: seed ^ 0x5EED)
        for key in Self.keys { try Self.write(key.pem, "\(directory)/keys/\(key.id).p8", mode: 0o600) }
        try Self.write(Array(String(repeating: "ab", count: 32).utf8), "\(directory)/publish.key", mode: 0o600)
        configuration = try Self.configure(directory, apps, quota: nil)
        let published = "\(directory)/public"
        let configured = configuration
        let secret = try configured.publish.map { try configured.resolve($0.key) { _ in nil }.bytes } ?? []
        service = try SimulatedService(
            apps: apps.map { Simulator.Options.App(bundle: $0, team: Self.team) },
            keys: Self.keys.map {
                SimulatedService.Key(id: $0.id, team: Self.team, environment: $0.environment, pem: $0.pem)
            },
            seed: seed,
            publishKey: secret,
            published: { try? Files.read("\(published)/\($0)") }
        )
        let watch = Watch()
        store = MemoryStore(path: "\(directory)/lockstep.db") { effect in
            try watch.happens(effect == .unitBegins ? .unitBegins : .unitKept)
        }
        watch.happens = { [unowned self] in try self.happens($0) }
        disk.happens = { [unowned self] in try self.happens($0) }
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    private final class Watch {
        var happens: (Effect) throws -> Void = { _ in }
    }

    static func write(_ bytes: [UInt8], _ path: String, mode: Int = 0o644) throws {
        guard
            FileManager.default.createFile(
                atPath: path,
                contents: Data(bytes),
                attributes: [.posixPermissions: mode]
            )
        else { throw Wrong("cannot write \(path)") }
    }

    private static func configure(_ directory: String, _ apps: [String], quota: Int?) throws -> Configuration {
        var entries = Object()
        for app in apps {
            var keys = Object()
            for key in Self.keys {
                keys[Text(key.environment.rawValue)] = [
                    "keyId": .string(Text(key.id)), "key": ["file": .string(Text("keys/\(key.id).p8"))],
                ]
            }
            entries[Text(app)] = ["teamId": .string(Text(team)), "keys": .object(keys)]
        }
        var value: Object = [
            "apps": .object(entries), "state": ["state"], "ledger": "lockstep.db", "reports": "reports",
            "publish": ["directory": "public", "key": ["file": "publish.key"]],
            "safety": ["maxRemovedPercent": 100, "maxReplacedPercent": 100],
        ]
        if let quota { value["quota"] = ["dailyPushes": .integer(Int64(quota))] }
        let path = "\(directory)/lockstep.json"
        try write(Value.object(value).canonicalBytes, path)
        return try Configuration.read(path)
    }

    /// Sets the quota.
    func configure(quota: Int?) throws { configuration = try Self.configure(directory, apps, quota: quota) }

    // MARK: - Effects

    /// Counts an effect of the run that is at work: here it dies, or something happens beside it.
    func happens(_ effect: Effect) throws {
        guard isBusy else { return }
        if isDead { throw Killed() }
        if effect == .unitBegins { unit += 1 }
        effects += 1
        if effect == .unitKept { try judgeUnit() }
        switch mishap {
        case .kill(effects, _):
            isDead = true
            throw Killed()
        case .full(let first) where effects >= first: try refuse(effect)
        case .beside(effects, let deed):
            isBusy = false
            defer { isBusy = true }
            try beside(deed)
        default: break
        }
    }

    /// The disk has no room for what is to be written.
    private func refuse(_ effect: Effect) throws {
        switch effect {
        case .unitBegins: throw SQLiteError(code: 13, message: "database or disk is full", subject: store.path)
        case .write, .rename, .synchronize: throw FileError("write", directory, because: .system(ENOSPC))
        case .unitKept, .submit, .poll: break
        }
    }

    // MARK: - Runs

    /// What came of a run.
    enum Outcome {
        case done
        /// It was killed; so many files and names were lost with the power.
        case killed(lost: Int)
        /// It ended because the disk was full.
        case full
        case failed(any Error)
    }

    /// The number of the effects of the last run.
    var lastEffects: Int { effects }

    /// Runs a command whole, or until it is killed.
    ///
    /// - Returns: What came of it, and what Apple saw.
    func run(
        _ mishap: Mishap? = nil,
        events: @escaping (RunEvent) -> Void = { _ in },
        _ body: (Pipeline) throws -> Void
    ) -> (outcome: Outcome, seen: [SeenRequest]) {
        (effects, isDead, self.mishap, isBusy, seen) = (0, false, mishap, true, [])
        defer { (isBusy, self.mishap) = (false, nil) }
        var transports: [InProcessTransport] = []
        var environment = RunEnvironment(system: time.system(disk), variable: { _ in nil })
        environment.events = { events($0) }
        environment.transport = { [unowned self] _, _ in
            self.seed &+= 1
            let world = InProcessTransport.World(
                effect: { [unowned self] in try self.happens($0) },
                unit: { [unowned self] in self.unit },
                see: { [unowned self] in self.seen.append($0) }
            )
            let dice = SeededGenerator(seed: self.seed)
            let transport = InProcessTransport(self.service, self.time, dice: dice, world: world)
            transports.append(transport)
            return transport
        }
        do {
            try body(Pipeline(configuration, environment, store: store))
            if isDead { throw Killed() }
            return (.done, seen)
        } catch  where isDead {
            for transport in transports { transport.die() }
            return (.killed(lost: cutPower(after: mishap)), seen)
        } catch  where mishap?.isFull == true && error.isOfFullDisk {
            return (.full, seen)
        } catch {
            return (.failed(error), seen)
        }
    }

    /// Loses what was not waited for, where the power was cut.
    private func cutPower(after mishap: Mishap?) -> Int {
        guard case .kill(_, cutsPower: true) = mishap else { return 0 }
        seed &+= 1
        var dice = Dice(seed: seed)
        return (try? disk.cutPower(&dice)) ?? 0
    }

    /// A command that needs no lock, beside any run.
    func aside(_ body: (Pipeline) throws -> Void) throws {
        let wasBusy = isBusy
        isBusy = false
        defer { isBusy = wasBusy }
        let environment = RunEnvironment(system: time.system(disk), variable: { _ in nil })
        try body(Pipeline(configuration, environment, store: store))
    }

    // MARK: - Phones

    /// Carries out a command of the simulator.
    func send(_ command: Value) throws {
        let answer = service.carryOut(command.canonicalBytes, at: time.now)
        try expect(answer["ok"] == true, "\(command.canonical): \(answer.canonical)")
    }

    /// What an app on a phone shows.
    func screens() -> [Place: Value] {
        var screens: [Place: Value] = [:]
        for phone in service.screens(at: time.now)["devices"]?.object?.members ?? [] {
            for app in phone.value["apps"]?.object?.members ?? [] {
                screens[Place(device: phone.key.string, app: app.key.string)] = app.value
            }
        }
        return screens
    }
}

extension Mishap {
    fileprivate var isFull: Bool { if case .full = self { true } else { false } }
}

extension Error {
    /// True where the disk had no room.
    fileprivate var isOfFullDisk: Bool {
        (self as? SQLiteError)?.isFull == true || (self as? FileError)?.reason == .system(ENOSPC)
    }
}
