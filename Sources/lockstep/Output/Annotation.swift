import Foreign
import JSON
import Reconcile
internal import Source

/// Something that is wrong, as a GitHub workflow shows it beside the line that it is about.
///
/// The text is a workflow command: https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands. Columns
/// count only where a range is on one line, and the last one is behind it.
struct Annotation: Equatable {
    /// `::error file=…,line=…,col=…,endLine=…,endColumn=…,title=…::message`, on one line.
    let text: String

    /// The annotation of a problem; `root` is where the workflow's files are, where that is known.
    init(_ cause: Cause, root: String? = CurrentProcess.environment("GITHUB_WORKSPACE")) {
        guard case .file(let diagnostic) = cause else {
            self.init(cause.isWarning ? "warning" : "error", [("title", "lockstep")], message: cause.sentence)
            return
        }
        // GitHub takes a path from the root of the checkout, or a whole one.
        let isInWorkflow = root.map { !$0.isEmpty } ?? false
        let whole = Files.simplified(Files.join(CurrentProcess.directory, diagnostic.file))
        var properties = [("file", isInWorkflow ? whole : diagnostic.file)]
        if let place = diagnostic.place {
            let end = diagnostic.end ?? place
            properties.append(("line", "\(place.line)"))
            if end.line == place.line { properties.append(("col", "\(place.column)")) }
            properties.append(("endLine", "\(end.line)"))
            if end.line == place.line { properties.append(("endColumn", "\(end.column)")) }
        }
        properties.append(("title", diagnostic.code.rawValue))
        self.init(diagnostic.severity.rawValue, properties, message: diagnostic.message)
    }

    /// The annotation of a failure that is about no file.
    init(_ failure: Failure) {
        self.init("error", [("title", failure.code)], message: failure.message)
    }

    private init(_ command: String, _ properties: [(String, String)], message: String) {
        let pairs = properties.map { "\($0)=\(Self.escaped($1, more: [":": "%3A", ",": "%2C"]))" }
        text = "::\(command) \(pairs.joined(separator: ","))::\(Self.escaped(message))"
    }

    /// The text with what would end it or begin an escape as escapes.
    private static func escaped(_ text: String, more: [Unicode.Scalar: String] = [:]) -> String {
        let escapes = ["%": "%25", "\r": "%0D", "\n": "%0A"].merging(more) { first, _ in first }
        return text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    }
}
