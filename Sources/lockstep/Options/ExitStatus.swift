/// Every status that the program ends with.
enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case failed = 1
    case changes = 2
    case undelivered = 3
    case unsafe = 4
    case stalePlan = 5
    case usage = 64
    case badInput = 65
    case locked = 75
    case interrupted = 130
    case terminated = 143

    /// Its meaning, for `--help`, the man page and the README.
    var meaning: String {
        switch self {
        case .done: "done, or nothing to do"
        case .failed: "the run failed"
        case .changes: "plan --detailed-exitcode: there are changes"
        case .undelivered:
            "state committed, but pushes of this run failed or are unknown, or a configuration fault stopped an app"
        case .unsafe: "refused by a safety limit"
        case .stalePlan: "the saved plan is stale"
        case .usage: "wrong usage"
        case .badInput: "a file is wrong, or a report line was rejected (the rest was taken)"
        case .locked: "another run holds the lock"
        case .interrupted: "stopped by SIGINT, after recording what was in flight"
        case .terminated: "stopped by SIGTERM or SIGHUP, after recording what was in flight"
        }
    }
}
