internal import CGit2

/// The name of an object in a Git repository: its SHA-1, in 40 hexadecimal digits.
public struct ObjectID: Hashable, Sendable, CustomStringConvertible {
    /// The 40 digits, in lower case.
    public let description: String

    /// Reads 40 digits; `nil` where they are none.
    public init?(_ text: String) {
        let isHex = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard text.utf8.count == 40, isHex else { return nil }
        description = text
    }

    /// The first 12 digits, as people are shown it.
    public var short: String { String(description.prefix(12)) }

    init(_ id: git_oid) {
        var id = id
        var digits = [CChar](repeating: 0, count: 40)
        // A git_oid has 20 bytes, which are written as exactly 40 digits and no NUL.
        unsafe digits.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            unsafe git_oid_fmt(start, &id)
        }
        description = String(decoding: digits.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    var raw: git_oid {
        var id = git_oid()
        // Only fails for what are no 40 digits.
        unsafe git_oid_fromstr(&id, description)
        return id
    }
}
