internal import JSON

/// The keys of a command while it is read: each is asked for once, and what nobody asked for is an error.
struct Fields {
    private var rest: Object
    private let place: String

    /// The keys of `value`, which is called `place` in messages.
    init(_ value: Value, _ place: String) throws(CommandError) {
        guard case .object(let object) = value else { throw CommandError("\(place) is not a JSON object") }
        rest = object
        self.place = place
    }

    /// Takes the value of a key.
    mutating func value(_ key: Text) -> Value? {
        defer { rest[key] = nil }
        return rest[key]
    }

    /// Takes a string that has to be there.
    mutating func required(_ key: Text) throws(CommandError) -> String {
        guard let text = try string(key) else { throw CommandError("\(place) needs '\(key)'") }
        return text
    }

    /// Takes a string.
    mutating func string(_ key: Text) throws(CommandError) -> String? {
        try take(key, as: "a string") { $0.text?.string }
    }

    /// Takes a whole number that is not negative.
    mutating func count(_ key: Text) throws(CommandError) -> Int? {
        try take(key, as: "a whole number, 0 or more") { $0.integer.flatMap { $0 < 0 ? nil : Int($0) } }
    }

    /// Takes a number.
    mutating func number(_ key: Text) throws(CommandError) -> Double? {
        try take(key, as: "a number") { $0.double }
    }

    /// Takes `true` or `false`.
    mutating func bool(_ key: Text) throws(CommandError) -> Bool? {
        try take(key, as: "true or false") { $0.bool }
    }

    /// Takes an array of strings; a single string stands for an array of one.
    mutating func strings(_ key: Text) throws(CommandError) -> [String]? {
        try take(key, as: "an array of strings") { value in
            if let text = value.text { return [text.string] }
            guard let array = value.array else { return nil }
            let strings = array.compactMap { $0.text?.string }
            return strings.count == array.count ? strings : nil
        }
    }

    /// Takes one of the words of an enumeration.
    mutating func word<Word: RawRepresentable & CaseIterable>(
        _ key: Text,
        _ type: Word.Type
    ) throws(CommandError) -> Word? where Word.RawValue == String {
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        return try take(key, as: "one of \(words)") { $0.text.flatMap { Word(rawValue: $0.string) } }
    }

    /// Takes an iOS version.
    mutating func version(_ key: Text) throws(CommandError) -> OSVersion? {
        try take(key, as: "an iOS version such as \"26.0\"") { $0.text.flatMap { OSVersion($0.string) } }
    }

    /// Throws where a key is left that nobody asked for.
    func finish() throws(CommandError) {
        guard let unknown = rest.members.first else { return }
        throw CommandError("\(place) has no key '\(unknown.key)'; 'lockstep simulate --help' lists them")
    }

    private mutating func take<Result>(
        _ key: Text,
        as kind: String,
        _ read: (Value) -> Result?
    ) throws(CommandError) -> Result? {
        guard let value = value(key) else { return nil }
        guard let result = read(value) else { throw CommandError("'\(key)' of \(place) is not \(kind)") }
        return result
    }
}
