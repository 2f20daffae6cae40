internal import Foreign
public import JSON

/// One JSON text of a file: a whole file, or a line of one.
///
/// It is parsed once, and read again for the places of what is wrong with it only where something is.
final class JSONText {
    /// The value; where keys come twice, with the last of each; `nil` where it is not JSON.
    private(set) var value: Value?
    /// The problems that make it something else than one JSON value.
    private(set) var diagnostics: [Diagnostic] = []
    /// The trace of a tool that has not finished with it; only looked for where the text is no JSON.
    private(set) var unfinished: UnfinishedText?

    private let bytes: [UInt8]
    private let file: String
    private let firstLine: Int
    private let hidesLines: Bool
    private lazy var places = Places(bytes, firstLine: firstLine)

    /// Parses a text.
    ///
    /// `hidesLines` keeps lines out of its diagnostics where one could hold a secret.
    init(_ bytes: [UInt8], file: String, firstLine: Int = 1, hidesLines: Bool = false) {
        self.bytes = bytes
        self.file = file
        self.firstLine = firstLine
        self.hidesLines = hidesLines
        do throws(ParseError) { value = try Value(json: bytes) } catch { diagnose(error) }
    }

    /// The problems that were found in the value, with their places.
    func diagnostics(of findings: Findings) -> [Diagnostic] {
        findings.all.isEmpty ? [] : hidden(findings.diagnostics(in: places, of: file))
    }

    private func diagnose(_ error: ParseError) {
        switch error.kind {
        case .duplicateKey, .lookalikeKeys:
            for duplicate in places.duplicates() {
                for index in duplicate.keys.indices.dropFirst() { report(duplicate.error(at: index)) }
            }
            value = try? Value(json: bytes, duplicates: .lastCounts)
        case .size: diagnostics = [Diagnostic(error.text + "; .ndjson has no limit", .tooLarge, file: file)]
        default:
            var error = places.error ?? error.moved(down: firstLine - 1)
            unfinished = UnfinishedText(bytes)
            if let line = unfinished {
                error = ParseError(.syntax, at: Place(line: firstLine + line.offset, column: 1), line.message)
            }
            report(error)
        }
    }

    private func report(_ error: ParseError) {
        diagnostics += hidden([
            Diagnostic(
                error.text,
                error.kind.code,
                file: file,
                range: places.range(at: error.place),
                excerpt: places.excerpt(at: error.place)
            )
        ])
    }

    private func hidden(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        guard hidesLines else { return diagnostics }
        return diagnostics.map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.excerpt = nil
            return diagnostic
        }
    }
}

extension ParseError {
    fileprivate func moved(down lines: Int) -> ParseError {
        ParseError(kind, at: Place(line: place.line + lines, column: place.column), text)
    }
}

extension ParseError.Kind {
    /// The code for those who read diagnostics.
    public var code: Diagnostic.Code {
        switch self {
        case .duplicateKey, .lookalikeKeys: .duplicateKey
        case .size, .depth: .tooLarge
        case .range: .wrongValue
        case .empty, .truncated, .syntax, .encoding, .nulInKey: .notJSON
        }
    }
}

/// The traces of tools that have not finished with a file: a pointer of Git LFS, or the markers of a merge conflict.
///
/// Neither can be in valid JSON, whose strings do not go over the end of a line, so this is only asked about other text.
struct UnfinishedText: Hashable, Sendable {
    /// The number of lines before it.
    let offset: Int
    /// The problem, and what to do about it.
    let message: String
    /// True where it is about the whole file.
    let isWholeFile: Bool

    /// Looks for the first; `nil` where there is none.
    init?(_ bytes: some Collection<UInt8>) {
        if bytes.starts(with: "version https://git-lfs.github.com/spec/".utf8) {
            offset = 0
            message =
                "this is a pointer of Git LFS and not the file itself; run git lfs pull (of a commit, "
                + "take state files out of .gitattributes)"
            isWholeFile = true
            return
        }
        let markers = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            guard let marker = markers.first(where: { line.starts(with: $0.utf8) }) else { continue }
            offset = index
            message = "'\(marker)' marks a merge conflict that nobody has resolved; resolve it"
            isWholeFile = false
            return
        }
        return nil
    }
}
