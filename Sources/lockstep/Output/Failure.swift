import Foreign
import JSON

/// Why a command could not be carried out, as people and programs are told.
struct Failure: Error, Equatable {
    /// What the program ends with.
    let status: ExitStatus
    /// A stable snake_case name for programs.
    let code: String
    /// What, where, why, and what to do next.
    let message: String

    init(_ status: ExitStatus, code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    /// What an error means to whoever called the program.
    init(_ error: any Error) {
        self =
            switch error {
            case let failure as Failure: failure
            case let error as UsageError: Failure(.usage, code: error.code, error.description)
            case let error as FileLockError: Failure(lock: error)
            case let error as SystemError: Failure(.failed, code: "system_error", error.description)
            default: Failure(.failed, code: "failed", "\(error)")
            }
    }

    private init(lock error: FileLockError) {
        switch error {
        case .held: self.init(.locked, code: "locked", error.description)
        case .failed: self.init(.failed, code: "system_error", error.description)
        }
    }
}
