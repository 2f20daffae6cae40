import Foreign
import JSON
import Reconcile
internal import Time

/// `lockstep show`: shows a saved plan.
struct ShowCommand: Equatable, Sendable {
    /// The file.
    let path: String
}

extension ShowCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments) {
        path = arguments.operands.first ?? ""
    }

    func run(_ output: Output) throws -> ExitStatus {
        output.beginEvents()
        let plan = try SavedPlan(path)
        let renderer = output.planRenderer(of: plan.header.sourceCommit?.string)
        try plan.each { entries in
            for line in renderer.lines(for: entries) { output.line(line) }
            if output.isAbandoned { throw AbandonedOutput() }
        }
        for line in renderer.lines(for: plan.summary, []) { output.line(line) }
        let header = plan.header
        let made = RFC3339.string(header.createdAt)
        let until = RFC3339.string(header.expiresAt)
        output.say("\(header.id), made at \(made), may be applied until \(until).")
        return .done
    }
}
