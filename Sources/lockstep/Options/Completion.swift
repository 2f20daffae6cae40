/// Completion scripts for shells, made from the option table.
enum Completion {
    /// A shell that can complete our words.
    enum Shell: String, CaseIterable, Sendable {
        case bash
        case zsh
        case fish
    }

    /// The script for one shell.
    static func script(for shell: Shell) -> [String] {
        switch shell {
        case .bash: bash()
        case .zsh: zsh()
        case .fish: fish()
        }
    }

    private static func bash() -> [String] {
        let cases = OptionTable.commands.map { row in
            let names = ([row.name.rawValue] + row.name.aliases).joined(separator: "|")
            let words = flags(row).joined(separator: " ")
            return "        \(names)) words=\"\(words)\"; files=\(row.operands.areFiles) ;;"
        }
        let values = OptionTable.options.compactMap { option -> String? in
            switch option.argument {
            case .none: nil
            case .choice(let words):
                "        \(option.flag)) COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$current\")); return ;;"
            case .file: "        \(option.flag)) COMPREPLY=($(compgen -f -- \"$current\")); return ;;"
            case .directory: "        \(option.flag)) COMPREPLY=($(compgen -d -- \"$current\")); return ;;"
            case .text, .count: "        \(option.flag)) return ;;"
            }
        }
        return ["# bash completion for lockstep", "_lockstep() {"]
            + ["    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}"]
            + ["    local word command= words files=false", "    case $previous in"] + values + ["    esac"]
            + ["    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do", "        case $word in"]
            + ["            \(OptionTable.commandNames.joined(separator: "|"))) command=$word; break ;;"]
            + ["        esac", "    done", "    case $command in"] + cases
            + [
                "        *) words=\"\(OptionTable.commandNames.joined(separator: " ")) \(global.joined(separator: " "))\" ;;"
            ]
            + ["    esac", "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))"]
            + ["    [ \"$files\" = true ] && COMPREPLY+=($(compgen -f -- \"$current\"))", "    return 0", "}"]
            + ["complete -o filenames -F _lockstep lockstep"]
    }

    private static func zsh() -> [String] {
        let names = OptionTable.commands.map { "        '\($0.name.rawValue):\(quoted($0.summary))'" }
        let cases = OptionTable.commands.map { row in
            let names = ([row.name.rawValue] + row.name.aliases).joined(separator: "|")
            let operands = row.operands.areFiles ? " '*:file:_files'" : ""
            let options = (row.options + OptionTable.global).map(OptionTable.option).map(zshArgument)
            return "        \(names)) _arguments \(options.joined(separator: " "))\(operands) ;;"
        }
        return ["#compdef lockstep", "_lockstep() {", "    local -a commands", "    commands=("] + names + ["    )"]
            + ["    if (( CURRENT == 2 )); then", "        _describe 'command' commands", "        return", "    fi"]
            + ["    local command=$words[2]", "    shift words", "    (( CURRENT-- ))", "    case $command in"] + cases
            + ["    esac", "}", "_lockstep \"$@\""]
    }

    private static func zshArgument(_ option: Option) -> String {
        let repeatable = option.isRepeatable ? "*" : ""
        let value: String =
            switch option.argument {
            case .none: ""
            case .choice(let words): ":value:(\(words.joined(separator: " ")))"
            case .file(let name): ":\(name):_files"
            case .directory(let name): ":\(name):_files -/"
            case .text(let name), .count(let name): ":\(name):"
            }
        return "'\(repeatable)\(option.flag)[\(quoted(option.help))]\(value)'"
    }

    private static func fish() -> [String] {
        let commands = OptionTable.commands.map { row in
            "complete -c lockstep -n __fish_use_subcommand -a \(row.name.rawValue) -d '\(quoted(row.summary))'"
        }
        let shared = OptionTable.global.map { fishOption(OptionTable.option($0), condition: "") }
        let own = OptionTable.commands.flatMap { row in
            let names = ([row.name.rawValue] + row.name.aliases).joined(separator: " ")
            let condition = "-n '__fish_seen_subcommand_from \(names)'"
            let options = row.options.map { fishOption(OptionTable.option($0), condition: condition) }
            return options + (row.operands.areFiles ? ["complete -c lockstep \(condition) -F"] : [])
        }
        return ["# fish completion for lockstep", "complete -c lockstep -f"] + commands + shared + own
    }

    private static func fishOption(_ option: Option, condition: String) -> String {
        let value: String =
            switch option.argument {
            case .none: ""
            case .choice(let words): " -x -a '\(words.joined(separator: " "))'"
            case .file, .directory: " -r -F"
            case .text, .count: " -x"
            }
        let short = option.short.map { " -s \($0)" } ?? ""
        let when = condition.isEmpty ? "" : " \(condition)"
        return "complete -c lockstep\(when) -l \(option.name.rawValue)\(short)\(value) -d '\(quoted(option.help))'"
    }

    private static var global: [String] { OptionTable.global.map { OptionTable.option($0).flag } }

    private static func flags(_ row: CommandRow) -> [String] {
        row.options.map { OptionTable.option($0).flag } + global
    }

    /// Fit for single quotes, and for the brackets and colons of zsh.
    private static func quoted(_ text: String) -> String {
        text.replacing("'", with: "’").replacing(":", with: " -").replacing("[", with: "(").replacing("]", with: ")")
    }
}
