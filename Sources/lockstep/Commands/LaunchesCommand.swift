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

    func run(_ output: Output, _ system: SystemEnvironment) throws -> ExitStatus {
        output.streamsEvents = true
        var count = 0
        let pipeline = try Project.pipeline(config, output, on: system)
        try pipeline.launches(subject.map { Text($0) }) { launch in
            count += 1
            guard !output.isJSON else { return output.item(launch) }
            output.line(Self.words(of: launch))
            if subject != nil { for line in Self.history(of: launch) { output.line(line) } }
        }
        if count == 0, let subject {
            try pipeline.requireKnown(subject)
            if !output.isJSON { output.line("There is no launch of '\(subject)'.") }
        } else if count == 0, !output.isJSON {
            output.line("Every launch is resolved.")
        }
        return .done
    }

    /// The events of its life, an indented line each.
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
        func text(_ key: Text) -> String { launch[key]?.text?.string ?? "" }
        let resolution = text("resolution")
        if launch["name"] == .null {
            return "\(text("targetId")) of \(text("subscriber")) on \(text("device")): \(resolution); no launch of "
                + "'\(text("attributesType"))' there until the app reports it over, or \(text("blocksUntil"))"
        }
        let what = "\(text("launchRequestId")) \(text("name")) of \(text("subscriber")) on \(text("device"))"
        let closure = launch["closure"]?.text?.string ?? ""
        let isSaid = closure.isEmpty || resolution.hasPrefix(closure)
        let start = launch["start"]
        let why = [start?["reason"], start?["note"]].compactMap { $0?.text?.string }.joined(separator: ", ")
        let sent = "its start is \(start?["status"]?.text?.string ?? "")\(why.isEmpty ? "" : " (\(why))")"
        return "\(what): \(resolution)\(isSaid ? "" : ", \(closure)"); \(sent)\(next(resolution, launch))"
    }

    /// The next step, or the one that a person can take.
    private static func next(_ resolution: String, _ launch: Value) -> String {
        switch resolution {
        case "outstanding": launch["confirmationDueAt"]?.text.map { "; its report is due by \($0)" } ?? ""
        case "unconfirmed": "; a new generation, or \"restart\": \"if-unconfirmed\", starts it again"
        default: ""
        }
    }
}
