/// A JSON value in normal form: two values are equal exactly when Lockstep treats them as the same state.
///
/// Numbers are equal by value (`1`, `1.0` and `1e0` are all ``integer(_:)`` 1, `-0` is 0), objects do not depend on the
/// order of their keys, strings are compared by bytes, and `null` differs from an absent key. Build reals with
/// ``number(_:)``, which keeps the normal form.
public enum Value: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number without a fraction that fits a signed 64-bit integer.
    case integer(Int64)
    /// Any other finite number; never one that ``integer(_:)`` could hold.
    case real(Double)
    /// A string.
    case string(Text)
    /// An array, in order.
    case array([Value])
    /// An object.
    case object(Object)

    /// The normal form of a finite number: an ``integer(_:)`` where its value is one, else a ``real(_:)``.
    public static func number(_ value: Double) -> Value {
        if let integer = Int64(exactly: value) { .integer(integer) } else { .real(value) }
    }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByFloatLiteral
{
    /// A string: `"text"`.
    public init(stringLiteral value: String) { self = .string(Text(value)) }
    /// An integer: `1`.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A truth value: `true`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A number: `0.25`.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// An array: `[1, 2]`.
    public init(arrayLiteral elements: Value...) { self = .array(elements) }
    /// An object, `["key": 1]`; of a key that is written twice, the last value counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        var object = Object()
        for (key, value) in elements { object[Text(key)] = value }
        self = .object(object)
    }
}

extension Value {
    /// The string, where this is one.
    public var text: Text? { if case .string(let text) = self { text } else { nil } }
    /// The integer, where this is one.
    public var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    /// The truth value, where this is one.
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    /// The elements, where this is an array.
    public var array: [Value]? { if case .array(let array) = self { array } else { nil } }
    /// The object, where this is one.
    public var object: Object? { if case .object(let object) = self { object } else { nil } }
    /// The number as a double, where this is a number.
    public var double: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        default: nil
        }
    }

    /// The member of an object; `nil` where this is no object or has no such key.
    public subscript(key: Text) -> Value? { object?[key] }
}
