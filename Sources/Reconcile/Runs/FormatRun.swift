internal import Foreign
internal import JSON
internal import Ledger
public import Source

/// One state file and how it would be laid out.
public struct FormattedFile: Sendable {
    /// The file.
    public var path: String
    /// Its bytes.
    public var before: [UInt8]
    /// The same JSON, laid out.
    public var after: [UInt8]

    /// True where it is laid out already.
    public var isFormatted: Bool { before == after }

    /// Puts the layout in the file's place; what a symbolic link names is written, and its mode kept.
    ///
    /// - Throws: An error of the file.
    public func write() throws {
        let target = try Files.resolve(path)
        let mode = try Files.facts(following: path)?.mode ?? 0o644
        try Files.write(after, to: target, mode: mode)
    }
}

/// `fmt`: lays out state files.
public struct FormatRun {
    private let configuration: Configuration

    /// A run over the state files of a project.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// Lays out the state files, or only some paths; nothing but the space between the tokens changes.
    ///
    /// - Parameters:
    ///   - paths: Files, directories or globs, from the working directory; everything where empty.
    ///   - problems: Takes what cannot be read or is no JSON.
    ///   - body: Takes each file that can be laid out.
    /// - Returns: The number of files that had an error.
    /// - Throws: The errors of the closures.
    public func run(
        _ paths: [String],
        problems: (Diagnostic) throws -> Void,
        each body: (FormattedFile) throws -> Void
    ) throws -> Int {
        var errors = 0
        func report(_ diagnostic: Diagnostic) throws {
            if diagnostic.severity == .error { errors += 1 }
            try problems(diagnostic)
        }
        try Loader(configuration).visitFiles(only: paths, problems: report) { path in
            do {
                let before = try Files.read(path)
                let after = try Self.laidOut(before, StateFormat(of: path) ?? .json)
                try body(FormattedFile(path: path, before: before, after: after))
            } catch let error as ParseError {
                try report(Diagnostic(error.text, error.kind.code, file: path, place: error.place))
            } catch let error as FileError where error.path == path {
                try report(Diagnostic(error.words, file: path))
            }
        }
        return errors
    }

    /// A document in this layout; of a stream, each line by itself, and none that is blank.
    private static func laidOut(_ bytes: [UInt8], _ format: StateFormat) throws(ParseError) -> [UInt8] {
        guard format == .ndjson else { return try Layout().laidOut(bytes) }
        var output: [UInt8] = []
        var line = 0
        for text in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            line += 1
            guard !text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { continue }
            do throws(ParseError) {
                output += try Layout().onOneLine(Array(text))
            } catch {
                throw ParseError(error.kind, at: Place(line: line, column: error.place.column), error.text)
            }
            output.append(0x0A)
        }
        return output
    }
}
