internal import Glibc

/// The name that the linker gives to a build of a program: another content has another one, whatever its version says.
///
/// It is the note `NT_GNU_BUILD_ID` of an ELF file of 64 bits; see elf(5).
public struct BuildID: Hashable, Sendable, CustomStringConvertible {
    /// The bytes of the note.
    public let bytes: [UInt8]

    /// Reads the build of a program, as a rule of the one that runs; `nil` where the file is no program, or was linked
    /// without one.
    ///
    /// - Parameter program: The file.
    /// - Throws: The system's error.
    public init?(of program: String = "/proc/self/exe") throws(FileError) {
        let file = try FileDescriptor(program, O_RDONLY)
        let header = try file.read(64, at: 0)
        guard header.starts(with: [0x7F, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F"), 2, 1]),
            let table = header.number(at: 32, of: 8), let size = header.number(at: 54, of: 2),
            let count = header.number(at: 56, of: 2)
        else { return nil }
        for index in 0..<count {
            let segment = try file.read(size, at: table + index * size)
            guard segment.number(at: 0, of: 4) == Self.notes, let start = segment.number(at: 8, of: 8),
                let length = segment.number(at: 32, of: 8), length <= 64 << 10
            else { continue }
            if let bytes = Self.build(among: try file.read(length, at: start)) {
                self.bytes = bytes
                return
            }
        }
        return nil
    }

    /// The type of a segment that holds notes.
    private static let notes = 4
    /// The type of the note, and its owner with the zero behind.
    private static let build = (type: 3, owner: Array("GNU\0".utf8))

    /// Each note: three numbers, the owner and the content, both filled up to four bytes.
    private static func build(among notes: [UInt8]) -> [UInt8]? {
        var start = 0
        while let owner = notes.number(at: start, of: 4), let content = notes.number(at: start + 4, of: 4),
            let type = notes.number(at: start + 8, of: 4)
        {
            let contentStart = start + 12 + (owner + 3) / 4 * 4
            guard contentStart + content <= notes.count else { return nil }
            if type == build.type, content > 0, notes[(start + 12)...].starts(with: build.owner) {
                return Array(notes[contentStart..<contentStart + content])
            }
            start = contentStart + (content + 3) / 4 * 4
        }
        return nil
    }

    /// The bytes as hex digits.
    public var description: String { Hex.text(bytes) }
}

extension FileDescriptor {
    /// So many bytes from a place on; fewer where the file ends before.
    fileprivate func read(_ count: Int, at place: Int) throws(FileError) -> [UInt8] {
        guard lseek(number, off_t(place), SEEK_SET) >= 0 else { throw .last("seek in", path) }
        var bytes = [UInt8](repeating: 0, count: count)
        var end = 0
        while end < count {
            let more = try read(into: &bytes, at: end)
            if more == 0 { break }
            end += more
        }
        bytes.removeLast(count - end)
        return bytes
    }
}

extension [UInt8] {
    /// A number of some bytes, the lowest first; `nil` where the bytes end before, or it is larger than any place.
    fileprivate func number(at place: Int, of size: Int) -> Int? {
        guard place + size <= count else { return nil }
        let number = self[place..<place + size].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return number < 1 << 40 ? Int(number) : nil
    }
}
