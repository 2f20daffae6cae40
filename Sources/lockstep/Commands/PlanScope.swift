import Diff
import JSON
import Reconcile
internal import Source

/// The part of the files that a plan covers, and what its safety limits let pass this once.
struct PlanScope: Equatable, Sendable {
    /// The place of the state files.
    var source = StateSource.disk
    /// The globs of `--only`; everything where empty.
    var only: [String] = []
    /// The globs of `--exclude`.
    var excluded: [String] = []
    /// The paths of `--only-file`.
    var onlyFiles: [String] = []
    /// The number of activities that may end by removal.
    var removed: Int?
    /// The number of running activities that may be replaced.
    var replaced: Int?
    /// The number of pushes that may go out.
    var pushes: Int?
    /// The protected activities that may end by removal.
    var protected: [String] = []
    /// True where the files may declare nothing at all.
    var mayBeEmpty = false
    /// True where a commit may be older than the one that was applied last, or beside it.
    var mayRollBack = false
    /// True where a restored ledger is accepted as it is.
    var acceptsRestored = false

    /// Everything, with the configured limits.
    init() {}

    /// Reads it from a command line.
    init(_ arguments: Arguments) throws(UsageError) {
        let repository = arguments.text(.repo)
        if let revision = arguments.text(.rev) {
            source = .commit(revision: revision, repository: repository)
        } else if repository != nil {
            throw .lonely("--repo", needs: "--rev")
        }
        only = arguments.texts(.only)
        excluded = arguments.texts(.exclude)
        onlyFiles = arguments.texts(.onlyFile)
        removed = arguments.count(.allowRemoved)
        replaced = arguments.count(.allowReplaced)
        pushes = arguments.count(.allowPushes)
        protected = arguments.texts(.allowProtected)
        mayBeEmpty = arguments.has(.allowEmpty)
        mayRollBack = arguments.has(.allowRollback)
        acceptsRestored = arguments.has(.afterRestore)
    }

    /// The options of the run.
    var options: RunOptions {
        var options = RunOptions()
        options.source = source
        options.selection = Selection(only, excluding: excluded, files: onlyFiles)
        options.acceptsRestored = acceptsRestored
        options.overrides = SafetyOverrides(
            removed: removed,
            replaced: replaced,
            pushes: pushes,
            protected: protected.map { Text($0) },
            empty: mayBeEmpty,
            rollback: mayRollBack
        )
        return options
    }

    /// Says so where nothing is selected, which is more often a slip than meant.
    func warn(selected: Int, _ output: Output) {
        guard !only.isEmpty || !onlyFiles.isEmpty, selected == 0 else { return }
        let parts = [("--only", only), ("--only-file", onlyFiles), ("--exclude", excluded)].filter { !$0.1.isEmpty }
        let given = parts.map { option, values in
            option + " " + values.map { "'\($0)'" }.joined(separator: ", ")
        }
        output.problem(
            "nothing_selected",
            "\(given.joined(separator: " ")) matches nothing that the files declare or the ledger holds; --only and "
                + "--exclude take SUBSCRIBER, SUBSCRIBER/widget/NAME or SUBSCRIBER/activity/NAME, --only-file the path of a "
                + "state file"
        )
    }
}
