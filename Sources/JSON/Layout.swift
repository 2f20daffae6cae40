/// The layout of a JSON text for people: only the space between its tokens changes, and every number and string stays
/// as it was written.
///
/// A value that fits a line stands on one. Only the first levels always have a line for each member, so that two people
/// who edit two declarations change two lines.
public struct Layout: Sendable {
    /// The most columns of a line, where a break can help.
    public var width = 120
    /// Spaces per level.
    public var indentation = 2
    /// So many levels always have a line for each member.
    public var brokenLevels = 2

    /// The usual layout.
    public init() {}

    /// A text in this layout, with a line feed at its end.
    ///
    /// - Parameter bytes: A JSON text (RFC 8259), with or without a byte order mark.
    /// - Returns: The same tokens, laid out.
    /// - Throws: ``ParseError`` where it is no JSON text.
    public func laidOut(_ bytes: [UInt8]) throws(ParseError) -> [UInt8] {
        var writer = Writer(layout: self, bytes: bytes)
        let root = try Self.tree(bytes)
        writer.write(root, level: 0)
        writer.output.append(UInt8(ascii: "\n"))
        return writer.output
    }

    /// A text on one line, without a line feed.
    ///
    /// - Parameter bytes: A JSON text (RFC 8259).
    /// - Returns: The same tokens on one line.
    /// - Throws: ``ParseError`` where it is no JSON text.
    public func onOneLine(_ bytes: [UInt8]) throws(ParseError) -> [UInt8] {
        var writer = Writer(layout: self, bytes: bytes)
        writer.writeInline(try Self.tree(bytes))
        return writer.output
    }

    private static func tree(_ bytes: [UInt8]) throws(ParseError) -> Token {
        var scanner = Scanner(bytes)
        do throws(Scanner.Fault) {
            scanner.skipSpace()
            let root = try token(&scanner, depth: 0)
            scanner.skipSpace()
            guard scanner.next == nil else { throw scanner.unexpected("the end of the document") }
            return root
        } catch {
            throw Places.error(error, in: bytes)
        }
    }

    /// A value by where its tokens are.
    fileprivate indirect enum Token {
        case scalar(Range<Int>)
        case array([Token])
        case object([(key: Range<Int>, value: Token)])
    }

    private static func token(_ scanner: inout Scanner, depth: Int) throws(Scanner.Fault) -> Token {
        guard depth <= JSONLimits.standard.depth else {
            throw Scanner.Fault(kind: .depth, offset: scanner.position, text: "this nests too deep")
        }
        let start = scanner.position
        switch scanner.next {
        case UInt8(ascii: "{"):
            var members: [(Range<Int>, Token)] = []
            _ = scanner.take("{")
            scanner.skipSpace()
            if scanner.take("}") { return .object([]) }
            repeat {
                scanner.skipSpace()
                let key = scanner.position
                _ = try scanner.string()
                let range = key..<scanner.position
                scanner.skipSpace()
                guard scanner.take(":") else { throw scanner.unexpected("':' after the key") }
                scanner.skipSpace()
                members.append((range, try token(&scanner, depth: depth + 1)))
                scanner.skipSpace()
            } while scanner.take(",")
            guard scanner.take("}") else { throw scanner.unexpected("',' or '}'") }
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [Token] = []
            _ = scanner.take("[")
            scanner.skipSpace()
            if scanner.take("]") { return .array([]) }
            repeat {
                scanner.skipSpace()
                elements.append(try token(&scanner, depth: depth + 1))
                scanner.skipSpace()
            } while scanner.take(",")
            guard scanner.take("]") else { throw scanner.unexpected("',' or ']'") }
            return .array(elements)
        case UInt8(ascii: "\""):
            _ = try scanner.string()
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            try scanner.word()
        default:
            try scanner.number()
        }
        return .scalar(start..<scanner.position)
    }

    /// Writes tokens one after the other.
    private struct Writer {
        let layout: Layout
        let bytes: [UInt8]
        var output: [UInt8] = []
        private var lineStart = 0

        init(layout: Layout, bytes: [UInt8]) {
            self.layout = layout
            self.bytes = bytes
        }

        mutating func write(_ token: Token, level: Int) {
            if level >= layout.brokenLevels || token.isEmpty || token.isScalar {
                let mark = output.count
                writeInline(token)
                // Only a comma can follow on the line.
                if token.isScalar || token.isEmpty || output.count - lineStart < layout.width { return }
                output.removeSubrange(mark...)
            }
            switch token {
            case .scalar: break
            case .array(let elements):
                output.append(UInt8(ascii: "["))
                for (index, element) in elements.enumerated() {
                    breakLine(level + 1, isFirst: index == 0)
                    write(element, level: level + 1)
                }
                breakLine(level, isFirst: true)
                output.append(UInt8(ascii: "]"))
            case .object(let members):
                output.append(UInt8(ascii: "{"))
                for (index, member) in members.enumerated() {
                    breakLine(level + 1, isFirst: index == 0)
                    output += bytes[member.key]
                    output += Array(": ".utf8)
                    write(member.value, level: level + 1)
                }
                breakLine(level, isFirst: true)
                output.append(UInt8(ascii: "}"))
            }
        }

        private mutating func breakLine(_ level: Int, isFirst: Bool) {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\n"))
            lineStart = output.count
            output += [UInt8](repeating: 0x20, count: level * layout.indentation)
        }

        mutating func writeInline(_ token: Token) {
            switch token {
            case .scalar(let range): output += bytes[range]
            case .array(let elements):
                output.append(UInt8(ascii: "["))
                for (index, element) in elements.enumerated() {
                    if index > 0 { output += Array(", ".utf8) }
                    writeInline(element)
                }
                output.append(UInt8(ascii: "]"))
            case .object(let members) where members.isEmpty: output += Array("{}".utf8)
            case .object(let members):
                output += Array("{ ".utf8)
                for (index, member) in members.enumerated() {
                    if index > 0 { output += Array(", ".utf8) }
                    output += bytes[member.key]
                    output += Array(": ".utf8)
                    writeInline(member.value)
                }
                output += Array(" }".utf8)
            }
        }
    }
}

extension Layout.Token {
    fileprivate var isScalar: Bool { if case .scalar = self { true } else { false } }

    fileprivate var isEmpty: Bool {
        switch self {
        case .scalar: false
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        }
    }
}
