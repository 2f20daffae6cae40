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
        let names = OptionTable.commandNames
        return """
            # bash completion for lockstep
            _lockstep() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
                local word command= words files=false
                case $previous in
            \(joined(OptionTable.options.compactMap(bashValue)))
                esac
                for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                    case $word in
                        \(names.joined(separator: "|"))) command=$word; break ;;
                    esac
                done
                case $command in
            \(joined(OptionTable.commands.map(bashCommand)))
                    *) words="\((names + global).joined(separator: " "))" ;;
                esac
                COMPREPLY=($(compgen -W "$words" -- "$current"))
                [ "$files" = true ] && COMPREPLY+=($(compgen -f -- "$current"))
                return 0
            }
            complete -o filenames -F _lockstep lockstep
            """.split(separator: "\n").map(String.init)
    }

    /// The words that can follow an option that takes a value.
    private static func bashValue(_ option: Option) -> String? {
        let offer: String
        switch option.argument {
        case .none: return nil
        case .choice(let words):
            offer = "COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$current\")); "
        case .file: offer = "COMPREPLY=($(compgen -f -- \"$current\")); "
        case .directory: offer = "COMPREPLY=($(compgen -d -- \"$current\")); "
        case .text, .count, .duration: offer = ""
        }
        return "        \(option.flag)) \(offer)return ;;"
    }

    private static func bashCommand(_ row: CommandRow) -> String {
        let words = (row.options.map { OptionTable.option($0).flag } + global).joined(separator: " ")
        return "        \(spellings(row, "|"))) words=\"\(words)\"; files=\(row.operands.areFiles) ;;"
    }

    private static func zsh() -> [String] {
        let names = OptionTable.commands.map { "        '\($0.name.rawValue):\(quoted($0.summary))'" }
        return """
            #compdef lockstep
            _lockstep() {
                local -a commands
                commands=(
            \(joined(names))
                )
                if (( CURRENT == 2 )); then
                    _describe 'command' commands
                    return
                fi
                local command=$words[2]
                shift words
                (( CURRENT-- ))
                case $command in
            \(joined(OptionTable.commands.map(zshCommand)))
                esac
            }
            _lockstep "$@"
            """.split(separator: "\n").map(String.init)
    }

    private static func zshCommand(_ row: CommandRow) -> String {
        let operands = row.operands.areFiles ? " '*:file:_files'" : ""
        let options = (row.options + OptionTable.global).map(OptionTable.option).map(zshArgument)
        return "        \(spellings(row, "|"))) _arguments \(options.joined(separator: " "))\(operands) ;;"
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
            case .duration: ":duration:"
            }
        return "'\(repeatable)\(option.flag)[\(quoted(option.help))]\(value)'"
    }

    private static func fish() -> [String] {
        let commands = OptionTable.commands.map { row in
            "complete -c lockstep -n __fish_use_subcommand -a \(row.name.rawValue) -d '\(quoted(row.summary))'"
        }
        let shared = OptionTable.global.map { fishOption(OptionTable.option($0), condition: "") }
        let own = OptionTable.commands.flatMap { row in
            let condition = "-n '__fish_seen_subcommand_from \(spellings(row, " "))'"
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
            case .text, .count, .duration: " -x"
            }
        let short = option.short.map { " -s \($0)" } ?? ""
        let when = condition.isEmpty ? "" : " \(condition)"
        return "complete -c lockstep\(when) -l \(option.name.rawValue)\(short)\(value) -d '\(quoted(option.help))'"
    }

    private static var global: [String] { OptionTable.global.map { OptionTable.option($0).flag } }

    /// Every name of a command.
    private static func spellings(_ row: CommandRow, _ separator: String) -> String {
        ([row.name.rawValue] + row.name.aliases).joined(separator: separator)
    }

    private static func joined(_ lines: [String]) -> String { lines.joined(separator: "\n") }

    /// Fit for single quotes, and for the brackets and colons of zsh.
    private static func quoted(_ text: String) -> String {
        text.replacing("'", with: "’").replacing(":", with: " -").replacing("[", with: "(").replacing("]", with: ")")
    }
}
