internal import Diff
internal import JSON
internal import Source

/// What a run shows of what is sensitive: marks, unless it is told to show it.
extension Pipeline {
    /// The places that are sensitive, by the configuration and by every template that is at hand: the files', and those that
    /// the ledger has of what was applied.
    func sensitive(_ templates: Templates, _ ledger: Ledger?) throws -> PointerRules {
        PointerRules(configuration.sensitive(with: templates).rules + (try ledger?.sensitive() ?? []))
    }

    /// What hides them; nothing where the run is to show them.
    func masks(_ templates: Templates, _ ledger: Ledger?) throws -> Masks {
        environment.showsSensitive ? Masks() : Masks(try sensitive(templates, ledger))
    }

    /// What hides them for a command that reads no state files.
    func masks(_ ledger: Ledger) throws -> Masks {
        // What is wrong with them is for those who plan by them to say.
        try masks(ProjectFiles(of: configuration).templates { _ in }, ledger)
    }
}
