public import APNs
public import Diff
public import Foreign
public import JSON
public import Time
public import Source

/// What one run of plan or apply was asked for.
public struct RunOptions: Hashable, Sendable {
    /// The targets it is restricted to.
    public var selection = Selection([])
    /// What it may do beyond the limits of the configuration.
    public var overrides = SafetyOverrides()
    /// Where the state files are.
    public var source = StateSource.disk
    /// Whether a restored ledger is accepted as it is, so that starts are sent again.
    public var acceptsRestored = false
    /// Whether apply makes the ledger, which must not exist yet.
    public var makesLedger = false

    /// A run over everything, within the limits.
    public init() {}
}

/// Where a plan is saved.
public struct PlanDestination: Hashable, Sendable {
    /// The file.
    public var path: String
    /// For how long it may be applied.
    public var lifetime: Span

    /// A destination.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - lifetime: For how long it may be applied; absent: 24 hours.
    public init(path: String, lifetime: Span? = nil) {
        self.path = path
        self.lifetime = lifetime ?? .hours(24)
    }
}

/// Why a run ends before everything is done; nothing is lost by it.
public enum StopReason: Hashable, Sendable {
    /// A person or the system asked for it.
    case signal
    /// Its time is over.
    case maxRuntime
}

/// The effects of a run that do not belong to any step: the clock, the environment, and whether to stop.
public struct RunEnvironment {
    /// The program and its version: what one version keeps for itself, another does not use.
    public var program: Text
    /// The clock and the chance.
    public var system: SystemEnvironment
    /// Looks up an environment variable.
    public var variable: (String) -> String?
    /// Whether sensitive values are shown.
    public var showsSensitive = false
    /// Why the run is to stop, once it is: it then finishes what is in flight and leaves the rest to the next run.
    public var stopped: () -> StopReason?
    /// Once sending begins: a descriptor that becomes readable when ``stopped`` may have changed, so that a wait ends
    /// early.
    public var interrupt: () -> Int32?
    /// Makes what carries the pushes of a run, by a clock, with a descriptor that ends a wait early: APNs over HTTP/2.
    public var transport: (SystemEnvironment, _ interrupt: Int32?) throws -> any PushTransport = {
        try PushLoop($0, interrupt: $1)
    }
    /// Takes a warning, one line.
    public var warn: (String) -> Void
    /// Takes what a person should know and a quiet run need not say each time, one line.
    public var remark: (String) -> Void
    /// Takes how far sending is: pushes settled, and pushes to settle.
    public var progress: (Int, Int) -> Void

    /// The effects of a run.
    public init(
        program: Text = "",
        system: SystemEnvironment,
        variable: @escaping (String) -> String?,
        stopped: @escaping () -> StopReason? = { nil },
        interrupt: @escaping () -> Int32? = { nil },
        warn: @escaping (String) -> Void = { _ in },
        remark: @escaping (String) -> Void = { _ in },
        progress: @escaping (Int, Int) -> Void = { _, _ in }
    ) {
        self.program = program
        self.system = system
        self.variable = variable
        self.stopped = stopped
        self.interrupt = interrupt
        self.warn = warn
        self.remark = remark
        self.progress = progress
    }
    /// The time.
    public func now() -> Moment { system.now() }
}
