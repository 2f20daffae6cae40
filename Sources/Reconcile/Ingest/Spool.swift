public import Foreign
internal import Ledger

/// The directory that device reports come in by: the only door.
///
/// Writers make `NAME.tmp` and rename it to `NAME.ndjson`; such a file never changes. Taken files move to `done/`, lines
/// that were not taken are kept in `rejected/` with their reasons.
public struct Spool: Sendable {
    /// The directory.
    public let directory: String
    private let system: SystemEnvironment

    /// The spool in a directory, which need not exist yet.
    public init(directory: String, system: SystemEnvironment) {
        self.directory = directory
        self.system = system
    }

    /// The names of the files that wait, in byte order.
    public func waiting() throws -> [String] { try names { $0 == .file } }

    /// The names that only look like reports, which are not opened: links, pipes, directories.
    public func strangers() throws -> [String] { try names { $0 != .file } }

    private func names(where isWanted: (Files.Facts.Kind) -> Bool) throws -> [String] {
        guard try Files.facts(following: directory) != nil else { return [] }
        return try Files.names(in: directory).filter { name in
            guard name.hasSuffix(".ndjson"), !name.hasPrefix(".") else { return false }
            return try Files.facts(path(name)).map { isWanted($0.kind) } ?? false
        }
    }

    /// Copies reports into the spool, whole or not at all.
    ///
    /// - Returns: The path of the new file.
    public func receive(_ bytes: [UInt8]) throws -> String {
        try Files.makeDirectory(directory)
        let path = Files.join(directory, "\(try system.mint("ingest-")).ndjson")
        // The temporary file's name begins with a dot and does not end in .ndjson, so that no run takes it half written.
        try system.disk.write(bytes, to: path, mode: 0o600, durably: true, isOnlyWriter: false)
        return path
    }

    func path(_ name: String) -> String { Files.join(directory, name) }

    /// The name that a file is kept by once it was taken: its own, with a number where an earlier one has it.
    func keptName(of name: String) throws -> String {
        var kept = name
        var count = 1
        while try Files.facts(taken(kept)) != nil {
            kept = "\(name.dropLast(".ndjson".utf8.count)).\(count).ndjson"
            count += 1
        }
        return kept
    }

    /// Moves a file that was taken out of the way.
    func finish(_ name: String, as kept: String) throws {
        try Files.makeDirectory(Files.parent(of: taken(kept)))
        try system.disk.rename(path(name), to: taken(kept))
    }

    /// Waits until files that were moved stay so; one that comes back after a power cut is taken again, which changes
    /// nothing.
    func synchronize() throws { try system.disk.synchronize(directory: directory) }

    /// Keeps the lines of a file that were not taken, each with its reasons; writing them again changes nothing.
    func reject(_ lines: [UInt8], as kept: String) throws {
        let rejected = Files.join(directory, "rejected")
        try Files.makeDirectory(rejected)
        let path = Files.join(rejected, kept)
        try system.disk.write(lines, to: path, mode: 0o600, durably: true, isOnlyWriter: false)
    }
}

extension Spool {
    /// The most that one file of the spool gets of a longer one, in bytes.
    private static let portion = 16 << 20

    /// The path of a file while it waits.
    public func waiting(_ name: String) -> String { path(name) }

    /// The path of a file once its reports were taken.
    public func taken(_ name: String) -> String { Files.join(path("done"), name) }

    /// Copies the reports of a file into the spool, in whole lines.
    ///
    /// - Parameter file: A file of any length, or a pipe.
    /// - Throws: ``FileError``.
    public func receive(file: String) throws {
        var reader = try LineReader(file, limit: Self.portion)
        var (line, portion): ([UInt8], [UInt8]) = ([], [])
        while try reader.next(into: &line) {
            if !portion.isEmpty, portion.count + line.count >= Self.portion {
                _ = try receive(portion)
                portion.removeAll(keepingCapacity: true)
            }
            portion += line
            portion.append(UInt8(ascii: "\n"))
        }
        if !portion.isEmpty { _ = try receive(portion) }
    }
}
