import Foundation
import Testing

/// The long proofs of `Tests/Soak`, which drive the real program and the real simulator and judge by rules of their own.
///
/// `script/test --all` takes more of each, and the scripts as much as one likes.
@Suite struct SoakTests {
    static let isLong = ProcessInfo.processInfo.environment["LOCKSTEP_TEST_ALL"] != nil

    private func run(_ script: String, _ arguments: String...) throws -> Outcome {
        let outcome = try execute(
            Checkout.root.appending(path: "script/\(script)"),
            arguments + ["--jobs", "2"],
            in: Checkout.root,
            environment: ["LOCKSTEP": Checkout.lockstep.path]
        )
        #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
        return outcome
    }

    @Test func whateverHappensThePhonesShowWhatTheFilesSay() throws {
        let count = Self.isLong ? 200 : 50
        #expect(try run("soak", "\(count)").lines.last == "\(count) seeds, 0 failed")
    }

    @Test(.enabled(if: Permission.traces, "strace is not allowed here"))
    func whereverARunIsKilledTheNextOneGoesOn() throws {
        let outcome = try run("kill-sweep", "--every", Self.isLong ? "1" : "240")
        #expect(outcome.lines.last?.hasSuffix(", 0 failed") == true)
    }

    @Test(.enabled(if: Permission.mounts, "a mount is not allowed here"))
    func whenTheDiskIsFullNothingIsLostAndNothingDoubled() throws {
        let outcome = try run("kill-sweep", "--full-disk", "--every", Self.isLong ? "1" : "24")
        #expect(outcome.lines.last?.hasSuffix(", 0 failed") == true)
    }
}
