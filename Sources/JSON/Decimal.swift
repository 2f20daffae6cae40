/// A finite real in decimal: the fewest digits that read back as the same double, and where the point stands.
struct Decimal {
    /// True where a minus sign goes in front.
    private let isNegative: Bool
    /// ASCII digits without leading or trailing zeros.
    private let digits: [UInt8]
    /// The value is 0.DIGITS times ten to this power.
    private let point: Int
    /// True where its integer part may be written out, that is: where it is below 2^63.
    private let canBePlain: Bool

    /// Takes the digits from the standard library, which finds the shortest that round-trip and are closest.
    init(_ real: Double) {
        precondition(real.isFinite, "JSON has no \(real)")
        var digits: [UInt8] = []
        var integerDigits: Int?
        var exponent = 0
        let text = Array(real.magnitude.description.utf8)
        for (index, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "."): integerDigits = digits.count
            case UInt8(ascii: "e"):
                exponent = Int(String(decoding: text[(index + 1)...], as: UTF8.self)) ?? 0
            default: digits.append(byte)
            }
            if byte == UInt8(ascii: "e") { break }
        }
        let leadingZeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
        point = (integerDigits ?? digits.count) + exponent - leadingZeros
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        self.digits = Array(digits.dropFirst(leadingZeros))
        isNegative = real < 0
        canBePlain = real.magnitude < 0x1p63
    }

    /// Appends it in the layout of ECMAScript's `Number::toString`, which RFC 8785 section 3.2.2.3 demands.
    func append(to bytes: inout [UInt8]) {
        let zero = UInt8(ascii: "0")
        if isNegative { bytes.append(UInt8(ascii: "-")) }
        switch point {
        case digits.count...21 where canBePlain:
            bytes.append(contentsOf: digits)
            bytes.append(contentsOf: repeatElement(zero, count: point - digits.count))
        case 1...21 where canBePlain:
            bytes.append(contentsOf: digits[..<point])
            bytes.append(UInt8(ascii: "."))
            bytes.append(contentsOf: digits[point...])
        case -5...0:
            bytes.append(contentsOf: "0.".utf8)
            bytes.append(contentsOf: repeatElement(zero, count: -point))
            bytes.append(contentsOf: digits)
        default:
            bytes.append(contentsOf: digits.prefix(1))
            if digits.count > 1 {
                bytes.append(UInt8(ascii: "."))
                bytes.append(contentsOf: digits.dropFirst())
            }
            bytes.append(UInt8(ascii: "e"))
            bytes.append(UInt8(ascii: point > 0 ? "+" : "-"))
            bytes.append(contentsOf: String((point - 1).magnitude).utf8)
        }
    }
}
