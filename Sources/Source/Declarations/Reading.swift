internal import Diff
internal import Foreign
internal import JSON

/// One pass over state files: their documents, one after the other, and where declarations and problems go.
final class Reading {
    let problems: (Diagnostic) throws -> Void
    private(set) var files = 0
    private(set) var documents = 0

    private let tree: any FileTree
    /// True where messages about a file may show its lines and quote its values.
    private let showsValues: Bool
    private let reader: DocumentReader
    private let declared: (Declaration) throws -> Void

    init(
        _ tree: any FileTree,
        apps: [Text],
        templates: Templates,
        showsValues: Bool = true,
        problems: @escaping (Diagnostic) throws -> Void,
        declared: @escaping (Declaration) throws -> Void
    ) {
        self.tree = tree
        reader = DocumentReader(apps: apps, templates: templates)
        self.showsValues = showsValues
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
        let text = JSONText(try tree.read(file, limit: JSONLimits.standard.bytes), file: file, hidesLines: !showsValues)
        try text.diagnostics.forEach(problems)
        guard let value = text.value else { return }
        let findings = Findings(showsValues: showsValues)
        let source = SourcePlace(file: file)
        if case .array(let elements) = value {
            for (index, element) in elements.enumerated() {
                try read(element, at: Pointer().appending(index), source, findings)
            }
        } else {
            try read(value, at: Pointer(), source, findings)
        }
        try text.diagnostics(of: findings).forEach(problems)
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
            let text = JSONText(line, file: file, firstLine: reader.number, hidesLines: !showsValues)
            guard let value = text.value else {
                // Of a conflict, one marker says everything; of a file that is not there, one line does.
                let unfinished = UnfinishedText(line)
                if unfinished == nil || !isInConflict { try text.diagnostics.forEach(problems) }
                if unfinished?.isWholeFile == true { return }
                isInConflict = unfinished != nil || isInConflict
                continue
            }
            try text.diagnostics.forEach(problems)
            let findings = Findings(showsValues: showsValues)
            let source = SourcePlace(file: file, line: reader.number, offset: reader.offset)
            try read(value, at: Pointer(), source, findings)
            try text.diagnostics(of: findings).forEach(problems)
        }
        if isEmpty {
            let message = "this file holds no document; write [] into a .json file where that is meant"
            try problems(Diagnostic(message, .noDocument, file: file, severity: .warning))
        }
    }

    private func read(_ document: Value, at pointer: Pointer, _ source: SourcePlace, _ findings: Findings) throws {
        documents += 1
        try reader.read(document, at: pointer, findings) { owner, content, pointer in
            var source = source
            source.pointer = pointer
            try declared(Declaration(owner: owner, content: content, source: source))
        }
    }
}

extension [UInt8] {
    /// True where there is nothing but white space, or a byte order mark.
    fileprivate var isBlank: Bool {
        allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } || self == [0xEF, 0xBB, 0xBF]
    }
}
