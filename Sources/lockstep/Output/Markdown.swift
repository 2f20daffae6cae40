/// Text from files in Markdown: it is only ever shown, whatever it holds.
///
/// GitHub looks for mentions, references and links in everything but code, entities or not: so text from files stands in
/// code.
enum Markdown {
    /// The longest comment in characters: GitHub takes 65,536, and whoever posts it may put a heading above.
    static let limit = 64_000

    /// Text within a line.
    static func code(_ text: String) -> String { "<code>\(escaped(text))</code>" }

    /// Lines as items of a quoted list, no longer than a budget; those left out are counted.
    static func quotedList(_ items: [String], leftOut: Int = 0, within budget: Int = 8192) -> String {
        var text = ""
        var shown = 0
        for item in items {
            let line = "> - \(code(cut(item, to: 1024)))\n"
            guard text.utf8.count + line.utf8.count <= budget else { break }
            text += line
            shown += 1
        }
        let missing = items.count - shown + leftOut
        return missing > 0 ? text + "> - and \(missing) more\n" : text
    }

    /// A comment that has no plan to show.
    static func lines(of problems: Problems, _ message: String) -> [String] {
        let items = problems.first.map(\.sentence)
        let list =
            items.isEmpty ? "" : "> [!CAUTION]\n" + quotedList(items, leftOut: problems.more, within: limit - 8192)
        return lines(of: "**No plan.** \(code(cut(message, to: 1024)))\n" + (list.isEmpty ? "" : "\n" + list))
    }

    /// The lines of a text that ends with the end of one.
    static func lines(of text: String) -> [String] {
        text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// A folded block with a diff in it: as many of its lines as fit.
    static func folded(_ title: String, _ lines: [String], within budget: Int) -> String {
        var body = ""
        var shown = 0
        for line in lines {
            let line = cut(line.visible, to: 2048)
            guard body.utf8.count + line.utf8.count < budget else { break }
            body += line + "\n"
            shown += 1
        }
        let missing = lines.count - shown
        if missing > 0 { body += "# \(missing) more \(missing == 1 ? "line" : "lines")\n" }
        return """

            <details><summary>\(code(title))</summary>

            ```diff
            \(body)```

            </details>

            """
    }

    /// At most so many bytes of a text, and a mark where some are missing.
    private static func cut(_ text: String, to length: Int) -> String {
        guard text.utf8.count > length else { return text }
        var cut = ""
        var size = 0
        for scalar in text.unicodeScalars {
            size += UTF8.width(scalar)
            guard size <= length else { break }
            cut.unicodeScalars.append(scalar)
        }
        return cut + "…"
    }

    /// A text that means nothing to Markdown or HTML, and stays on its line.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.visible.unicodeScalars {
            let isPlain =
                !scalar.isASCII || scalar.properties.isAlphabetic
                || " 0123456789,'()/%-".unicodeScalars.contains(scalar)
            if isPlain { escaped.unicodeScalars.append(scalar) } else { escaped += "&#\(scalar.value);" }
        }
        return escaped
    }
}
