import JSON

/// `lockstep version`: says which Lockstep this is.
struct VersionCommand: Equatable, Sendable {
    func run(_ output: Output) -> ExitStatus {
        if output.isJSON {
            output.result(["version": .string(Text(Version.current))])
        } else {
            output.line("lockstep \(Version.current)")
        }
        return .done
    }
}
