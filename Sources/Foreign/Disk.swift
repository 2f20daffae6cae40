/// The disk that a run writes its files to, beside the ledger: that of this machine, or a test's.
///
/// A test's twin is full when the test says so, and loses what nobody waited for when the power is cut.
public protocol Disk: Sendable {
    /// Puts a whole file in its place at once, as ``Files/write(_:to:mode:durably:isOnlyWriter:)`` does.
    func write(_ bytes: [UInt8], to path: String, mode: UInt32, durably: Bool, isOnlyWriter: Bool) throws
    /// Gives a file another name, in place of one that has it.
    func rename(_ source: String, to destination: String) throws
    /// Waits until the names in a directory are on the disk.
    func synchronize(directory: String) throws
    /// Waits until everything that was written to the file system of a path is on the disk.
    func synchronizeFileSystem(of path: String) throws
}

/// The disk of this machine.
struct MachineDisk: Disk {
    func write(_ bytes: [UInt8], to path: String, mode: UInt32, durably: Bool, isOnlyWriter: Bool) throws {
        try Files.write(bytes, to: path, mode: mode, durably: durably, isOnlyWriter: isOnlyWriter)
    }

    func rename(_ source: String, to destination: String) throws { try Files.rename(source, to: destination) }
    func synchronize(directory: String) throws { try Files.synchronize(directory: directory) }
    func synchronizeFileSystem(of path: String) throws { try Files.synchronizeFileSystem(of: path) }
}
