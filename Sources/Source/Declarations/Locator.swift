internal import Diff
internal import Foreign
public import JSON

/// Finds the lines and columns of sources, by reading their files again; it remembers the text it read last.
public final class Locator {
    private let tree: any FileTree
    private var file = ""
    private var offset = 0
    private var places: Places?

    /// Knows no text yet.
    init(_ tree: any FileTree) {
        self.tree = tree
    }

    /// The place of a declaration's key; `nil` where the file has changed or gone.
    public func place(of source: SourcePlace) -> Place? {
        text(of: source)?.place(of: source.pointer, .key)
    }

    /// An error about a declaration.
    public func error(_ message: String, _ code: Diagnostic.Code, at source: SourcePlace) -> Diagnostic {
        error(message, code, at: source, pointer: source.pointer, part: .key)
    }

    /// The error about a declaration whose name was already taken by the one at `first`.
    public func duplicate(_ declaration: Declaration, first: SourcePlace) -> Diagnostic {
        let place = place(of: first).map { ":\($0)" } ?? ""
        return error(
            "\(declaration.kind) '\(declaration.name.shown)' of '\(declaration.owner.subscriber.shown)' is declared twice "
                + "(also \(first.file)\(place)); rename or remove one",
            .declaredTwice,
            at: declaration.source
        )
    }

    /// An error about something near a declaration.
    func error(
        _ message: String,
        _ code: Diagnostic.Code,
        at source: SourcePlace,
        pointer: Pointer,
        part: Places.Part
    ) -> Diagnostic {
        let places = text(of: source)
        let range = places?.range(of: pointer, part)
        return Diagnostic(
            message,
            code,
            file: source.file,
            range: range,
            excerpt: (range?.lowerBound).flatMap { places?.excerpt(at: $0) }
        )
    }

    private func text(of source: SourcePlace) -> Places? {
        if let places, source.file == file, source.offset == offset { return places }
        guard let bytes = try? bytes(of: source) else { return nil }
        (file, offset) = (source.file, source.offset)
        places = Places(bytes, firstLine: source.line)
        return places
    }

    private func bytes(of source: SourcePlace) throws(FileError) -> [UInt8] {
        guard StateFormat(of: source.file) == .ndjson else {
            return try tree.read(source.file, limit: JSONLimits.standard.bytes)
        }
        var line: [UInt8] = []
        var reader = try tree.lines(source.file, from: source.offset)
        _ = try reader.next(into: &line)
        return line
    }
}
