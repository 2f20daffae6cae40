/// A pattern of paths: `*` is any part of a name, `?` one character of it, `**` any number of directories.
///
/// Names that begin with a dot match only where the pattern has the dot. There are no brackets and no braces.
public struct Glob: Hashable, Sendable {
    /// The pattern as it was written.
    public let pattern: String
    private let parts: [[Unicode.Scalar]]

    /// A pattern.
    public init(_ pattern: String) {
        self.pattern = pattern
        parts = pattern.split(separator: "/", omittingEmptySubsequences: false).map { Array($0.unicodeScalars) }
    }

    /// Looks for the characters that mean something in a pattern.
    public static func isPattern(_ text: String) -> Bool {
        text.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
    }

    /// The directory that everything that can match is in: the path up to the first part with a wildcard.
    public var base: String {
        let names = pattern.split(separator: "/", omittingEmptySubsequences: false)
        let fixed = names.prefix { !Glob.isPattern(String($0)) }
        guard fixed.count < names.count else { return pattern }
        let base = fixed.joined(separator: "/")
        return base.isEmpty ? (fixed.isEmpty ? "." : "/") : base
    }

    /// Matches a whole path.
    public func matches(_ path: String) -> Bool {
        let names = path.split(separator: "/", omittingEmptySubsequences: false).map { Array($0.unicodeScalars) }
        return Glob.covers(parts, names, isMany: { $0 == ["*", "*"] }) { part, name in
            if name.first == ".", part.first != "." { return false }
            if part == ["*", "*"] { return true }
            return Glob.covers(part, name, isMany: { $0 == "*" }) { $0 == "*" || $0 == "?" || $0 == $1 }
        }
    }

    /// Matches a text that is no path: `*` and `**` are any part of it, a slash included.
    public func covers(_ text: String) -> Bool {
        covers(flat[...], text)
    }

    /// Tells that some text which begins with `start` and is longer matches in that way.
    public func canCover(beginning start: String) -> Bool {
        flat.indices.contains { end in
            let isOpen = flat[end] == "*" && covers(flat[...end], start)
            return isOpen || covers(flat[..<end], start)
        }
    }

    private var flat: [Unicode.Scalar] { Array(pattern.unicodeScalars) }

    private func covers(_ part: ArraySlice<Unicode.Scalar>, _ text: String) -> Bool {
        Glob.covers(Array(part), Array(text.unicodeScalars), isMany: { $0 == "*" }) {
            $0 == "*" || $0 == "?" || $0 == $1
        }
    }

    /// Matches a pattern against a whole text; some of its elements stand for any number of the text's.
    ///
    /// After each element of the pattern, `reached[n]` says whether the pattern so far covers the first `n`.
    private static func covers<Element>(
        _ pattern: [Element],
        _ text: [Element],
        isMany: (Element) -> Bool,
        isMatch: (_ pattern: Element, _ text: Element) -> Bool
    ) -> Bool {
        var reached = [true] + text.map { _ in false }
        for element in pattern {
            if isMany(element) {
                for index in text.indices where reached[index] && isMatch(element, text[index]) {
                    reached[index + 1] = true
                }
            } else {
                for index in text.indices.reversed() {
                    reached[index + 1] = reached[index] && isMatch(element, text[index])
                }
                reached[0] = false
            }
        }
        return reached[text.count]
    }
}
