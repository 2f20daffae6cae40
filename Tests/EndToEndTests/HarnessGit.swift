import Foundation
import Testing

/// Repositories in a workspace.
extension Scratch {
    /// Runs git, which reads nobody's configuration, and returns what it says.
    @discardableResult
    func git(_ arguments: String..., in directory: String = ".", sourceLocation: SourceLocation = #_sourceLocation)
        throws
        -> String
    {
        let environment = [
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_AUTHOR_NAME": "A",
            "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com",
        ]
        let outcome = try execute(
            URL(filePath: "/usr/bin/git"),
            ["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"] + arguments,
            in: url.appending(path: directory),
            environment: environment
        )
        #expect(outcome.status == 0, "git \(arguments): \(outcome.stderr)", sourceLocation: sourceLocation)
        return outcome.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Commits everything in `state`, and returns the commit's 40 digits.
    @discardableResult
    func commitState(in directory: String = ".") throws -> String {
        if !exists("\(directory)/.git") { try git("init", "--quiet", in: directory) }
        try git("add", "--all", ":(glob)state/**", in: directory)
        try git("commit", "--quiet", "--allow-empty", "-m", "state", in: directory)
        return try git("rev-parse", "HEAD", in: directory)
    }
}
