import Diff
import Foreign
import JSON
import Reconcile

/// `lockstep quota`: shows what today's quota went to, and records what was sent elsewhere.
struct QuotaCommand: Equatable, Sendable {
    /// The task.
    enum Task: Equatable, Sendable {
        /// Shows the day.
        case show
        /// Records so many pushes that the account sent in other ways.
        case use(Int)
    }

    /// The configuration's path, where one was given.
    let config: String?
    /// The task.
    let task: Task
}

extension QuotaCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) throws(UsageError) {
        config = options.config
        let operands = arguments.operands
        guard let verb = operands.first else {
            task = .show
            return
        }
        guard verb == "use", operands.count == 2 else {
            throw .wrongOperand(operands.joined(separator: " "), expected: "use N, N being a number of pushes")
        }
        guard let pushes = Int32(operands[1]), pushes >= 0 else {
            throw .wrongOperand(operands[1], expected: "a number of pushes, 0 or more")
        }
        task = .use(Int(pushes))
    }

    func run(_ output: Output, _ system: SystemEnvironment) throws -> ExitStatus {
        let quota = QuotaUse(try Project.pipeline(config, output, on: system))
        let (day, sums) =
            switch task {
            case .show: try quota.today()
            case .use(let pushes): try quota.record(pushes)
            }
        if output.isJSON { output.result(sums.value(on: day)) } else { output.line(sums.sentence(on: day)) }
        return .done
    }
}

extension QuotaDay {
    /// For people.
    fileprivate func sentence(on day: UTCDay) -> String {
        "\(day.text) (UTC): \(left) of \(limit) left; \(consumed) accepted, \(reserved) reserved, "
            + "\(uncertain) uncertain, \(elsewhere) sent elsewhere."
    }

    /// For programs.
    fileprivate func value(on day: UTCDay) -> Value {
        [
            "day": .string(Text(day.text)), "limit": .count(limit), "consumed": .count(consumed),
            "reserved": .count(reserved), "uncertain": .count(uncertain), "elsewhere": .count(elsewhere),
            "left": .count(left), "resetsAt": .moment(day.end),
        ]
    }
}
