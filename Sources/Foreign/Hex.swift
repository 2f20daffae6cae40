/// Bytes as hexadecimal digits and back.
public enum Hex {
    /// Two lower-case digits a byte.
    public static func text(_ bytes: [UInt8]) -> String {
        unsafe String(unsafeUninitializedCapacity: bytes.count * 2) { digits in
            for (index, byte) in bytes.enumerated() {
                unsafe digits[2 * index] = digit(byte >> 4, isCapital: false)
                unsafe digits[2 * index + 1] = digit(byte & 0x0F, isCapital: false)
            }
            return bytes.count * 2
        }
    }

    /// The digit of a value below 16.
    public static func digit(_ value: UInt8, isCapital: Bool) -> UInt8 {
        value + (value < 10 ? 0x30 : isCapital ? 0x37 : 0x57)
    }

    /// The bytes of an even number of digits in either case; `nil` for anything else.
    public static func bytes(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for character in text.utf8 {
            guard let digit = value(of: character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? bytes : nil
    }

    /// Looks at a byte of a text: true for a digit in either case.
    public static func isDigit(_ character: UInt8) -> Bool { value(of: character) != nil }

    /// The value of a digit in either case; `nil` for any other character.
    public static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
