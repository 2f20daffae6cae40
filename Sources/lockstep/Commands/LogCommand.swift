import Diff
import Foreign
import JSON
import Reconcile
internal import Time

/// `lockstep log`: shows what happened.
struct LogCommand: Equatable, Sendable {
    /// The configuration's path, where one was given.
    let config: String?
    /// A subscriber or an id; everything where absent.
    let subject: String?
}

extension LogCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) {
        config = options.config
        subject = arguments.operands.first
    }

    func run(_ output: Output, _ system: SystemEnvironment) throws -> ExitStatus {
        output.streamsEvents = true
        var count = 0
        let ledger = Inspection(try Project.pipeline(config, output, on: system))
        try ledger.log(subject.map { Text($0) }) { line in
            count += 1
            output.isJSON ? output.item(line.value) : output.line(line.sentence)
        }
        if count == 0, let subject { try ledger.requireKnown(subject) }
        return .done
    }
}

extension LogLine {
    /// One line for people.
    ///
    /// `2026-11-30T10:00:00Z user_42 start_accepted lrq_…: on device d1: accepted (200)`
    fileprivate var sentence: String {
        let facts = [RFC3339.string(at), subscriber?.string, kind.string, subject?.string].compactMap(\.self)
        return facts.joined(separator: " ") + ": \(text)"
    }
}
