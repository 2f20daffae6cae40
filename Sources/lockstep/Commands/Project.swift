import Foreign
import JSON
import Reconcile
internal import Time
internal import Source

/// The project that a command works on: its configuration, and what a run in it needs from outside.
enum Project {
    /// Reads the configuration: the one that was named, or the first `lockstep.json` here or in a directory above.
    static func configuration(_ path: String?) throws -> Configuration {
        guard let file = try path ?? Configuration.search() else {
            throw Failure(
                .badInput,
                code: "no_configuration",
                "there is no lockstep.json here or in a directory above; --config names one, 'lockstep init' writes one"
            )
        }
        return try Configuration.read(file)
    }

    /// The pipeline of the project for a command that only looks.
    static func pipeline(_ path: String?, _ output: Output, on system: SystemEnvironment) throws -> Pipeline {
        Pipeline(try configuration(path), environment(output, on: system))
    }

    /// The effects of a run: the clock, the chance and the variables of the system, and who shows its events.
    ///
    /// - Parameters:
    ///   - output: The place where it speaks.
    ///   - system: The clock and the chance.
    ///   - stop: The request to stop; `nil`: nobody asks for it.
    ///   - planned: Takes each owner's plan; of a command that plans nothing, nobody.
    /// - Returns: The effects.
    static func environment(
        _ output: Output,
        on system: SystemEnvironment,
        stop: StopRequest? = nil,
        planned: @escaping (PlannedOwner) throws -> Void = { _ in }
    ) -> RunEnvironment {
        var environment = RunEnvironment(
            system: system,
            variable: CurrentProcess.environment,
            stopped: { stop?.reason },
            interrupt: { stop?.descriptor },
            events: { event in
                if case .planned(let owner) = event { try planned(owner) } else { output.show(event) }
            }
        )
        environment.showsSensitive = output.options.showsSensitive
        return environment
    }
}

/// A request to stop the run: its time is over, or a signal asked for it, from the moment on at which that needs care.
///
/// Before that moment, a signal ends the process at once, as it does any other program.
final class StopRequest {
    private var signals: StopSignals?
    private var deadline: Span?
    private let uptime: @Sendable () -> Span

    /// Nothing asks for it yet.
    init(_ system: SystemEnvironment) {
        uptime = system.uptime
    }

    /// From now on, a first signal only sets ``signal``.
    func holdSignals() {
        signals = signals ?? StopSignals()
    }

    /// Becomes readable when a signal comes; `nil` while none is held.
    var descriptor: Int32? { signals?.descriptor }

    /// The signal that came.
    var signal: StopSignal? { signals?.received }

    /// The run is to stop so long from now.
    func limitRuntime(to span: Span?) {
        deadline = span.map { uptime() + $0 }
    }

    /// The reason to stop; `nil` while the run may go on.
    var reason: StopReason? {
        if signal != nil { return .signal }
        return deadline.map { $0 <= uptime() } == true ? .maxRuntime : nil
    }

    /// The status of a run that a signal ended.
    var status: ExitStatus { signal == .interrupt ? .interrupted : .terminated }
}
