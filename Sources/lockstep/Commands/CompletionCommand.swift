/// `lockstep completion`: writes a completion script.
struct CompletionCommand: Equatable, Sendable {
    /// For which shell.
    let shell: Completion.Shell
}

extension CompletionCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments) throws(UsageError) {
        let word = arguments.operands[0]
        guard let shell = Completion.Shell(rawValue: word) else {
            throw .wrongOperand(word, expected: UsageError.list(Completion.Shell.allCases.map(\.rawValue), "or"))
        }
        self.shell = shell
    }

    func run(_ output: Output) -> ExitStatus {
        for line in Completion.script(for: shell) { output.line(line) }
        return .done
    }
}
