internal import Foreign
internal import JSON

/// One pass over state files: brings their texts to the parser, one after the other, and hands on what they say.
final class Reading {
    let problems: (Diagnostic) throws -> Void
    private(set) var files = 0
    private(set) var documents = 0

    private let tree: any FileTree
    private let parser: Parser
    private let declared: (Declaration) throws -> Void

    init(
        _ tree: any FileTree,
        _ parser: Parser,
        problems: @escaping (Diagnostic) throws -> Void,
        declared: @escaping (Declaration) throws -> Void
    ) {
        self.tree = tree
        self.parser = parser
        self.problems = problems
        self.declared = declared
    }

    /// Reads one file.
    func read(_ file: String) throws {
        files += 1
        do {
            switch StateFormat(of: file) {
            case .json: try readWhole(file)
            case .ndjson: try readLines(file)
            case nil: try problems(Diagnostic("state files end in .json or .ndjson", file: file))
            }
        } catch let error as FileError where error.path == file {
            try problems(Diagnostic(error.words, file: file))
        }
    }

    private func readWhole(_ file: String) throws {
        let bytes = try tree.read(file, limit: JSONLimits.standard.bytes)
        try handOn(parser.parse(bytes, at: SourcePlace(file: file)))
    }

    private func readLines(_ file: String) throws {
        var reader = try tree.lines(file, from: 0)
        var line: [UInt8] = []
        var isInConflict = false
        var isEmpty = true
        while true {
            do throws(FileError) { guard try reader.next(into: &line) else { break } } catch {
                guard case .lineTooLong(let number, _) = error.reason else { throw error }
                let words = error.words + "; a document this large belongs in a file of its own"
                try problems(Diagnostic(words, .tooLarge, file: file, place: Place(line: number, column: 1)))
                isEmpty = false
                continue
            }
            if line.isBlank { continue }
            isEmpty = false
            var parsed = parser.parse(line, at: SourcePlace(file: file, line: reader.number, offset: reader.offset))
            if let unfinished = parsed.unfinished {
                // Of a conflict, one marker says everything; of a file that is not there, one line does.
                if isInConflict { parsed.flaws = [] }
                isInConflict = true
                if unfinished.isWholeFile { return try handOn(parsed) }
            }
            try handOn(parsed)
        }
        if isEmpty {
            let message = "this file holds no document; write [] into a .json file where that is meant"
            try problems(Diagnostic(message, .noDocument, file: file, severity: .warning))
        }
    }

    private func handOn(_ parsed: Parser.Parsed) throws {
        documents += parsed.documents
        try parsed.flaws.forEach(problems)
        try parsed.declarations.forEach(declared)
        try parsed.problems.forEach(problems)
    }
}

extension [UInt8] {
    /// True where there is nothing but white space, or a byte order mark.
    fileprivate var isBlank: Bool {
        allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } || self == [0xEF, 0xBB, 0xBF]
    }
}
