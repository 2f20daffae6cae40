internal import Foreign

extension Spool {
    /// The most that one file of the spool gets of a longer one, in bytes.
    private static let portion = 16 << 20

    /// Where a file is while it waits.
    public func waiting(_ name: String) -> String { path(name) }

    /// Where a file is once its reports were taken.
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
