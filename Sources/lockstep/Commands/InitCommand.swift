import Foreign
import JSON
internal import Ledger
import Reconcile

/// `lockstep init`: writes a starting project.
struct InitCommand: Equatable, Sendable {
    /// The directory to write to.
    let directory: String
}

extension InitCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments) {
        directory = arguments.operands.first ?? "."
    }

    func run(_ output: Output, _ system: SystemEnvironment) throws -> ExitStatus {
        let files = try StartingProject.files(system)
        let ledger = Files.join(directory, StartingProject.ledger)
        for path in files.map({ Files.join(directory, $0.path) }) + [ledger] {
            guard try Files.facts(path) == nil else {
                throw Failure(
                    .badInput,
                    code: "file_exists",
                    "\(path) exists; init overwrites nothing, so choose another directory"
                )
            }
        }
        for directory in StartingProject.directories { try Files.makeDirectory(Files.join(self.directory, directory)) }
        for file in files {
            let path = Files.join(directory, file.path)
            try Files.makeDirectory(Files.parent(of: path))
            try Files.write(Array(file.text.utf8), to: path, mode: file.mode)
        }
        try SQLiteStore(path: ledger).make(on: system)
        report(files.map(\.path) + [StartingProject.ledger], output)
        return .done
    }

    private func report(_ paths: [String], _ output: Output) {
        if output.isJSON {
            let files = paths.map { Value.string(Text(Files.join(directory, $0))) }
            return output.result(["directory": .string(Text(directory)), "files": .array(files)])
        }
        for path in paths { output.line(Files.join(directory, path)) }
        output.say("Put your team, key and bundle id into lockstep.json, then: lockstep validate, lockstep plan.")
    }
}
