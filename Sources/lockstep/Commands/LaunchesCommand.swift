import Diff
import Foreign
import JSON
import Reconcile
internal import Time

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
        let ledger = Inspection(try Project.pipeline(config, output, on: system))
        try ledger.launches(subject.map { Text($0) }) { launch in
            count += 1
            guard !output.isJSON else { return output.item(launch.value) }
            output.line(launch.sentence)
            if subject != nil { for line in launch.history { output.line(line) } }
        }
        if count == 0, let subject {
            try ledger.requireKnown(subject)
            if !output.isJSON { output.line("There is no launch of '\(subject)'.") }
        } else if count == 0, !output.isJSON {
            output.line("Every launch is resolved.")
        }
        return .done
    }
}

extension LaunchView {
    /// One line for people.
    fileprivate var sentence: String {
        switch self {
        case .launch(let launch): launch.sentence
        case .unattributed(let activity): activity.sentence
        }
    }

    /// The events of its life, an indented line each.
    fileprivate var history: [String] {
        guard case .launch(let launch) = self else { return [] }
        return launch.history.map { event in
            let facts = [RFC3339.string(event.at), event.kind.word.string, event.run?.description].compactMap(\.self)
            return "  " + facts.joined(separator: " ")
        }
    }
}

extension LaunchStatus {
    /// One line for people.
    ///
    /// `lrq_… order-1001 of user_42 on d1: outstanding; its start is unknown (the run that sent it died)`
    fileprivate var sentence: String {
        let what = "\(instance.launch?.description ?? "") \(instance.name) of \(owner.subscriber) on \(instance.device)"
        let closure = instance.phase.closure?.rawValue.string ?? ""
        let isSaid = closure.isEmpty || outcome.word.string.hasPrefix(closure)
        let answer = start?.delivery.answer
        let why = [answer?.reason, answer?.note].compactMap { $0?.string }.joined(separator: ", ")
        let sent = "its start is \(start?.delivery.status.rawValue.string ?? "")\(why.isEmpty ? "" : " (\(why))")"
        return "\(what): \(outcome.word)\(isSaid ? "" : ", \(closure)"); \(sent)\(next)"
    }

    /// The next step, or the one that a person can take.
    private var next: String {
        switch outcome {
        case .phase(.outstanding): confirmationDueAt.map { "; its report is due by \(RFC3339.string($0))" } ?? ""
        case .phase(.unconfirmed), .resolved(.unconfirmed):
            "; a new generation, or \"restart\": \"if-unconfirmed\", starts it again"
        default: ""
        }
    }
}

extension UnattributedActivity {
    fileprivate var sentence: String {
        "\(instance.id) of \(owner.subscriber) on \(instance.device): \(resolution); no launch of "
            + "'\(instance.attributesType)' there until the app reports it over, or \(RFC3339.string(blocksUntil))"
    }
}
