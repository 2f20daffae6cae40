internal import CJansson
internal import Glibc
public import JSON

extension Value {
    /// Parses a JSON text (RFC 8259) into its normal form; whatever is not plain, through jansson.
    ///
    /// Numbers are equal by value, integers keep all their digits, a byte order mark in front is skipped, and the root
    /// may be any value. A NUL is allowed in a string, but not in a key.
    ///
    /// - Throws: The first reason why this is not JSON, or breaks a limit, with its line and column; a key that comes
    ///   twice in one object, or two that look the same, are such reasons. ``Places`` finds them all.
    public init(
        json bytes: Span<UInt8>,
        limits: JSONLimits = .standard,
        duplicates: DuplicateKeys = .refused
    ) throws(ParseError) {
        guard bytes.count <= limits.bytes else {
            throw ParseError(
                .size,
                at: Place(line: 1, column: 1),
                "\(bytes.count) bytes are more than the \(limits.bytes) that one document may have"
            )
        }
        if let plain = Value(plain: bytes, depth: limits.depth) {
            self = plain
        } else {
            try self.init(jansson: bytes, limits, duplicates)
        }
    }

    /// Parses a JSON text through jansson, the parser of record.
    init(jansson bytes: Swift.Span<UInt8>, _ limits: JSONLimits, _ duplicates: DuplicateKeys) throws(ParseError) {
        do throws(JanssonError) {
            let document = try JanssonDocument(bytes, duplicates)
            self = try document.value(depth: limits.depth, duplicates)
        } catch {
            throw error.located(in: bytes, limits: limits)
        }
    }

    /// Parses a JSON text; see the one of a span.
    public init(
        json bytes: [UInt8],
        limits: JSONLimits = .standard,
        duplicates: DuplicateKeys = .refused
    ) throws(ParseError) {
        try self.init(json: bytes.span, limits: limits, duplicates: duplicates)
    }

    /// Parses a JSON text; see the one of a span.
    public init(json text: String, limits: JSONLimits = .standard) throws(ParseError) {
        try self.init(json: text.utf8Span.span, limits: limits)
    }
}

/// A fault that jansson, or the conversion from it, found.
private struct JanssonError: Error {
    var kind: ParseError.Kind
    var place: Place
    var text: String

    /// The same with the exact place: jansson knows only the end of the token, and a duplicate's second key.
    consuming func located(in bytes: Span<UInt8>, limits: JSONLimits) -> ParseError {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        for index in bytes.indices { copy.append(bytes[index]) }
        let places = Places(copy, limits: limits)
        if let error = places.error { return error }
        guard let duplicate = places.duplicates().first else { return ParseError(kind, at: place, text) }
        return duplicate.error(at: 1)
    }
}

/// The treatment of a key that comes twice in one object, or that looks the same as another.
public enum DuplicateKeys: Hashable, Sendable {
    /// The text is refused.
    case refused
    /// The last one counts. For looking further into a text that is refused already.
    case lastCounts
}

/// A document as jansson holds it; freed with this value.
@safe private struct JanssonDocument: ~Copyable {
    private let root: UnsafeMutablePointer<json_t>

    init(_ bytes: Span<UInt8>, _ duplicates: DuplicateKeys) throws(JanssonError) {
        var error = json_error_t()
        let flags = JSON_DECODE_ANY | JSON_ALLOW_NUL | (duplicates == .refused ? JSON_REJECT_DUPLICATES : 0)
        let isMarked = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
        let text = bytes.extracting((isMarked ? 3 : 0)...)
        let loaded: UnsafeMutablePointer<json_t>? = unsafe text.withUnsafeBufferPointer { buffer in
            // JSON has no NUL anywhere, and jansson 2.14 skips one that follows a number or a word.
            if let base = buffer.baseAddress, unsafe memchr(base, 0, buffer.count) != nil { return nil }
            return unsafe json_loadb(buffer.baseAddress, buffer.count, Int(flags), &error)
        }
        guard let loaded = unsafe loaded else { throw JanssonError(error) }
        unsafe root = loaded
    }

    deinit {
        unsafe json_decref(root)
    }

    func value(depth: Int, _ duplicates: DuplicateKeys) throws(JanssonError) -> Value {
        try unsafe JanssonReader(duplicates: duplicates).value(root, depth: depth)
    }
}

extension JanssonError {
    /// Reads jansson's own words; they serve only where the walk over the text finds nothing wrong.
    fileprivate init(_ error: json_error_t) {
        let text = unsafe withUnsafeBytes(of: error.text) {
            unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        self.init(
            kind: .syntax,
            place: Place(line: max(1, Int(error.line)), column: max(1, Int(error.column))),
            text: text
        )
    }
}

/// Copies jansson's values into ours.
private struct JanssonReader {
    let duplicates: DuplicateKeys

    func value(_ json: UnsafeMutablePointer<json_t>, depth: Int) throws(JanssonError) -> Value {
        switch unsafe json.pointee.type {
        case JSON_OBJECT: try unsafe .object(object(json, depth: depth))
        case JSON_ARRAY: try unsafe .array(array(json, depth: depth))
        case JSON_STRING: unsafe .string(Text(bytes: json_string_value(json), count: json_string_length(json)))
        case JSON_INTEGER: unsafe .integer(Int64(json_integer_value(json)))
        case JSON_REAL: unsafe .number(json_real_value(json))
        case JSON_TRUE: .bool(true)
        case JSON_FALSE: .bool(false)
        default: .null
        }
    }

    private func array(_ json: UnsafeMutablePointer<json_t>, depth: Int) throws(JanssonError) -> [Value] {
        guard depth > 0 else { throw .tooDeep }
        let count = unsafe json_array_size(json)
        var elements: [Value] = []
        elements.reserveCapacity(count)
        for index in 0..<count {
            guard let element = unsafe json_array_get(json, index) else { continue }
            elements.append(try unsafe value(element, depth: depth - 1))
        }
        return elements
    }

    private func object(_ json: UnsafeMutablePointer<json_t>, depth: Int) throws(JanssonError) -> Object {
        guard depth > 0 else { throw .tooDeep }
        var members: [Object.Member] = []
        unsafe members.reserveCapacity(json_object_size(json))
        var isASCII = true
        var iterator = unsafe json_object_iter(json)
        while let current = unsafe iterator {
            let key = unsafe Text(bytes: json_object_iter_key(current), count: json_object_iter_key_len(current))
            if isASCII { isASCII = key.string.utf8.allSatisfy { $0 < 0x80 } }
            if let member = unsafe json_object_iter_value(current) {
                members.append(Object.Member(key: key, value: try unsafe value(member, depth: depth - 1)))
            }
            unsafe iterator = json_object_iter_next(json, current)
        }
        // Keys that look the same differ in at least one that is not ASCII; Swift's String sees them as equal.
        if !isASCII, duplicates == .refused, Set(members.map(\.key.string)).count < members.count {
            throw .lookalikeKeys
        }
        return Object(members)
    }
}

extension JanssonError {
    fileprivate static let tooDeep = JanssonError(kind: .depth, place: Place(line: 1, column: 1), text: "too deep")
    fileprivate static let lookalikeKeys = JanssonError(
        kind: .lookalikeKeys,
        place: Place(line: 1, column: 1),
        text: "two keys of an object look the same"
    )
}

extension Text {
    /// Copies UTF-8 that jansson has checked.
    fileprivate init(bytes: UnsafePointer<CChar>?, count: Int) {
        guard let bytes = unsafe bytes else {
            self.init("")
            return
        }
        let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
        unsafe self.init(String(decoding: buffer, as: UTF8.self))
    }
}
