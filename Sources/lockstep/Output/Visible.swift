/// The look of a piece of text on a terminal that shows colours.
enum Style: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"

    /// The text between the codes of this style.
    func applied(to text: String) -> String {
        "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}

extension String {
    /// The text with an escape in place of every character that acts instead of being read: controls, which a terminal
    /// obeys, ends of lines, and marks that turn the order of what stands around them.
    ///
    /// People must read what is there before they agree to it. Emoji, which are joined by invisible characters
    /// too, stay whole.
    var visible: String {
        guard !utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            guard scalar.acts else {
                text.unicodeScalars.append(scalar)
                continue
            }
            let hex = String(scalar.value, radix: 16)
            text += "\\u" + String(repeating: "0", count: max(0, 4 - hex.utf8.count)) + hex
        }
        return text
    }
}

extension String {
    /// Lines for a terminal, in which nothing acts but ends of lines, tabs and, where they are wanted, ``Style``s:
    /// whatever comes from files, devices or arguments is read, not obeyed.
    func harmless(keepingStyles: Bool) -> String {
        guard !utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }) else { return self }
        var text = ""
        var rest = self[...].unicodeScalars
        while let scalar = rest.first {
            let style = keepingStyles && scalar == "\u{1B}" ? rest.prefix { $0 != "m" } : rest.prefix(0)
            if style.dropFirst().first == "[", style.dropFirst(2).allSatisfy({ ("0"..."9").contains($0) }),
                style.endIndex < rest.endIndex
            {
                text.unicodeScalars.append(contentsOf: rest[...style.endIndex])
                rest = rest[rest.index(after: style.endIndex)...]
            } else {
                text += scalar == "\n" || scalar == "\t" ? String(scalar) : String(scalar).visible
                rest = rest.dropFirst()
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    fileprivate var acts: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
