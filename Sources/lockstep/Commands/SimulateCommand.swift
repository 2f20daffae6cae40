/// `lockstep simulate`: runs an APNs simulator with devices.
struct SimulateCommand: Equatable, Sendable {
    /// The port; 0 takes a free one.
    let port: Int
    /// Where url, caFile and configuration are written once connections are accepted.
    let readyFile: String?
    /// Where keys, certificates and screens go.
    let stateDirectory: String
    /// Where devices put their reports.
    let spool: String
    /// Where widgets read published state.
    let published: String
    /// Whether it stops when standard input ends.
    let stopsAtEndOfInput: Bool
}

extension SimulateCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments) {
        port = arguments.count(.port) ?? 0
        readyFile = arguments.text(.readyFile)
        stateDirectory = arguments.text(.stateDir) ?? "simulator"
        spool = arguments.text(.spool) ?? "reports"
        published = arguments.text(.publicDir) ?? "public"
        stopsAtEndOfInput = arguments.has(.untilEOF)
    }

    func run(_ output: Output) throws -> ExitStatus {
        throw Failure(.failed, code: "not_built", "simulate is not built yet")
    }
}
