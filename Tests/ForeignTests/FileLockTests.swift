import Foundation
import Testing

@testable import Foreign

@Suite struct FileLockTests {
    static func path() -> String {
        FileManager.default.temporaryDirectory.appending(path: "lock-\(UUID().uuidString)").path
    }

    static let holder = LockHolder(
        process: 4711,
        host: "db1",
        user: "deploy",
        command: "lockstep apply --yes",
        since: "2026-11-30T10:00:00Z",
        run: "run_1"
    )

    @Test func theSecondIsRefusedAndToldWhoHoldsIt() throws {
        let path = Self.path()
        defer { unlink(path) }
        let lock = try FileLock(path: path, holder: Self.holder, .machine)
        let error = #expect(throws: FileLockError.self) {
            _ = try FileLock(path: path, holder: .current(command: "other", since: "later"), .machine)
        }
        #expect(error == .held(path: path, by: Self.holder))
        #expect(
            error?.description
                == "\(path) is locked by 'lockstep apply --yes' (pid 4711, deploy@db1, since 2026-11-30T10:00:00Z, run_1);"
                + " wait until it ends, or stop it"
        )
        withExtendedLifetime(lock) {}
    }

    @Test func itIsFreeAgainAndNamesNobodyOnceItsHolderIsDone() throws {
        let path = Self.path()
        defer { unlink(path) }
        do { _ = try FileLock(path: path, holder: Self.holder, .machine) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "")
        _ = try FileLock(path: path, holder: Self.holder, .machine)
    }

    /// The holder here is flock(1) of util-linux, which names nobody.
    @Test func aKilledHolderFreesIt() throws {
        let path = Self.path()
        defer { unlink(path) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/flock")
        process.arguments = ["--no-fork", path, "cat"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // cat answers once it runs, which is once the lock is taken.
        try input.fileHandleForWriting.write(contentsOf: Data("locked\n".utf8))
        #expect(output.fileHandleForReading.availableData == Data("locked\n".utf8))
        #expect(throws: FileLockError.held(path: path, by: nil)) {
            _ = try FileLock(path: path, holder: Self.holder, .machine)
        }

        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        _ = try FileLock(path: path, holder: Self.holder, .machine)
    }

    @Test func aPlaceThatCannotBeWrittenIsNamed() {
        let error = #expect(throws: FileLockError.self) {
            _ = try FileLock(path: "/nowhere/lock", holder: Self.holder, .machine)
        }
        #expect(error?.description == "open /nowhere/lock: No such file or directory")
    }

    @Test(arguments: ["", "pid: x\n", "pid: 1\nhost: a\n", "nonsense"])
    func halfWrittenHoldersAreNone(_ text: String) {
        #expect(LockHolder(text: text) == nil)
    }

    @Test func holdersReadBackAsTheyWereWritten() {
        var holder = LockHolder.current(command: "lockstep ingest 'a: b\nc'", since: "2026-11-30T10:00:00Z")
        #expect(holder.process == getpid())
        holder.command = "lockstep ingest 'a: b c'"
        #expect(LockHolder(text: holder.text) == holder)
    }
}
