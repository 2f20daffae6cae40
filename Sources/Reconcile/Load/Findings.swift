internal import JSON

/// One thing that is wrong in a JSON text, found by its value; its line is looked up later.
struct Finding {
    var pointer: Pointer
    var part: Places.Part
    var severity: Diagnostic.Severity
    var message: String
}

/// Collects everything that is wrong in one JSON text while it is read.
final class Findings {
    private(set) var all: [Finding] = []
    /// Whether messages may quote values of the text: not where one could be sensitive.
    let showsValues: Bool

    init(showsValues: Bool = true) { self.showsValues = showsValues }

    /// What a value is, in words: the value itself where that is short and may be shown.
    func described(_ value: Value) -> String { showsValues ? value.described : value.kindInWords }

    /// Adds an error about a value.
    func add(_ message: String, at pointer: Pointer, _ part: Places.Part = .value) {
        all.append(Finding(pointer: pointer, part: part, severity: .error, message: message))
    }

    /// Adds a warning about a value.
    func warn(_ message: String, at pointer: Pointer, _ part: Places.Part = .value) {
        all.append(Finding(pointer: pointer, part: part, severity: .warning, message: message))
    }
}

extension Findings {
    /// The findings as diagnostics, in the order of the text.
    func diagnostics(in places: Places, of file: String) -> [Diagnostic] {
        let placed = all.map { finding in (finding, place: places.place(of: finding.pointer, finding.part)) }
        // Stable, so that of several findings at one place the first comes first.
        return placed.sorted { ($0.place ?? Place(line: 0, column: 0)) < ($1.place ?? Place(line: 0, column: 0)) }
            .map { finding, place in
                Diagnostic(
                    finding.message,
                    file: file,
                    place: place,
                    severity: finding.severity,
                    excerpt: place.map(places.excerpt)
                )
            }
    }
}

extension Places {
    /// The line of a place, cut for showing.
    func excerpt(at place: Place) -> Excerpt {
        Excerpt(line: line(place.line), column: place.column)
    }
}
