/// Walks the tokens of a JSON text and knows where each one is; it stops at the first thing that is not JSON.
///
/// Values are made by the parser in `Foreign`. This walk runs only once there is a problem to show, to find its place.
struct Scanner {
    /// Something that is not JSON.
    struct Fault: Error {
        var kind: ParseError.Kind
        var offset: Int
        var text: String
    }

    let bytes: [UInt8]
    private(set) var position = 0

    /// Starts behind a byte order mark, where there is one.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The next byte, or `nil` at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Takes the byte where it is the next one.
    mutating func take(_ byte: Character) -> Bool {
        guard let next, next == byte.asciiValue else { return false }
        position += 1
        return true
    }

    /// A fault at the next byte: something other than what was expected, or the end.
    func unexpected(_ expected: String) -> Fault {
        guard let found = next else {
            return Fault(kind: .truncated, offset: position, text: "the text ends where \(expected) should follow")
        }
        if found >= 0x80, let fault = encodingFault(in: position..<bytes.count) { return fault }
        return Fault(kind: .syntax, offset: position, text: "expected \(expected), found \(described)\(advice)")
    }

    /// The next character as it reads, with its escape where it does not print.
    private var described: String {
        let end = min(position + 4, bytes.count)
        guard let scalar = String(decoding: bytes[position..<end], as: UTF8.self).unicodeScalars.first else {
            return ""
        }
        return scalar.value < 0x20 || scalar.value == 0x7F
            ? "the control character \(Scanner.name(scalar))" : "'\(scalar)'"
    }

    /// Advice for people who write other dialects.
    private var advice: String {
        switch next {
        case UInt8(ascii: "'"): "; JSON strings have double quotes"
        case UInt8(ascii: "/"), UInt8(ascii: "#"): "; JSON has no comments, use a \"$comment\" key"
        case UInt8(ascii: "T"), UInt8(ascii: "F"): "; JSON writes true and false"
        case UInt8(ascii: "N"): "; JSON knows null, but no None and no NaN"
        default: ""
        }
    }

    /// The usual name of a code point, `U+0009`.
    static func name(_ scalar: Unicode.Scalar) -> String {
        let hex = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
    }

    /// The first byte of a range that is not UTF-8.
    private func encodingFault(in range: Range<Int>) -> Fault? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span.extracting(range))
            return nil
        } catch {
            let offset = range.lowerBound + error.byteOffsets.lowerBound
            let hex = String(bytes[offset], radix: 16, uppercase: true)
            return Fault(
                kind: .encoding,
                offset: offset,
                text: "the byte 0x\(hex) is not UTF-8 here; save the file as UTF-8"
            )
        }
    }
}

// MARK: - Words and numbers

extension Scanner {
    /// One of `true`, `false` and `null`.
    mutating func word() throws(Fault) {
        for word in ["true", "false", "null"] where bytes[position...].starts(with: word.utf8) {
            position += word.utf8.count
            if let next, next.isLetterOrDigit { throw unexpected("the end of '\(word)'") }
            return
        }
        throw unexpected("a value")
    }

    /// A number that fits: an integer a signed 64-bit one, anything else a double.
    mutating func number() throws(Fault) {
        let start = position
        _ = take("-")
        let integerStart = position
        try digits("a digit")
        if bytes[integerStart] == UInt8(ascii: "0"), position > integerStart + 1 {
            throw Fault(kind: .syntax, offset: start, text: "a number has no leading zeros")
        }
        var isInteger = true
        if take(".") {
            isInteger = false
            try digits("a digit after the decimal point")
        }
        if take("e") || take("E") {
            isInteger = false
            if !take("+") { _ = take("-") }
            try digits("a digit of the exponent")
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, Int64(text) == nil {
            throw Fault(
                kind: .range,
                offset: start,
                text: "this integer does not fit 64 bits with a sign; write it as a string"
            )
        }
        if !isInteger, Double(text)?.isFinite != true {
            throw Fault(kind: .range, offset: start, text: "this number is beyond what a double holds")
        }
    }

    private mutating func digits(_ expected: String) throws(Fault) {
        guard let first = next, (0x30...0x39).contains(first) else { throw unexpected(expected) }
        while let next, (0x30...0x39).contains(next) { position += 1 }
    }
}

// MARK: - Strings

extension Scanner {
    /// A string with its escapes resolved.
    mutating func string() throws(Fault) -> Text {
        let start = position
        guard take("\"") else { throw unexpected("a string") }
        var content: [UInt8] = []
        while true {
            guard let byte = next else {
                throw Fault(kind: .truncated, offset: start, text: "the string that starts here does not end")
            }
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                if let fault = encodingFault(in: start..<position) { throw fault }
                return Text(String(decoding: content, as: UTF8.self))
            case UInt8(ascii: "\\"):
                content.append(contentsOf: String(try escape()).utf8)
            case 0x00..<0x20:
                let name = Scanner.name(Unicode.Scalar(byte))
                throw Fault(
                    kind: .syntax,
                    offset: position,
                    text: byte == 0x0A || byte == 0x0D
                        ? "a string does not go over the end of a line; write \\n, or close it before"
                        : "the control character \(name) stands in a string; write it as an escape"
                )
            default:
                content.append(byte)
                position += 1
            }
        }
    }

    private mutating func escape() throws(Fault) -> Character {
        let start = position
        position += 1
        guard let byte = next else { throw unexpected("an escape") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return Character(try unicodeEscape(from: start))
        default:
            position = start + 1
            throw Fault(kind: .syntax, offset: start, text: "JSON has no escape \\ with \(described)")
        }
    }

    private mutating func unicodeEscape(from start: Int) throws(Fault) -> Unicode.Scalar {
        let first = try hexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let half = Fault(
            kind: .encoding,
            offset: start,
            text: "this escape is half of a surrogate pair; write both halves or the character itself"
        )
        guard (0xD800...0xDBFF).contains(first), take("\\"), take("u") else { throw half }
        let second = try hexDigits()
        guard (0xDC00...0xDFFF).contains(second) else { throw half }
        guard let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) else { throw half }
        return scalar
    }

    private mutating func hexDigits() throws(Fault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw unexpected("four hexadecimal digits after \\u")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
