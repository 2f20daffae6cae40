import Glibc

/// Standard input, where a person answers.
public enum StandardInput {
    /// Whether a person sits there.
    public static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// The next line without its end; `nil` where there is no more.
    ///
    /// Reads byte by byte, so that it takes nothing that belongs to a later reader.
    public static func line() -> String? {
        var bytes: [UInt8] = []
        while let byte = nextByte() {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    private static func nextByte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = unsafe read(STDIN_FILENO, &byte, 1)
            if count == 1 { return byte }
            guard count < 0, errno == EINTR else { return nil }
        }
    }
}
