public import JSON

/// The 128 bits of a ULID (https://github.com/ulid/spec), which are written as 26 digits of Crockford's base 32.
public struct ULID: Hashable, Sendable {
    /// The upper 64 bits: 48 of time, 16 of chance.
    public let high: UInt64
    /// The lower 64 bits of chance.
    public let low: UInt64

    /// A ULID of its bits.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The ULID behind the prefix of an id; `nil` where the id is not that prefix and 26 canonical digits, in capitals.
    public init?(_ text: Text, after prefix: String) {
        let bytes = text.string.utf8Span.span
        let start = prefix.utf8.count
        guard bytes.count == start + 26, text.string.utf8.starts(with: prefix.utf8) else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for place in start..<bytes.count {
            guard let digit = Self.value(of: bytes[place]), place > start || digit < 8 else { return nil }
            high = high << 5 | low >> 59
            low = low << 5 | digit
        }
        self.init(high: high, low: low)
    }

    /// The 26 digits, the first of which has 3 bits.
    public var text: String { text(after: "") }

    /// The 26 digits behind a prefix.
    func text(after prefix: String) -> String {
        let start = prefix.utf8.count
        return unsafe String(unsafeUninitializedCapacity: start + 26) { text in
            var place = unsafe text.update(fromContentsOf: prefix.utf8) + 26
            // From the last digit on, each of 5 bits.
            var (high, low) = (high, low)
            while place > start {
                place -= 1
                unsafe text[place] = Self.digit(low & 31)
                low = high << 59 | low >> 5
                high >>= 5
            }
            return start + 26
        }
    }

    /// The digit of 5 bits: the letters go without I, L, O and U.
    private static func digit(_ value: UInt64) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: value)
        return switch value {
        case 0..<10: UInt8(ascii: "0") + value
        case 10..<18: UInt8(ascii: "A") + value - 10
        case 18..<20: UInt8(ascii: "J") + value - 18
        case 20..<22: UInt8(ascii: "M") + value - 20
        case 22..<27: UInt8(ascii: "P") + value - 22
        default: UInt8(ascii: "V") + value - 27
        }
    }

    /// The value of a digit; `nil` for a character that is none.
    private static func value(of character: UInt8) -> UInt64? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(character - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "H"): UInt64(character - UInt8(ascii: "A")) + 10
        case UInt8(ascii: "J")...UInt8(ascii: "K"): UInt64(character - UInt8(ascii: "J")) + 18
        case UInt8(ascii: "M")...UInt8(ascii: "N"): UInt64(character - UInt8(ascii: "M")) + 20
        case UInt8(ascii: "P")...UInt8(ascii: "T"): UInt64(character - UInt8(ascii: "P")) + 22
        case UInt8(ascii: "V")...UInt8(ascii: "Z"): UInt64(character - UInt8(ascii: "V")) + 27
        default: nil
        }
    }
}

/// A place among what one step creates, from 1 on: ids of operations and deliveries are spelled from it.
///
/// As a ULID it is a time after the year 9000, so that none that is minted can be the same, and it comes behind all of
/// them. The order of the ids is that of the places.
public struct StepPlace: Hashable, Sendable {
    /// The step.
    public var step: Step
    /// The place in it.
    public var ordinal: Int64

    /// A place in a step.
    public init(step: Step, ordinal: Int64) {
        self.step = step
        self.ordinal = ordinal
    }

    /// The place that a ULID spells; `nil` where it is one of a time and of chance.
    public init?(_ ulid: ULID) {
        guard ulid.high >> 61 == 7, ulid.high & 1 == 0, let ordinal = Int64(exactly: ulid.low) else { return nil }
        self.init(step: Step(Int64((ulid.high << 3) >> 4)), ordinal: ordinal)
    }

    /// The ULID that spells it: three bits set, then 60 of the step, then 65 of the place.
    public var ulid: ULID { ULID(high: 7 << 61 | UInt64(step.number) << 1, low: UInt64(ordinal)) }
}
