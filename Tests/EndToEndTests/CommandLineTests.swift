import Foundation
import Testing

@testable import lockstep

@Suite struct CommandLineTests {
    struct Row: CustomTestStringConvertible {
        let line: String
        let command: Command
        var testDescription: String { line }
    }

    static func plan(_ change: (inout PlanScope) -> Void = { _ in }, config: String? = nil, detailed: Bool = false)
        -> Command
    {
        var scope = PlanScope()
        change(&scope)
        return .plan(PlanCommand(config: config, scope: scope, hasDetailedStatus: detailed))
    }

    static let rows: [Row] = [
        Row(line: "plan", command: plan()),
        Row(line: "diff", command: plan()),
        Row(line: "apply --dry-run", command: plan()),
        Row(line: "--config a.json plan", command: plan(config: "a.json")),
        Row(line: "plan --config=a.json", command: plan(config: "a.json")),
        Row(line: "plan --detailed-exitcode", command: plan(detailed: true)),
        Row(line: "plan --only a --only b/*", command: plan { $0.only = ["a", "b/*"] }),
        Row(line: "--only a plan", command: plan { $0.only = ["a"] }),
        Row(line: "plan --only=--odd", command: plan { $0.only = ["--odd"] }),
        Row(line: "plan --allow-removed 3 --allow-empty", command: plan { ($0.removed, $0.mayBeEmpty) = (3, true) }),
        Row(line: "plan --allow-replaced 0 --allow-pushes 9", command: plan { ($0.replaced, $0.pushes) = (0, 9) }),
        Row(line: "plan --allow-protected x", command: plan { $0.protected = ["x"] }),
        Row(
            line: "apply --yes --new-ledger",
            command: .apply(ApplyCommand(config: nil, scope: PlanScope(), mayMakeLedger: true, isConfirmed: true))
        ),
        Row(
            line: "apply -y",
            command: .apply(ApplyCommand(config: nil, scope: PlanScope(), mayMakeLedger: false, isConfirmed: true))
        ),
        Row(line: "init", command: .initialize(InitCommand(directory: "."))),
        Row(line: "init there", command: .initialize(InitCommand(directory: "there"))),
        Row(line: "validate a b", command: .validate(ValidateCommand(config: nil, paths: ["a", "b"]))),
        Row(line: "validate -- --odd", command: .validate(ValidateCommand(config: nil, paths: ["--odd"]))),
        Row(line: "ingest", command: .ingest(IngestCommand(config: nil, sources: []))),
        Row(line: "ingest a -", command: .ingest(IngestCommand(config: nil, sources: [.file("a"), .standardInput]))),
        Row(line: "status", command: .status(StatusCommand(config: nil, subject: nil))),
        Row(line: "status u", command: .status(StatusCommand(config: nil, subject: "u"))),
        Row(line: "completion fish", command: .completion(CompletionCommand(shell: .fish))),
        Row(line: "--version", command: .version(VersionCommand())),
        Row(line: "plan --version", command: .version(VersionCommand())),
        Row(line: "help", command: .help(HelpCommand(topic: .overview))),
        Row(line: "-h", command: .help(HelpCommand(topic: .overview))),
        Row(line: "help diff", command: .help(HelpCommand(topic: .command(.plan)))),
        Row(line: "apply --help", command: .help(HelpCommand(topic: .command(.apply)))),
        Row(line: "reload --help", command: .help(HelpCommand(topic: .command(.reload)))),
        Row(line: "help --man", command: .help(HelpCommand(topic: .manPage))),
    ]

    @Test(arguments: rows)
    func isRead(_ row: Row) throws {
        #expect(try Invocation(row.line.split(separator: " ").map(String.init)).command == row.command)
    }

