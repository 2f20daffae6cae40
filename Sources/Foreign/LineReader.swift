internal import Glibc

/// Reads a file line by line in constant memory, however large it is.
public struct LineReader: ~Copyable {
    /// The number of the line that was read last, from 1; 0 before the first.
    public private(set) var number = 0

    /// The byte of the file that this line begins at.
    public private(set) var offset = 0

    private let file: FileDescriptor
    private let path: String
    private let limit: Int
    private var buffer: [UInt8] = []
    private var position = 0
    /// The byte of the file that the buffer begins at.
    private var start = 0
    private var isAtEnd = false

    private static let chunk = 256 << 10

    /// Opens a file whose lines have at most `limit` bytes; the first line to read begins at the byte `offset`.
    public init(_ path: String, from offset: Int = 0, limit: Int = 4 << 20) throws(FileError) {
        file = try LineReader.open(path, at: offset)
        self.path = path
        self.limit = limit
        start = offset
    }

    private static func open(_ path: String, at offset: Int) throws(FileError) -> FileDescriptor {
        let file = try FileDescriptor(path, O_RDONLY)
        guard offset == 0 || lseek(file.number, off_t(offset), SEEK_SET) >= 0 else { throw .last("seek in", path) }
        return file
    }

    /// Reads the next line into `line`, without its end (`\n`); `false` once there is none.
    ///
    /// A last line without an end counts. `line` keeps its memory from call to call.
    /// - Throws: What the system says; `lineTooLong`, after which the next call goes on with the next line.
    public mutating func next(into line: inout [UInt8]) throws(FileError) -> Bool {
        line.removeAll(keepingCapacity: true)
        var isTooLong = false
        offset = start + position
        while true {
            if position == buffer.count, !(try refill()) {
                if !isTooLong, line.isEmpty { return false }
                break
            }
            let rest = buffer[position...]
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            if line.count + end - position > limit { isTooLong = true }
            if !isTooLong { line.append(contentsOf: buffer[position..<end]) }
            position = min(end + 1, buffer.count)
            if end < buffer.count {
                number += 1
                guard !isTooLong else { throw tooLong }
                return true
            }
        }
        number += 1
        guard !isTooLong else { throw tooLong }
        return true
    }

    private var tooLong: FileError { FileError("read", path, .lineTooLong(line: number, limit: limit)) }

    /// Reads the next piece of the file; `false` at its end.
    private mutating func refill() throws(FileError) -> Bool {
        guard !isAtEnd else { return false }
        start += buffer.count
        buffer.removeAll(keepingCapacity: true)
        position = 0
        isAtEnd = try file.read(upTo: LineReader.chunk, into: &buffer) == 0
        return !isAtEnd
    }
}
