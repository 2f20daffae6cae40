internal import Glibc

/// Reads a file line by line in constant memory, however large it is.
public struct LineReader: ~Copyable {
    /// The number of the line that was read last, from 1; 0 before the first.
    public private(set) var number = 0

    /// The byte of the file that this line begins at.
    public private(set) var offset = 0

    /// The file that more comes from; `nil` where the buffer holds everything.
    private let file: FileDescriptor?
    private let path: String
    private let limit: Int
    private var buffer: [UInt8]
    /// The part of the buffer that is filled and not yet read.
    private var rest = 0..<0
    /// The byte of the file that the buffer begins at.
    private var start = 0
    private var isAtEnd = false

    /// Opens a file whose lines have at most `limit` bytes; the first line to read begins at the byte `offset`.
    public init(_ path: String, from offset: Int = 0, limit: Int = 4 << 20) throws(FileError) {
        file = try LineReader.open(path, at: offset)
        self.path = path
        self.limit = limit
        buffer = [UInt8](repeating: 0, count: 256 << 10)
        start = offset
    }

    /// Reads the lines of bytes that are in memory, as if `path` held them.
    public init(_ bytes: [UInt8], of path: String, from offset: Int = 0, limit: Int = 4 << 20) {
        file = nil
        self.path = path
        self.limit = limit
        buffer = bytes
        rest = min(offset, bytes.count)..<bytes.count
    }

    private static func open(_ path: String, at offset: Int) throws(FileError) -> FileDescriptor {
        let file = try FileDescriptor(path, O_RDONLY)
        guard offset == 0 || lseek(file.number, off_t(offset), SEEK_SET) >= 0 else { throw .last("seek in", path) }
        return file
    }

    /// Reads the next line into `line`, without its end (`\n`); `false` once there is none.
    ///
    /// A last line without an end counts. `line` keeps its memory from call to call.
    /// - Throws: The system's error; `lineTooLong`, after which the next call goes on with the next line.
    public mutating func next(into line: inout [UInt8]) throws(FileError) -> Bool {
        line.removeAll(keepingCapacity: true)
        offset = start + rest.lowerBound
        var isTooLong = false
        var isFound = false
        while !isFound {
            if rest.isEmpty, !(try refill()) {
                if line.isEmpty, !isTooLong { return false }
                break
            }
            let newline = buffer.firstIndex(of: UInt8(ascii: "\n"), in: rest)
            let piece = rest.lowerBound..<(newline ?? rest.upperBound)
            isTooLong = isTooLong || line.count + piece.count > limit
            if !isTooLong { line.append(contentsOf: buffer[piece]) }
            isFound = newline != nil
            rest = piece.upperBound + (isFound ? 1 : 0)..<rest.upperBound
        }
        number += 1
        guard !isTooLong else { throw FileError("read", path, because: .lineTooLong(line: number, limit: limit)) }
        return true
    }

    /// Reads the next piece of the file; `false` at its end.
    private mutating func refill() throws(FileError) -> Bool {
        guard !isAtEnd else { return false }
        start += rest.upperBound
        rest = 0..<(try file?.read(into: &buffer) ?? 0)
        isAtEnd = rest.isEmpty
        return !isAtEnd
    }
}

extension [UInt8] {
    /// The first place of a byte in a range.
    fileprivate func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let found = unsafe memchr(base + range.lowerBound, Int32(byte), range.count)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }
}
