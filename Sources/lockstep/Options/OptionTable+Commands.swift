import Simulator

extension OptionTable {
    /// The options that a plan is made with; a saved one keeps them.
    static let limits: [OptionName] = [
        .rev, .repo, .only, .exclude, .onlyFile, .allowRemoved, .allowReplaced, .allowPushes, .allowProtected,
        .allowEmpty, .allowRollback, .afterRestore,
    ]

    /// Every command, in the order of help.
    static let commands: [CommandRow] = [
        CommandRow(
            name: .initialize,
            summary: "Write a starting project",
            operands: .init("[DIRECTORY]", 0...1, files: true),
            details: """
                Writes a configuration, an example state, an empty ledger and a .gitignore into DIRECTORY (default: \
                here). Nothing that exists is overwritten.
                """,
            ownStatuses: [.badInput]
        ),
        CommandRow(
            name: .validate,
            summary: "Check the files",
            operands: .init("[PATH…]", 0...Int.max, files: true),
            details: """
                Checks the configuration, the templates and all state files, or only PATH…, and shows every problem with \
                its place. Needs no ledger and sends nothing. With --format json each problem has a code and a range; with \
                --format github a GitHub workflow shows it at its line.
                """,
            ownStatuses: [.badInput]
        ),
        CommandRow(
            name: .fmt,
            summary: "Lay state files out",
            operands: .init("[PATH…]", 0...Int.max, files: true),
            options: [.check, .diff],
            details: """
                Lays out the state files, or only the given files and directories, and names those that it changes. \
                Numbers and strings stay as they were written; only the space between them changes. With --check or \
                --diff it changes nothing and ends with 1 where a file is not laid out.
                """,
            ownStatuses: [.badInput]
        ),
        CommandRow(
            name: .plan,
            summary: "Show what apply would do",
            options: limits + [.out, .expires, .detailedExitcode],
            details: """
                Compares the state files with the ledger, waiting device reports taken into account, and shows what \
                would change and be sent. Changes nothing and takes no lock. --out FILE saves the plan, so that \
                apply FILE carries out what was reviewed and nothing else.
                """,
            ownStatuses: [.changes, .unsafe, .badInput]
        ),
        CommandRow(
            name: .apply,
            summary: "Commit the declared state and send what closes the difference",
            operands: .init("[PLAN]", 0...1, files: true),
            options: limits + [.newLedger, .yes, .dryRun, .lockTimeout, .maxRuntime],
            details: """
                Takes in waiting device reports, plans, commits, publishes widget state and sends the pushes. Asks on a \
                terminal before it sends, unless --yes. Running it again with nothing changed sends nothing. With PLAN, \
                a file of plan --out, does what that plan says and nothing else, without asking: what was applied \
                already or what a device moved is passed over, and where files or another apply moved anything that \
                it names, or its time is over, it is refused as a whole.
                """,
            ownStatuses: [.undelivered, .unsafe, .stalePlan, .badInput, .locked, .interrupted, .terminated]
        ),
        CommandRow(
            name: .show,
            summary: "Show a saved plan",
            operands: .init("PLAN", 1...1, files: true),
            details: """
                Shows a file of plan --out as plan showed it. Needs neither configuration nor ledger, and looks at \
                nothing else.
                """,
            ownStatuses: [.badInput]
        ),
        CommandRow(
            name: .adopt,
            summary: "Record the declared state as applied, without sending",
            options: [.rev, .repo, .only, .exclude, .onlyFile, .allowRollback, .newLedger, .yes, .lockTimeout],
            details: """
                For the first run on devices that show the declared state already. Takes in waiting device reports; what \
                runs as declared counts as up to date, widgets count as reloaded, and activities that do not run are not \
                started until their generation changes. What is no longer declared is left to apply.
                """,
            ownStatuses: [.unsafe, .badInput, .locked]
        ),
        CommandRow(
            name: .ingest,
            summary: "Take in device reports",
            operands: .init("[FILE…|-]", 0...Int.max, files: true),
            options: [.lockTimeout],
            details: """
                Copies FILE…, or standard input for -, into the spool, and takes in everything that waits there. While \
                another run holds the lock, reports stay in the spool for it or the next one. A wrong line goes to \
                reports/rejected with its reason; the rest is taken.
                """,
            ownStatuses: [.badInput]
        ),
        CommandRow(
            name: .reload,
            summary: "Reload subscribers' widgets now",
            operands: .init("SUBSCRIBER…", 1...100),
            options: [.idempotencyKey, .lockTimeout, .maxRuntime],
            details: """
                Sends one reload to every widget token of 1 to 100 subscribers, whether or not anything changed, and \
                writes one result per token.
                """,
            ownStatuses: [.undelivered, .badInput, .locked, .interrupted, .terminated]
        ),
        CommandRow(
            name: .status,
            summary: "Show what the ledger knows",
            operands: .init("[SUBSCRIBER|ID]", 0...1),
            details: """
                Shows a subscriber with devices and published path, or anything else by its id; without one, the whole \
                ledger in a few lines.
                """,
            ownStatuses: [.badInput]
        ),
        CommandRow(
            name: .launches,
            summary: "List launches and what became of them",
            operands: .init("[SUBSCRIBER|ID]", 0...1),
            details: """
                Lists the launches that no device has reported yet, with what became of their starts; or all launches \
                of a subscriber, resolved ones too, or one by its id.
                """,
            ownStatuses: [.badInput]
        ),
        CommandRow(
            name: .log,
            summary: "Show what happened",
            operands: .init("[SUBSCRIBER|ID]", 0...1),
            details: """
                Shows what was sent and what devices reported, oldest first: everything, or what concerns a subscriber, \
                a target, a launch, an operation, a delivery or a run.
                """,
            ownStatuses: [.badInput]
        ),
        CommandRow(
            name: .quota,
            summary: "Show what today's quota went to, or record what was sent elsewhere",
            operands: .init("[use N]", 0...2),
            details: """
                Shows how many pushes of the day, by UTC, were accepted, are reserved or uncertain, and how many are \
                left. With use N, adds N to what the account sent today in other ways; that needs no lock, and a run at \
                work counts it at once.
                """,
            ownStatuses: [.badInput]
        ),
        CommandRow(
            name: .pause,
            summary: "Hold pushes; states still commit",
            operands: .init("ID…", 1...100),
            details: """
                Holds what would be sent for a target (tgt_), the starts of a start target (stt_), the reloads of a \
                device (wgt_), or everything of a subscriber. Neither ends nor revives anything; what a logout or a \
                revocation ends goes out all the same. Takes no lock: a run that is sending looks at it before each batch.
                """,
            ownStatuses: [.badInput]
        ),
        CommandRow(
            name: .resume,
            summary: "Send again what was paused",
            operands: .init("ID…", 1...100),
            details: "Ends a pause: the next apply sends the newest state, and only that.",
            ownStatuses: [.badInput]
        ),
        CommandRow(
            name: .revoke,
            summary: "Take the authority to send away",
            operands: .init("ID…", 1...100),
            options: [.keep],
            details: """
                Closes the scope of a target, a start target, a device's widgets or a subscriber: what is queued is \
                cancelled, nothing is started or updated, and the next apply ends what is visible, unless --keep. Late \
                reports restore nothing.
                """,
            ownStatuses: [.badInput]
        ),
        CommandRow(
            name: .reauthorize,
            summary: "Open a new scope after revoke",
            operands: .init("ID…", 1...100),
            details: """
                Opens the next scope, which needs registrations newer than itself: what a device registered before, and \
                what was started before, stays without authority, and what --keep had left visible ends.
                """,
            ownStatuses: [.badInput]
        ),
        CommandRow(
            name: .state,
            summary: "Change the ledger by hand, or copy it",
            operands: .init("forget TARGET…|move TARGET NAME|export FILE|import FILE|dump", 1...100),
            options: [.lockTimeout, .showTokens],
            details: """
                Forgets what was committed for a target (SUBSCRIBER, or SUBSCRIBER/KIND/NAME, with * and ?), so that it is \
                neither updated nor ended; gives it another name, so that what was renamed in the files goes on; writes the \
                ledger to a new file; or puts such a file in its place. Nothing is sent. Before each change the ledger is \
                copied to a file beside it, whose path is shown. dump writes every record of the ledger to standard output, \
                one JSON object a line, and takes no lock.
                """,
            ownStatuses: [.badInput, .locked]
        ),
        CommandRow(
            name: .template,
            summary: "Write the first version of a template",
            operands: .init("new NAME", 2...2),
            options: [.from],
            details: """
                Infers schemas from the example states in --from FILE and writes them to templates/NAME/1.json beside the \
                configuration, for you to go over. Nothing that exists is overwritten. A state file gives the states of \
                the declarations that name NAME@…, or of all where none does; any other JSON file is one state.
                """,
            ownStatuses: [.badInput]
        ),
        CommandRow(
            name: .schema,
            summary: "Write the JSON Schema of a file that you write",
            operands: .init("subscriber|config|template", 1...1),
            details: """
                Writes the JSON Schema (draft 7) of state files, of lockstep.json or of templates, for editors and \
                checkers. 'lockstep validate' says more: it also knows what files have to do with each other.
                """,
            ownStatuses: []
        ),
        CommandRow(
            name: .simulate,
            summary: "Run an APNs simulator with devices",
            options: [
                .port, .sandboxPort, .readyFile, .stateDir, .spool, .publicDir, .app, .streams, .firstStreams,
                .commands, .seed, .noRequestLog, .untilEOF,
            ],
            details: """
                Speaks Apple's protocol on 127.0.0.1 with its own certificate authority, and keeps simulated devices that \
                answer as iOS does. Takes one JSON command a line on standard input. Runs until it is stopped.
                """,
            reference: Simulator.reference,
            ownStatuses: []
        ),
        CommandRow(
            name: .completion,
            summary: "Write a completion script for a shell",
            operands: .init("bash|zsh|fish", 1...1),
            details: """
                For bash: lockstep completion bash > /etc/bash_completion.d/lockstep. For zsh: write it to a file \
                _lockstep in $fpath. For fish: write it to ~/.config/fish/completions/lockstep.fish.
                """,
            ownStatuses: []
        ),
        CommandRow(
            name: .version,
            summary: "Show the version",
            details: "Shows the version of this program.",
            ownStatuses: []
        ),
        CommandRow(
            name: .help,
            summary: "Show help",
            operands: .init("[COMMAND]", 0...1),
            options: [.man],
            details: "Shows help for COMMAND, or for the whole program.",
            ownStatuses: []
        ),
    ]
}
