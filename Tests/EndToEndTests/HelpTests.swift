import Foundation
import Testing

@testable import lockstep

/// The program's own words, seen through the built binary.
@Suite struct HelpTests {
    @Test(arguments: CommandName.allCases)
    func everyCommandHasHelpThatEndsInItsStatuses(_ name: CommandName) throws {
        let help = try Workspace().run(name.rawValue, "--help")
        #expect(help.status == 0)
        #expect(help.stderr == "")
        let row = OptionTable.command(name)
        #expect(help.lines.prefix(2) == ["USAGE", "  \(row.usage)"])
        for option in row.options { #expect(help.stdout.contains(OptionTable.option(option).usage)) }
        let statuses = try #require(help.lines.firstIndex(of: "EXIT STATUS"))
        #expect(help.lines[(statuses + 1)...].filter { !$0.hasPrefix("      ") }.count == row.statuses.count)
        #expect(help.lines.allSatisfy { $0.count <= 100 })
        #expect(try Workspace().run("help", name.rawValue).stdout == help.stdout)
    }

    @Test func theReadmeNamesEveryCommandAndStatus() throws {
        let readme = try Checkout.text("README.md")
        for name in CommandName.allCases { #expect(readme.contains("lockstep \(name.rawValue)"), "\(name.rawValue)") }
        for status in ExitStatus.allCases { #expect(readme.contains("| \(status.rawValue) |"), "\(status)") }
    }

    @Test func theManualPageHasEveryCommandAndOption() throws {
        let page = try Workspace().run("help", "--man").stdout.replacing("\\-", with: "-")
        #expect(page.hasPrefix(".TH LOCKSTEP 1"))
        for row in OptionTable.commands { #expect(page.contains(".SS \(row.usage)\n")) }
        for option in OptionTable.options { #expect(page.contains(".B \(option.usage)\n")) }
    }

    @Test func bashCompletesCommandsOptionsAndValues() throws {
        #expect(try completions("pl") == ["plan"])
        #expect(try completions("plan", "--allow-re") == ["--allow-removed", "--allow-replaced"])
        #expect(try completions("--quiet", "ingest", "--for") == ["--format"])
        #expect(try completions("plan", "--format", "j") == ["json"])
        #expect(try completions("diff", "--only", "") == [])
    }

    /// What bash offers after the given words.
    private func completions(_ words: String...) throws -> [String] {
        let quoted = (["lockstep"] + words).map { "'\($0)'" }.joined(separator: " ")
        let script = """
            source <('\(Checkout.lockstep.path)' completion bash)
            COMP_WORDS=(\(quoted)) COMP_CWORD=\(words.count)
            _lockstep
            [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
            """
        return try execute(URL(filePath: "/bin/bash"), ["-c", script], in: Checkout.root).lines
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionScriptsKnowEveryCommandAndOption(_ shell: String) throws {
        let script = try Workspace().run("completion", shell).stdout
        for name in OptionTable.commandNames { #expect(script.contains(name)) }
        for option in OptionName.allCases { #expect(script.contains(option.rawValue)) }
    }

    @Test func wrongUsageEndsWith64AndSaysSoInEitherFormat() throws {
        let human = try Workspace().run("plna")
        #expect(human.status == 64)
        #expect(human.stdout == "")
        #expect(human.stderr == "lockstep: there is no command 'plna'; did you mean 'plan'?\nSee 'lockstep help'.\n")

        let json = try Workspace().run("plna", "--format", "json")
        #expect(json.status == 64)
        let envelope = try json.json()
        #expect(Set(envelope.keys) == ["success", "data", "error", "metadata"])
        #expect(envelope["success"] as? Bool == false)
        #expect((envelope["error"] as? [String: Any])?["code"] as? String == "unknown_command")
    }

    @Test func dataThatCannotBeWrittenIsAFailureAndAClosedPipeIsNot() throws {
        let shell = URL(filePath: "/bin/bash")
        let binary = Checkout.lockstep.path
        let full = try execute(shell, ["-c", "'\(binary)' help > /dev/full"], in: Checkout.root)
        #expect(full.status == 1)
        #expect(full.stderr == "lockstep: cannot write standard output: No space left on device\n")
        let closed = try execute(
            shell,
            ["-c", "'\(binary)' help --man | true; echo ${PIPESTATUS[0]}"],
            in: Checkout.root
        )
        #expect(closed.lines == ["0"])
        #expect(closed.stderr == "")
    }

    @Test func coloursCanBeForcedAndTurnedOff() throws {
        #expect(try Workspace().run("plna", "--color", "always").stderr.contains("\u{1B}[31m"))
        #expect(try !Workspace().run("plna").stderr.contains("\u{1B}"))
    }
}
