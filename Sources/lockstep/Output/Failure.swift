import Foreign
import JSON
internal import Ledger
import Reconcile
internal import Source

/// The failure of a command, as people and programs are told.
struct Failure: Error, Equatable {
    /// The status that the program ends with.
    let status: ExitStatus
    /// A stable snake_case name for programs.
    let code: String
    /// The fault, its place, its cause, and the way out.
    let message: String
    /// The single reasons, where there are several.
    let causes: [Cause]

    init(_ status: ExitStatus, code: String, _ message: String, causes: [Cause] = []) {
        self.status = status
        self.code = code
        self.message = message
        self.causes = causes
    }

    /// Tells what an error means to whoever called the program.
    init(_ error: any Error) {
        self =
            switch error {
            case let failure as Failure: failure
            case let error as UsageError: Failure(.usage, code: error.code, error.description)
            case let error as FileLockError: Failure(lock: error)
            case let error as ConfigurationError: Failure(configuration: error)
            case let error as SourceError: Failure(.badInput, code: error.code, error.description)
            case let error as StateError: Failure(.badInput, code: error.code, error.description)
            case let error as RunError: Failure(run: error)
            case let error as PlanFileError: Failure(.badInput, code: "wrong_plan", error.description)
            case let error as StalePlan: Failure(plan: error)
            case let error as NoQuota: Failure(.badInput, code: "no_quota", error.description)
            case let error as ScopeError: Failure(.badInput, code: "not_found", error.description)
            case let error as ReloadError: Failure(.usage, code: "wrong_reload", error.description)
            case let error as LedgerError: Failure(.failed, code: error.code, error.description)
            case let error as SQLiteError: Failure(LedgerError(error, path: error.subject))
            case let error as TemplateError: Failure(template: error)
            case let error as FileError: Failure(.failed, code: "file_error", error.description)
            default: Failure(.failed, code: "failed", "\(error)")
            }
    }

    private init(lock error: FileLockError) {
        switch error {
        case .held: self.init(.locked, code: "locked", error.description)
        case .failed: self.init(.failed, code: "system_error", error.description)
        }
    }

    private init(configuration error: ConfigurationError) {
        let errors = error.diagnostics.count { $0.severity == .error }
        let message = "\(errors) \(errors == 1 ? "problem" : "problems") in the configuration; nothing was done"
        self.init(.badInput, code: "wrong_configuration", message, causes: error.diagnostics.map(Cause.file))
    }

    private init(plan error: StalePlan) {
        var causes: [Cause] = []
        if case .moved(let review) = error { causes = review.conflicts.map(Cause.conflict) }
        self.init(.stalePlan, code: error.code, error.description, causes: causes)
    }

    private init(template error: TemplateError) {
        switch error {
        case .exists: self.init(.badInput, code: "file_exists", error.description)
        case .examples(let diagnostics):
            self.init(.badInput, code: "wrong_examples", error.description, causes: diagnostics.map(Cause.file))
        }
    }

    private init(run error: RunError) {
        switch error {
        case .invalidFiles: self.init(.badInput, code: "wrong_files", error.description)
        case .unsafe(let violations):
            let limits = violations.count == 1 ? "a safety limit" : "\(violations.count) safety limits"
            let message = "refused by \(limits); nothing was committed or sent"
            self.init(.unsafe, code: "unsafe", message, causes: violations.map(Cause.limit))
        case .secret: self.init(.badInput, code: "secret_missing", error.description)
        case .clockBehind: self.init(.failed, code: "clock_behind", error.description)
        case .proxy: self.init(.failed, code: "wrong_proxy", error.description)
        }
    }
}

extension Failure {
    /// Runs what may need a ledger that is not there: an empty one would start everything again, so it has to be asked for.
    ///
    /// - Parameter body: The run.
    /// - Returns: The outcome.
    /// - Throws: The errors of `body`; a missing or empty ledger as a refusal, exit status 4.
    static func askingForLedger<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as LedgerError {
            switch error {
            case .missing, .empty: throw Failure(.unsafe, code: error.code, error.description)
            default: throw error
            }
        }
    }
}

/// Whoever read the output has gone: a command that only shows something may stop.
struct AbandonedOutput: Error {}

extension StalePlan {
    /// A stable name for programs.
    fileprivate var code: String {
        switch self {
        case .expired: "plan_expired"
        case .otherLedger: "plan_of_other_ledger"
        case .moved: "plan_stale"
        }
    }
}

extension StateError {
    /// A stable name for programs.
    fileprivate var code: String {
        switch self {
        case .nothingMatches, .noTarget: "not_found"
        case .taken: "name_taken"
        case .wrongName: "wrong_name"
        case .exists: "file_exists"
        }
    }
}

extension LedgerError {
    /// A stable name for programs.
    var code: String {
        switch self {
        case .missing: "ledger_missing"
        case .empty: "ledger_empty"
        case .exists: "ledger_exists"
        case .foreign: "ledger_foreign"
        case .newer: "ledger_newer"
        case .corrupt: "ledger_corrupt"
        case .storage: "ledger_storage"
        }
    }
}
