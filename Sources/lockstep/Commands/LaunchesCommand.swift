import Foreign
import JSON
import Reconcile

/// `lockstep launches`: lists launches and what became of them.
struct LaunchesCommand: Equatable, Sendable {
    /// The configuration's path, where one was given.
    let config: String?
    /// A subscriber or an id; all that are not resolved where absent.
    let subject: String?
}

extension LaunchesCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) {
        config = options.config
        subject = arguments.operands.first
    }

    func run(_ output: Output) throws -> ExitStatus {
        output.streamsEvents = true
        var count = 0
        try Project.pipeline(config, output).launches(subject.map { Text($0) }) { launch in
            count += 1
            guard !output.isJSON else { return output.item(launch) }
            output.line(Self.words(of: launch))
            if subject != nil { for line in Self.history(of: launch) { output.line(line) } }
        }
        if count == 0, !output.isJSON {
            output.line(subject == nil ? "Every launch is resolved." : "There is no launch of '\(subject ?? "")'.")
        }
        return .done
    }

    /// What happened to it, an indented line each.
    private static func history(of launch: Value) -> [String] {
        (launch["history"]?.array ?? []).map { event in
            let facts = ["at", "event", "run"].compactMap { event[Text($0)]?.text?.string }
            return "  " + facts.joined(separator: " ")
        }
    }

    /// One line for people.
    ///
    /// `lrq_… order-1001 of user_42 on d1: outstanding; its start is unknown (the run that sent it died)`
    private static func words(of launch: Value) -> String {
        func text(_ value: Value?) -> String { value?.text?.string ?? "" }
        let what = "\(text(launch["launchRequestId"])) \(text(launch["name"])) of \(text(launch["subscriber"]))"
        let closure = launch["closure"]?.text.map { ", \($0)" } ?? ""
        let start = launch["start"]
        let why = [start?["reason"], start?["note"]].compactMap { $0?.text?.string }.joined(separator: ", ")
        let sent = "its start is \(text(start?["status"]))\(why.isEmpty ? "" : " (\(why))")"
        return "\(what) on \(text(launch["device"])): \(text(launch["resolution"]))\(closure); \(sent)"
    }
}
