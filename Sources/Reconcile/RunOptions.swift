public import Diff

/// What one run of plan or apply was asked for.
public struct RunOptions: Sendable {
    /// The targets it is restricted to.
    public var selection = Selection([])
    /// What it may do beyond the limits of the configuration.
    public var overrides = SafetyOverrides()
    /// Whether apply makes the ledger, which must not exist yet.
    public var makesLedger = false

    /// A run over everything, within the limits.
    public init() {}
}

/// The effects of a run that do not belong to any step: the clock, the environment, and whether to stop.
public struct RunEnvironment {
    /// The time, in milliseconds since 1970.
    public var now: () -> Int64
    /// Looks up an environment variable.
    public var variable: (String) -> String?
    /// Whether the run was asked to stop: it then finishes what is in flight and leaves the rest queued.
    public var isStopped: () -> Bool
    /// Once sending begins: a descriptor that becomes readable when ``isStopped`` may have changed, so that a wait ends
    /// early.
    public var interrupt: () -> Int32?
    /// Takes a warning, one line.
    public var warn: (String) -> Void
    /// Takes how far sending is: pushes settled, and pushes to settle.
    public var progress: (Int, Int) -> Void

    /// The effects of a run.
    public init(
        now: @escaping () -> Int64,
        variable: @escaping (String) -> String?,
        isStopped: @escaping () -> Bool = { false },
        interrupt: @escaping () -> Int32? = { nil },
        warn: @escaping (String) -> Void = { _ in },
        progress: @escaping (Int, Int) -> Void = { _, _ in }
    ) {
        self.now = now
        self.variable = variable
        self.isStopped = isStopped
        self.interrupt = interrupt
        self.warn = warn
        self.progress = progress
    }
}
