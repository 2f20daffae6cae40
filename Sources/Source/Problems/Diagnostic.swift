public import JSON

/// Something that is wrong, or doubtful, in a file: what, where, and what to do.
public struct Diagnostic: Error, Hashable, Sendable {
    /// Its weight: an error keeps a run from doing anything.
    public enum Severity: String, Hashable, Sendable {
        /// Nothing is sent while there is one.
        case error
        /// Worth a look.
        case warning
    }

    /// Its weight.
    public var severity: Severity
    /// Its kind.
    public var code: Code
    /// The file or directory, as a path that can be opened from the working directory.
    public var file: String
    /// The line and column; `nil` where it is about the file as a whole.
    public var place: Place?
    /// The place behind the last character of what it is about; `nil` where ``place`` is.
    public var end: Place?
    /// The problem, and what to do about it.
    public var message: String
    /// The line of ``place``; `nil` where there is none to show.
    public var excerpt: Excerpt?

    /// A diagnostic, an error unless said otherwise.
    public init(
        _ message: String,
        _ code: Code = .unreadableFile,
        file: String,
        place: Place? = nil,
        severity: Severity = .error
    ) {
        self.severity = severity
        self.code = code
        self.file = file
        self.place = place
        end = place
        self.message = message
    }

    /// An error about a part of a file, with its line where there is one to show.
    public init(_ message: String, _ code: Code, file: String, range: Range<Place>?, excerpt: Excerpt?) {
        self.init(message, code, file: file, place: range?.lowerBound)
        end = range?.upperBound
        self.excerpt = excerpt
    }
}

extension Diagnostic: CustomStringConvertible {
    /// `file:line:column: message`, on one line.
    public var description: String {
        let place = place.map { ":\($0)" } ?? ""
        let file = file.replacing("\n", with: "\\n")
        return "\(file)\(place): \(severity == .warning ? "warning: " : "")\(message)"
    }

    /// The description, and below it the line that it is about with a caret under the column.
    public var rendered: String {
        guard let excerpt else { return description }
        return "\(description)\n    \(excerpt.text)\n    \(String(repeating: " ", count: excerpt.caret))^"
    }
}

/// A line of a file for people: without its indentation, and of a long line only what is around the column.
public struct Excerpt: Hashable, Sendable {
    /// The text, in which every character takes one column: tabs are spaces, and controls show as `·`.
    public var text: String
    /// The number of characters before the one that the caret is under.
    public var caret: Int

    /// Cuts the excerpt of a line around a column (from 1).
    public init(line: some Collection<UInt8>, column: Int, width: Int = 96) {
        // A line may have megabytes: only what can be shown is decoded. A code point has at most four bytes.
        var start = line.startIndex
        var skipped = 0
        let from = max(0, column - 1 - width * 2 / 3)
        while skipped < from, start < line.endIndex {
            line.formIndex(after: &start)
            while start < line.endIndex, line[start] & 0xC0 == 0x80 { line.formIndex(after: &start) }
            skipped += 1
        }
        let bytes = line[start...].prefix(width * 4)
        let decoded = String(decoding: bytes, as: UTF8.self).unicodeScalars
        var characters = Array(decoded.prefix(width))
        let isCut = decoded.count > width || bytes.endIndex < line.endIndex
        while let last = characters.last, last == "\r" || last == " " { characters.removeLast() }
        var indentation = 0
        if skipped == 0 { indentation = characters.prefix { $0 == " " || $0 == "\t" }.count }
        indentation = min(indentation, column - 1)
        let shown = characters.dropFirst(indentation).map { scalar -> Character in
            if scalar == "\t" { return " " }
            return scalar.properties.generalCategory == .control ? "·" : Character(scalar)
        }
        text = (skipped > 0 ? "…" : "") + String(shown) + (isCut ? "…" : "")
        caret = column - 1 - skipped - indentation + (skipped > 0 ? 1 : 0)
    }
}
