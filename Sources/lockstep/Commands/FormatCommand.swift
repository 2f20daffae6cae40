import Foreign
import JSON
import Reconcile

/// `lockstep fmt`: lays state files out.
struct FormatCommand: Equatable, Sendable {
    /// The treatment of a file that is not laid out.
    enum Mode: Equatable, Sendable {
        /// It is rewritten.
        case write
        /// It is named.
        case check
        /// Its changes are shown.
        case diff
    }

    /// The configuration's path, where one was given.
    let config: String?
    /// The paths to lay out; everything where empty.
    let paths: [String]
    let mode: Mode
}

extension FormatCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) {
        config = options.config
        paths = arguments.operands
        mode = arguments.has(.diff) ? .diff : arguments.has(.check) ? .check : .write
    }

    func run(_ output: Output, _ system: SystemEnvironment) throws -> ExitStatus {
        output.streamsEvents = true
        var changed = 0
        let errors = try FormatRun(Project.configuration(config)).run(paths, problems: output.problem) { file in
            guard !file.isFormatted else { return }
            changed += 1
            if mode == .write { try file.write() }
            if output.isJSON {
                output.item(["type": "format", "file": .string(Text(file.path)), "written": .bool(mode == .write)])
            } else if mode == .diff {
                for line in UnifiedDiff.lines(of: file.path, file.before, file.after) { output.line(line) }
            } else {
                output.line(file.path)
            }
        }
        if errors > 0 { return .badInput }
        return mode != .write && changed > 0 ? .failed : .done
    }
}