    static let mistakes: [(line: String, message: String)] = [
        ("", "a command is missing"),
        ("--quiet", "a command is missing"),
        ("plna", "there is no command 'plna'; did you mean 'plan'?"),
        ("frobnicate", "there is no command 'frobnicate'"),
        ("plan --onyl x", "there is no option '--onyl'; did you mean '--only'?"),
        ("plan -x", "there is no option '-x'"),
        ("plan --only", "'--only' needs a value: --only GLOB"),
        ("plan --only --allow-empty", "'--only' needs a value: --only GLOB"),
        ("plan --only=", "'--only' needs a value: --only GLOB"),
        ("plan --allow-empty=yes", "'--allow-empty' takes no value"),
        ("plan --allow-removed many", "'--allow-removed' takes a number of 0 or more, not 'many'"),
        ("plan --allow-removed=-1", "'--allow-removed' takes a number of 0 or more, not '-1'"),
        ("plan --allow-pushes 1 --allow-pushes 2", "'--allow-pushes' is given twice; keep one"),
        ("plan --color blue", "'--color' takes auto, always or never, not 'blue'"),
        ("plan --quiet --verbose", "'--quiet' and '--verbose' exclude each other; keep one"),
        ("ingest --only x", "'--only' belongs to plan, apply and adopt, not to ingest"),
        ("plan --yes", "'--yes' belongs to apply and adopt, not to plan"),
        ("version now", "version takes no operand, and 'now' is one"),
        ("status a b", "status takes 0 to 1 of [SUBSCRIBER|ID], not 2"),
        ("reload", "reload takes 1 to 100 of SUBSCRIBER…, not 0"),
        ("quota use", "'use' is not use N, N being a number of pushes"),
        ("quota used 1", "'used 1' is not use N, N being a number of pushes"),
        ("quota use x", "'x' is not a number of pushes, 0 or more"),
        ("completion tcsh", "'tcsh' is not bash, zsh or fish"),
        ("doctor", "'doctor' is not built yet"),
        ("plan --expires 2h", "'--expires' means nothing without --out"),
        (
            "apply p --only a",
            "'--only' belongs to the plan: a saved plan is applied as it was made; give it to 'plan --out', or leave out PLAN"
        ),
        ("apply p q", "apply takes 0 to 1 of [PLAN], not 2"),
        (
            "apply --format markdown",
            "'--format' takes human or json (plan and show take markdown too, and validate github), not 'markdown'"
        ),
        (
            "plan --format github",
            "'--format' takes human or json (plan and show take markdown too, and validate github), not 'github'"
        ),
        ("help doctor", "'doctor' is not built yet"),
    ]

    @Test(arguments: mistakes)
    func isRefused(line: String, message: String) {
        let error = #expect(throws: UsageError.self) {
            try Invocation(line.split(separator: " ").map(String.init))
        }
        #expect(error?.description == message)
    }

    @Test func reloadTakesOneToAHundredSubscribers() throws {
        let hundred = (1...100).map { "user_\($0)" }
        #expect(
            try Invocation(["reload"] + hundred).command
                == .reload(ReloadCommand(config: nil, subscribers: hundred, idempotencyKey: nil))
        )
        #expect(throws: UsageError.self) { try Invocation(["reload"] + hundred + ["user_101"]) }
        #expect(throws: UsageError.self) { try Invocation(["reload", ""]) }
        #expect(throws: UsageError.self) { try Invocation(["reload", String(repeating: "x", count: 257)]) }
    }

    @Test func everyNameHasARow() {
        let names = OptionTable.options.map(\.name.rawValue).sorted()
        #expect(names == OptionName.allCases.map(\.rawValue).sorted())
        #expect(OptionTable.commands.map(\.name) == CommandName.allCases)
    }

    @Test func everyOptionBelongsSomewhereAndNoNameIsTakenTwice() {
        let used = Set(OptionTable.global + OptionTable.commands.flatMap(\.options))
        #expect(used == Set(OptionName.allCases))
        let shorts = OptionTable.options.compactMap(\.short)
        #expect(Set(shorts).count == shorts.count)
        #expect(Set(OptionTable.commandNames).count == OptionTable.commandNames.count)
        #expect(OptionTable.later.isDisjoint(with: OptionTable.commandNames + OptionTable.options.map(\.flag)))
    }
}
