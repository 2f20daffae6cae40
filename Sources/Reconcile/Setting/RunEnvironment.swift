public import APNs
public import Foreign
public import Time

/// The reason that a run ends before everything is done; nothing is lost by it.
public enum StopReason: Hashable, Sendable {
    /// A person or the system asked for it.
    case signal
    /// Its time is over.
    case maxRuntime
}

/// The effects of a run that do not belong to any step: the clock, the environment, and whether to stop.
public struct RunEnvironment {
    /// The clock and the chance.
    public var system: SystemEnvironment
    /// Looks up an environment variable.
    public var variable: (String) -> String?
    /// True where sensitive values are shown.
    public var showsSensitive = false
    /// The reason to stop, once there is one: the run then finishes what is in flight and leaves the rest.
    public var stopped: () -> StopReason?
    /// Once sending begins: a descriptor that becomes readable when ``stopped`` may have changed, so that a wait ends
    /// early.
    public var interrupt: () -> Int32?
    /// Makes what carries the pushes of a run, by a clock, with a descriptor that ends a wait early: APNs over HTTP/2.
    public var transport: (SystemEnvironment, _ interrupt: Int32?) throws -> any PushTransport = {
        try PushLoop($0, interrupt: $1)
    }
    /// Takes the events of the run; what it throws ends the run.
    public var events: (RunEvent) throws -> Void

    /// The effects of a run.
    public init(
        system: SystemEnvironment,
        variable: @escaping (String) -> String?,
        stopped: @escaping () -> StopReason? = { nil },
        interrupt: @escaping () -> Int32? = { nil },
        events: @escaping (RunEvent) throws -> Void = { _ in }
    ) {
        self.system = system
        self.variable = variable
        self.stopped = stopped
        self.interrupt = interrupt
        self.events = events
    }

    /// The time.
    public func now() -> Moment { system.now() }
    /// Says a warning, one line.
    func warn(_ text: String) throws { try events(.warning(text)) }
    /// Says what a person should know and a quiet run need not say each time, one line.
    func remark(_ text: String) throws { try events(.remark(text)) }
}
