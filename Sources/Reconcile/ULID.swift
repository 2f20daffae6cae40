internal import Foreign

/// Mints the 26 characters of a ULID (https://github.com/ulid/spec): 48 bits of time, 80 bits of chance.
enum ULID {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    static func mint(at milliseconds: Int64 = SystemClock.milliseconds()) -> String {
        var bytes = timeBytes(milliseconds)
        for byte in RandomBytes.make(10) { bytes.append(byte) }
        // 128 bits as 26 digits of 5 bits, the first of them with 3.
        var digits: [UInt8] = []
        digits.reserveCapacity(26)
        var buffer: UInt32 = 0
        var bits = 2
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                digits.append(alphabet[Int(buffer >> UInt32(bits) & 31)])
            }
            buffer &= (1 << UInt32(bits)) - 1
        }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func timeBytes(_ milliseconds: Int64) -> [UInt8] {
        (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> Int64(40 - 8 * $0)) }
    }
}
