internal import Diff
internal import Foreign
internal import JSON

/// Reads the texts of state files: bytes in, declarations and problems out.
///
/// It is a value that keeps nothing from one text to the next, so that any number of texts can be read at once.
struct Parser: Sendable {
    /// The reader of its documents.
    private let reader: DocumentReader
    /// True where problems may show lines of the text and quote its values.
    private let showsValues: Bool

    /// A parser for some apps, which holds declarations against the templates that they name.
    init(apps: [Text], templates: Templates = Templates(), showsValues: Bool = true) {
        reader = DocumentReader(apps: apps, templates: templates)
        self.showsValues = showsValues
    }

    /// The content of one text.
    struct Parsed: Hashable, Sendable {
        /// The number of subscriber documents.
        var documents = 0
        /// The declarations, in the order of the text; without those that have an error.
        var declarations: [Declaration] = []
        /// The problems of the text as JSON: people are told them first.
        var flaws: [Diagnostic] = []
        /// The problems of what it declares.
        var problems: [Diagnostic] = []
        /// The trace of a tool that has not finished with the file, where the text is no JSON.
        var unfinished: UnfinishedText?
    }

    /// Reads one text: a whole file, or a line of one that has a document in each.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - source: The file, with the line that the text begins in.
    /// - Returns: The declarations and problems.
    func parse(_ bytes: [UInt8], at source: SourcePlace) -> Parsed {
        let text = JSONText(bytes, file: source.file, firstLine: source.line, hidesLines: !showsValues)
        var parsed = Parsed(flaws: text.diagnostics, unfinished: text.unfinished)
        guard let value = text.value else { return parsed }
        let findings = Findings(showsValues: showsValues)
        if case .array(let elements) = value, StateFormat(of: source.file) == .json {
            for (index, element) in elements.enumerated() {
                read(element, at: Pointer().appending(index), of: source, findings, into: &parsed)
            }
        } else {
            read(value, at: Pointer(), of: source, findings, into: &parsed)
        }
        parsed.problems = text.diagnostics(of: findings)
        return parsed
    }

    private func read(
        _ document: Value,
        at pointer: Pointer,
        of source: SourcePlace,
        _ findings: Findings,
        into parsed: inout Parsed
    ) {
        parsed.documents += 1
        reader.read(document, at: pointer, findings) { owner, content, pointer in
            var source = source
            source.pointer = pointer
            parsed.declarations.append(Declaration(owner: owner, content: content, source: source))
        }
    }
}
