/// A failure to read from a Git repository.
public enum GitError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no repository at the path, or above it.
    case noRepository(path: String)
    /// Another user owns it, and Git's configuration does not call it safe.
    case foreignOwner(path: String)
    /// It holds the newest commits only, and does not know what came before them.
    case shallow(repository: String)
    /// Nothing in it goes by this name.
    case noRevision(String, repository: String)
    /// Several things in it go by this name.
    case ambiguousRevision(String, repository: String)
    /// The object of this name is no commit and leads to none.
    case noCommit(String, repository: String)
    /// An object is not there.
    case missingObject(String, repository: String)
    /// A name in a directory is not UTF-8; the text is what can be shown of it.
    case nameNotUTF8(String)
    /// An object has more bytes than may be read at once.
    case tooLarge(limit: Int)
    /// Anything else, in the words of libgit2.
    case other(repository: String, message: String)

    /// The problem, and what to do about it.
    public var description: String {
        switch self {
        case .noRepository(let path):
            "there is no Git repository at \(path) or above it; --repo names its directory"
        case .foreignOwner(let path):
            "the Git repository at \(path) belongs to another user; "
                + "'git config --global --add safe.directory \(path)' trusts it"
        case .shallow(let repository):
            "\(repository) is a shallow clone, which does not know what came before its commits; 'git fetch "
                + "--unshallow' completes it (for actions/checkout: fetch-depth: 0)"
        case .noRevision(let revision, let repository):
            "there is no revision '\(revision)' in \(repository); correct it, or fetch it first"
        case .ambiguousRevision(let revision, let repository):
            "'\(revision)' can mean several objects in \(repository); write more digits, or refs/heads/… or refs/tags/…"
        case .noCommit(let revision, let repository):
            "'\(revision)' in \(repository) is no commit; name a commit, a branch or a tag"
        case .missingObject(let id, let repository):
            "the object \(id) is missing in \(repository); a partial clone has to be completed (git fetch --refetch "
                + "--no-filter), a damaged one made anew"
        case .nameNotUTF8(let name): "the name '\(name)' in it is not UTF-8; rename it"
        case .tooLarge(let limit): "more than \(limit) bytes"
        case .other(let repository, let message): "cannot read the Git repository \(repository): \(message)"
        }
    }
}
