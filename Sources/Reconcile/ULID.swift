public import Diff
internal import Foreign
internal import JSON

/// The 26 characters of a ULID (https://github.com/ulid/spec): 48 bits of time, 80 bits of chance.
enum ULID {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// Mints one for now.
    static func mint() throws -> String {
        let now = systemMilliseconds()
        let time = (0..<6).map { UInt8(truncatingIfNeeded: now >> Int64(40 - 8 * $0)) }
        return string(try time + randomBytes(10))
    }

    /// 128 bits as 26 digits of 5 bits each, the first of them with 3.
    static func string(_ bytes: [UInt8]) -> String {
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
}

extension Identifier {
    /// A new id of this kind.
    public static func mint() throws -> Identifier {
        Identifier(Text(Kind.prefix + (try ULID.mint())))
    }
}
