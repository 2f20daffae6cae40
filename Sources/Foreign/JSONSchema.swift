internal import CValijson
public import JSON
internal import Synchronization

/// A JSON Schema (draft 7) that is ready to check values, through valijson.
///
/// Of the formats, `date`, `time` and `date-time` are checked, and regular expressions are those of ECMA-262.
@safe
public final class JSONSchema: Sendable {
    /// One thing that is wrong with a value.
    public struct Violation: Hashable, Sendable {
        /// The value that is wrong, from the root of the checked one.
        public var pointer: Pointer
        /// The reason in valijson's words, without a full stop.
        public var reason: String
    }

    /// The fault of a text that is no schema.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// In valijson's words.
        public var description: String
    }

    /// The schema in C++, which checks one value at a time: it keeps the expressions that it compiled.
    private let schema: Mutex<OpaquePointer>

    /// Reads a schema.
    ///
    /// - Parameter value: An object, or `true` or `false`. References lead into itself; nothing is fetched.
    /// - Throws: A fault where it is no schema.
    public init(_ value: Value) throws(Failure) {
        let text = value.canonicalBytes
        let notes = Notes()
        let compiled = unsafe notes.gather { context, note in
            unsafe text.withUnsafeBytes { bytes in
                let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
                return unsafe valijson_compile(start, bytes.count, context, note)
            }
        }
        guard let compiled = unsafe compiled else {
            throw Failure(description: notes.violations.first?.reason ?? "this is no JSON Schema")
        }
        unsafe schema = Mutex(compiled)
    }

    deinit { unsafe schema.withLock { unsafe valijson_free($0) } }

    /// Everything that is wrong with a value, in the order of checking; nothing where it is valid.
    public func violations(of value: Value) -> [Violation] {
        let text = value.canonicalBytes
        return unsafe schema.withLock { schema in
            let notes = Notes()
            unsafe notes.gather { context, note in
                unsafe text.withUnsafeBytes { bytes in
                    let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
                    unsafe valijson_check(schema, start, bytes.count, context, note)
                }
            }
            return notes.violations
        }
    }

    /// Tells a regular expression that `pattern` takes from another text.
    public static func isPattern(_ text: Text) -> Bool {
        var text = text.string
        return text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe valijson_is_pattern($0.baseAddress, $0.count) != 0 }
        }
    }

    /// Looks for a regular expression anywhere in a text, as `patternProperties` does.
    public static func finds(_ pattern: Text, in text: Text) -> Bool {
        var pattern = pattern.string
        var text = text.string
        return pattern.withUTF8 { pattern in
            text.withUTF8 { text in
                unsafe pattern.withMemoryRebound(to: CChar.self) { pattern in
                    unsafe text.withMemoryRebound(to: CChar.self) { text in
                        unsafe valijson_finds(pattern.baseAddress, pattern.count, text.baseAddress, text.count) != 0
                    }
                }
            }
        }
    }
}

/// Takes what valijson notes during one call.
private final class Notes {
    private(set) var violations: [JSONSchema.Violation] = []

    /// Calls C with a context that leads back to this object, which outlives the call.
    func gather<Result>(_ body: (UnsafeMutableRawPointer, valijson_note) -> Result) -> Result {
        withExtendedLifetime(self) {
            unsafe body(Unmanaged.passUnretained(self).toOpaque()) { context, pointer, pointerLength, reason, length in
                guard let context = unsafe context else { return }
                let notes = unsafe Unmanaged<Notes>.fromOpaque(context).takeUnretainedValue()
                unsafe notes.add(Notes.text(pointer, pointerLength), Notes.text(reason, length))
            }
        }
    }

    private func add(_ pointer: String, _ reason: String) {
        let reason = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
        violations.append(JSONSchema.Violation(pointer: Pointer(pointer) ?? Pointer(), reason: reason))
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
        let buffer = unsafe UnsafeBufferPointer(start: start, count: length)
        return String(decoding: unsafe buffer.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
