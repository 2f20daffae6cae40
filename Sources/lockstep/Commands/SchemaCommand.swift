import Reconcile
internal import Source

/// `lockstep schema`: writes the JSON Schema of a file that people write.
struct SchemaCommand: Equatable, Sendable {
    /// Of which file.
    let file: FileSchema
}

extension SchemaCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments) throws(UsageError) {
        let word = arguments.operands[0]
        guard let file = FileSchema(rawValue: word) else {
            throw .wrongOperand(word, expected: UsageError.list(FileSchema.allCases.map(\.rawValue), "or"))
        }
        self.file = file
    }

    func run(_ output: Output) -> ExitStatus {
        for line in file.text.split(separator: "\n") { output.line(String(line)) }
        return .done
    }
}
