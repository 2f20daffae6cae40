import Foreign
import JSON

/// The voice of a command: data to standard output, talk to standard error.
///
/// People get lines, programs get JSON: a single result in the envelope `{ success, data, error, metadata }`, a list as
/// one JSON value a line.
final class Output {
    /// The options of the caller.
    let options: GlobalOptions
    private let data = StandardStream(.output)
    private let talk = StandardStream(.error)
    /// True where data goes to a terminal that shows colours, or is to be coloured all the same.
    let dataHasColor: Bool
    private let talkHasColor: Bool
    private var progress: Progress?
    /// The problems so far, for a comment that has no plan to show.
    var problems = Problems()
    /// True where data is a stream of events, in which a failure is one more event and no envelope.
    var streamsEvents = false

    init(_ options: GlobalOptions) {
        self.options = options
        let mayColor = options.color == .auto && (CurrentProcess.environment("NO_COLOR") ?? "").isEmpty
        dataHasColor = options.color == .always || (mayColor && data.isTerminal)
        talkHasColor = options.color == .always || (mayColor && talk.isTerminal)
    }

    /// True where data is wanted as JSON.
    var isJSON: Bool { options.format == .json }

    /// True where nobody reads the data any more, so that a command which only shows something may stop.
    var isAbandoned: Bool { data.isAbandoned }

    /// Writes a line of data.
    func line(_ text: String = "") {
        clearProgress()
        data.write(text.harmless(keepingStyles: dataHasColor))
        data.write("\n")
    }

    /// Writes one value of a list, on a line of its own.
    func item(_ value: Value) {
        data.write(value.canonical)
        data.write("\n")
    }

    /// Writes a single result.
    ///
    /// - Parameters:
    ///   - value: The result.
    ///   - metadata: Facts about the run, such as its id.
    func result(_ value: Value, metadata: Value = [:]) {
        item(["success": true, "data": value, "error": .null, "metadata": metadata])
    }

    /// Says something to the person at the terminal, unless `--quiet`.
    func say(_ text: String) {
        guard options.verbosity != .quiet else { return }
        insist(text)
    }

    /// Says something that only `--verbose` wants to know.
    func detail(_ text: @autoclosure () -> String) {
        guard options.verbosity == .verbose else { return }
        say(text())
    }

    /// Says something that must be heard, whatever the verbosity.
    func insist(_ text: String) {
        clearProgress()
        talk.write(text.harmless(keepingStyles: talkHasColor) + "\n")
        talk.flush()
    }

    /// Warns of something.
    func warn(_ text: String) {
        insist(marked("warning:", .yellow) + " \(text)")
    }

    private func marked(_ word: String, _ style: Style) -> String {
        talkHasColor ? style.applied(to: word) : word
    }

    /// Says why the command failed; as JSON where data is JSON.
    func fail(_ failure: Failure) {
        if isJSON, streamsEvents {
            for cause in failure.causes { item(cause.event) }
            problem(failure.code, failure.message)
        } else if isJSON {
            var error = Object()
            error["code"] = .string(Text(failure.code))
            error["message"] = .string(Text(failure.message))
            error["details"] = failure.causes.isEmpty ? nil : .array(failure.causes.map(\.event))
            item(["success": false, "data": .null, "error": .object(error), "metadata": [:]])
        } else if options.format == .markdown {
            comment(on: failure)
        } else if options.format == .github {
            let annotations = failure.causes.map { Annotation($0) }
            for annotation in annotations.isEmpty ? [Annotation(failure)] : annotations { line(annotation.text) }
        }
        // A preview that apply would refuse turns red.
        for cause in failure.causes { insist(cause.isLimit ? marked(cause.text, .red) : cause.text) }
        insist(marked("lockstep:", .red) + " \(failure.message)")
        if failure.status == .usage { say("See 'lockstep help'.") }
    }

    /// Whoever reads the comment learns why there is no plan; what a limit refuses, the plan says itself.
    private func comment(on failure: Failure) {
        guard failure.status != .unsafe else { return }
        for cause in failure.causes { problems.note(cause) }
        for text in Markdown.lines(of: problems, failure.message) { line(text) }
    }

    /// Shows how far the run is, on a terminal only.
    func progress(_ done: Int, of total: Int, _ unit: String) {
        guard options.verbosity != .quiet, let width = talk.width else { return }
        var bar = progress ?? Progress(unit: unit)
        if let line = bar.line(done: done, of: total, width: width) {
            // The data before it is read before it.
            data.flush()
            talk.write("\r\u{1B}[K\(line)")
            talk.flush()
        }
        progress = bar
    }

    /// Asks a question that is answered with y or n; anything but yes is no.
    func confirms(_ question: String) -> Bool {
        data.flush()
        talk.write("\(question) [y/N] ")
        talk.flush()
        let answer = StandardInput.line() ?? ""
        return ["y", "yes"].contains(answer.lowercased())
    }

    /// Hands the data so far to whoever reads it, for commands that go on for long.
    func flush() { data.flush() }

    /// Writes out what is buffered; data that could not be written turns success into failure.
    func finish(_ status: ExitStatus) -> ExitStatus {
        clearProgress()
        data.flush()
        guard let reason = data.failure else { return status }
        talk.write("lockstep: cannot write standard output: \(reason)\n")
        talk.flush()
        return status == .done || status == .changes ? .failed : status
    }

    private func clearProgress() {
        guard progress != nil else { return }
        progress = nil
        talk.write("\r\u{1B}[K")
        talk.flush()
    }
}

/// A bar that shows how far a run is, in one line that is drawn over and over.
struct Progress {
    /// The things that are counted: `pushes`.
    let unit: String
    private var drawn = -1

    /// A bar that has not been drawn yet.
    init(unit: String) {
        self.unit = unit
    }

    /// The line for `done` of `total`, where it differs visibly from the last one.
    mutating func line(done: Int, of total: Int, width: Int) -> String? {
        let cells = max(10, min(40, width - 40))
        let step = total == 0 ? cells * 10 : done * cells * 10 / total
        guard step != drawn else { return nil }
        drawn = step
        let full = step / 10
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: cells - full)
        return "\(bar) \(done) of \(total) \(unit)"
    }
}
