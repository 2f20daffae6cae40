internal import Glibc

extension Files {
    /// One name that a walk found.
    public struct Entry: Hashable, Sendable {
        /// The path, beginning with the directory that was walked.
        public var path: String
        /// The thing that has the name; links are not followed.
        public var kind: Facts.Kind
        /// The reason that a directory could not be read; then nothing inside it is visited.
        public var error: FileError?

        /// An entry.
        public init(path: String, kind: Facts.Kind, error: FileError? = nil) {
            self.path = path
            self.kind = kind
            self.error = error
        }
    }

    /// The names in a directory, in byte order, without `.` and `..`.
    public static func names(in directory: String) throws(FileError) -> [String] {
        let (names, others) = try scan(directory)
        if let name = others.first { throw FileError("read the directory", directory, because: .nameNotUTF8(name)) }
        return names
    }

    /// The names in a directory, and as far as they can be shown those that are not UTF-8.
    private static func scan(_ directory: String) throws(FileError) -> (names: [String], others: [String]) {
        guard !directory.utf8.contains(0) else { throw FileError("read the directory", directory, because: .nulInPath) }
        guard let stream = unsafe opendir(directory) else { throw .last("read the directory", directory) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        var others: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let bytes = unsafe withUnsafeBytes(of: entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                others.append(String(decoding: bytes, as: UTF8.self))
                continue
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw .last("read the directory", directory) }
        return (names.sorted(by: precedes), others.sorted(by: precedes))
    }

    /// Visits everything below a directory in the byte order of its paths; the directory itself is not visited.
    ///
    /// Names that begin with a dot are left out, and so is all that is inside such directories. Links are visited, not
    /// followed. One directory's names are in memory at a time, and those of the ones above it. `visit` decides by its
    /// result whether a directory is entered.
    /// - Throws: An error where the directory itself cannot be read, and those of `visit`.
    public static func walk(_ directory: String, visit: (Entry) throws -> Bool) throws {
        let (names, others) = try scan(directory)
        for name in others where name.utf8.first != UInt8(ascii: ".") {
            let error = FileError("read", directory, because: .nameNotUTF8(name))
            _ = try visit(Entry(path: join(directory, name), kind: .other, error: error))
        }
        for (name, kind) in try entries(names, in: directory) {
            var entry = Entry(path: join(directory, name), kind: kind)
            guard try visit(entry), kind == .directory else { continue }
            do { try walk(entry.path, visit: visit) } catch let error as FileError where error.path == entry.path {
                entry.error = error
                _ = try visit(entry)
            }
        }
    }

    /// Names with their kinds, in the order of the walk.
    ///
    /// A directory sorts as if its name ended in a slash: that is the byte
    /// order of whole paths.
    private static func entries(
        _ names: [String],
        in directory: String
    ) throws(FileError) -> [(name: String, kind: Facts.Kind)] {
        var entries: [(name: String, kind: Facts.Kind)] = []
        for name in names where name.utf8.first != UInt8(ascii: ".") {
            // A name that has gone since the directory was read is left out.
            if let facts = try facts(join(directory, name)) { entries.append((name, facts.kind)) }
        }
        func sortKey(_ entry: (name: String, kind: Facts.Kind)) -> String {
            entry.kind == .directory ? entry.name + "/" : entry.name
        }
        return entries.sorted { precedes(sortKey($0), sortKey($1)) }
    }

    /// Compares two paths: true where the left one comes first in byte order.
    public static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
