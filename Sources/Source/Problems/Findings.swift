internal import JSON

/// One thing that is wrong in a JSON text, found by its value; its line is looked up later.
struct Finding {
    var pointer: Pointer
    var part: Places.Part
    var severity: Diagnostic.Severity
    var code: Diagnostic.Code
    var message: String
}

/// Collects everything that is wrong in one JSON text while it is read.
final class Findings {
    private(set) var all: [Finding] = []
    /// True where messages may quote values of the text: not where one could be sensitive.
    let showsValues: Bool

    init(showsValues: Bool = true) { self.showsValues = showsValues }

    /// A value in words: the value itself where that is short and may be shown.
    func described(_ value: Value) -> String { showsValues ? value.described : value.kindInWords }

    /// Adds an error about a value.
    func add(
        _ message: String,
        _ code: Diagnostic.Code = .wrongValue,
        at pointer: Pointer,
        part: Places.Part = .value
    ) {
        all.append(Finding(pointer: pointer, part: part, severity: .error, code: code, message: message))
    }
}

extension Findings {
    /// The findings as diagnostics, in the order of the text.
    func diagnostics(in places: Places, of file: String) -> [Diagnostic] {
        let nowhere = Place(line: 0, column: 0)
        let placed = all.map { finding in (finding, range: places.range(of: finding.pointer, finding.part)) }
        // Stable, so that of several findings at one place the first comes first.
        return placed.sorted { ($0.range?.lowerBound ?? nowhere) < ($1.range?.lowerBound ?? nowhere) }
            .map { finding, range in
                var diagnostic = Diagnostic(
                    finding.message,
                    finding.code,
                    file: file,
                    range: range,
                    excerpt: (range?.lowerBound).map(places.excerpt)
                )
                diagnostic.severity = finding.severity
                return diagnostic
            }
    }
}

extension Places {
    /// The line of a place, cut for showing.
    func excerpt(at place: Place) -> Excerpt {
        Excerpt(line: line(place.line), column: place.column)
    }
}
