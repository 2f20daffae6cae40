extension Places {
    /// From the first character of what a pointer leads to up to the place behind its last; `nil` where there is nothing.
    ///
    /// Of a key that comes twice, the last one counts.
    public func range(of pointer: Pointer, _ part: Part = .value) -> Range<Place>? {
        guard let bytes = bytes(of: pointer, part) else { return nil }
        return place(at: bytes.lowerBound)..<place(at: bytes.upperBound)
    }

    /// From a place up to the end of the string, the word or the one character that begins there, which ends with its line.
    public func range(at start: Place) -> Range<Place> {
        var rest = line(start.line)
        for _ in 1..<max(1, start.column) { rest = rest.afterCharacter }
        var length = 0
        var isEscaped = false
        let isString = rest.first == UInt8(ascii: "\"")
        while let byte = rest.first {
            if !isString, length > 0, !byte.isOfWord { break }
            length += 1
            rest = rest.afterCharacter
            if !isString, !byte.isOfWord { break }
            if isString, length > 1, byte == UInt8(ascii: "\""), !isEscaped { break }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return start..<Place(line: start.line, column: start.column + length)
    }
}

extension ArraySlice<UInt8> {
    /// The bytes after the first code point of UTF-8.
    fileprivate var afterCharacter: ArraySlice<UInt8> { dropFirst().drop { $0 & 0xC0 == 0x80 } }
}

extension UInt8 {
    /// True for a byte of a number, or of a word such as `true`, in whatever script.
    fileprivate var isOfWord: Bool {
        self >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 || 0x30...0x39 ~= self
            || "+-._".utf8.contains(self)
    }
}
