package import JSON

extension Value {
    /// Any value, with keys and strings from a small set so that two values often share some.
    package static func random(using generator: inout SeededGenerator, depth: Int = 3) -> Value {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 7), using: &generator) {
        case 0: .null
        case 1: .bool(Bool.random(using: &generator))
        case 2: .integer(Int64.random(in: -3...3, using: &generator))
        case 3: .integer(Int64.random(in: .min ... .max, using: &generator))
        case 4: .number(Double.random(in: -1...1, using: &generator))
        case 5, 6: .string(randomText(using: &generator))
        case 7, 8:
            .object(
                Object(
                    (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                        .init(key: randomText(using: &generator), value: random(using: &generator, depth: depth - 1))
                    }
                )
            )
        default:
            .array(
                (0..<Int.random(in: 0...6, using: &generator)).map { _ in random(using: &generator, depth: depth - 1) }
            )
        }
    }

    /// The value with a few changes deep inside, so that most of it stays.
    package func changed(using generator: inout SeededGenerator) -> Value {
        guard Int.random(in: 0..<4, using: &generator) > 0 else { return Value.random(using: &generator, depth: 2) }
        switch self {
        case .object(var object):
            if let member = object.members.randomElement(using: &generator) {
                object[member.key] =
                    Bool.random(using: &generator) ? member.value.changed(using: &generator) : nil
            }
            if Bool.random(using: &generator) {
                object[Value.randomText(using: &generator)] = .random(using: &generator, depth: 1)
            }
            return .object(object)
        case .array(var elements):
            if let index = elements.indices.randomElement(using: &generator) {
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: elements.remove(at: index)
                case 1: elements.insert(.random(using: &generator, depth: 1), at: index)
                default: elements[index] = elements[index].changed(using: &generator)
                }
            }
            return .array(elements)
        default: return .random(using: &generator, depth: 2)
        }
    }

    package static func randomText(using generator: inout SeededGenerator) -> Text {
        let words: [Text] = ["a", "b", "a/b", "m~n", "", "0", "1", "-", "é", "😀", "\u{FFFF}", "\n\"\\", "k8", "~1"]
        return words[Int.random(in: 0..<words.count, using: &generator)]
    }
}

extension Value {
    /// A JSON text of the value with white space here and there, and members in any order.
    package func spaced(using generator: inout SeededGenerator) -> String {
        let spaces = ["", "", "", " ", "\n", "\t", "\r\n", "  \n "]
        func space(_ generator: inout SeededGenerator) -> String {
            spaces[Int.random(in: 0..<spaces.count, using: &generator)]
        }
        var text = space(&generator)
        switch self {
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                text += (index > 0 ? "," : "") + element.spaced(using: &generator)
            }
            text += space(&generator) + "]"
        case .object(let object):
            text += "{"
            for (index, member) in object.members.shuffled(using: &generator).enumerated() {
                text += (index > 0 ? "," : "") + space(&generator) + member.key.canonical + space(&generator) + ":"
                text += member.value.spaced(using: &generator)
            }
            text += space(&generator) + "}"
        default: text += canonical
        }
        return text + space(&generator)
    }

    /// Every value in this one, with the pointer to it.
    package func parts(at pointer: Pointer = Pointer()) -> [(Pointer, Value)] {
        switch self {
        case .array(let elements):
            [(pointer, self)] + elements.enumerated().flatMap { $1.parts(at: pointer.appending($0)) }
        case .object(let object):
            [(pointer, self)] + object.members.flatMap { $0.value.parts(at: pointer.appending($0.key)) }
        default: [(pointer, self)]
        }
    }
}

extension String {
    /// The bytes with up to two of them changed, removed, doubled or added, which mostly makes them something else
    /// than JSON.
    package func damaged(using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(utf8)
        let likely = Array("{}[]\",:\\/ue+-.0129tfn \n\r\t'#\u{0}\u{FEFF}é😀".utf8) + [0x80, 0xC0, 0xFF, 0xED]
        for _ in 0..<Int.random(in: 0...2, using: &generator) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[index] = likely[Int.random(in: 0..<likely.count, using: &generator)]
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(bytes[index], at: index)
            default: bytes.insert(likely[Int.random(in: 0..<likely.count, using: &generator)], at: index)
            }
        }
        return bytes
    }
}
