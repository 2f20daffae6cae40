import Foreign
import Foundation
import TestSeeds

/// The disk of one project: real files in memory, where what nobody waited for is lost when the power is cut.
///
/// The ledger has a disk of its own: a unit that was kept stays, as in SQLite with `synchronous = FULL`.
final class WorldDisk: Disk, @unchecked Sendable {
    /// What is not on the disk yet, in the order in which it was done.
    private enum Unwritten {
        case file(String, before: [UInt8]?)
        case name(String, was: String)

        /// The path whose directory has to be waited for.
        var path: String {
            switch self {
            case .file(let path, _): path
            case .name(_, let former): former
            }
        }
    }

    private var unwritten: [Unwritten] = []
    /// An effect is about to happen; throws where the run is dead, or the disk full.
    var happens: (Effect) throws -> Void = { _ in }

    func write(_ bytes: [UInt8], to path: String, mode: UInt32, durably: Bool, isOnlyWriter: Bool) throws {
        try happens(.write)
        let before = try? Files.read(path)
        try Files.write(bytes, to: path, mode: mode, durably: false, isOnlyWriter: isOnlyWriter)
        if !durably { unwritten.append(.file(path, before: before)) }
    }

    func rename(_ source: String, to destination: String) throws {
        try happens(.rename)
        try Files.rename(source, to: destination)
        unwritten.append(.name(destination, was: source))
    }

    func synchronize(directory: String) throws {
        try happens(.synchronize)
        unwritten.removeAll {
            if case .name(_, let former) = $0 { Files.parent(of: former) == directory } else { false }
        }
    }

    func synchronizeFileSystem(of path: String) throws {
        try happens(.synchronize)
        unwritten = []
    }

    /// The power is cut: of what nobody waited for, chance keeps some.
    ///
    /// - Returns: The number of files and names that are lost.
    func cutPower(_ dice: inout Dice) throws -> Int {
        var lost = 0
        for item in unwritten.reversed() where !dice.one(in: 3) {
            lost += 1
            switch item {
            case .file(let path, let before):
                // A file that was there has its old content, or none.
                if let before, dice.one(in: 2) {
                    try Files.write(before, to: path)
                } else {
                    try Files.write([], to: path)
                }
            case .name(let path, let former):
                guard FileManager.default.fileExists(atPath: path), !FileManager.default.fileExists(atPath: former)
                else {
                    continue
                }
                try Files.rename(path, to: former)
            }
        }
        unwritten = []
        return lost
    }
}
