public import Diff
internal import Foreign
internal import Git

/// The source that a run is to read the state files from.
public enum StateSource: Hashable, Sendable {
    /// On the disk.
    case disk
    /// In a commit of a Git repository, whose directory is looked for where the configuration is if it is not named.
    case commit(revision: String, repository: String?)
}

/// The commit that a run reads the state files from.
public struct SourceCommit: Hashable, Sendable {
    /// The 40 digits of its name.
    public var id: String
    /// The words that it was asked for by.
    public var revision: String
    /// The directory of its repository.
    public var repository: String
}

/// The state files of a project, found: those on the disk, or those of one commit.
public struct ProjectFiles {
    /// The commit; `nil` for the files on the disk.
    public let commit: SourceCommit?
    let tree: any FileTree

    /// Finds them.
    ///
    /// - Throws: ``SourceError`` where there is no such commit, or its repository cannot be used.
    public init(_ source: StateSource = .disk, of configuration: Configuration) throws(SourceError) {
        switch source {
        case .disk:
            commit = nil
            tree = DiskTree(directory: configuration.directory)
        case .commit(let revision, let directory):
            do throws(GitError) {
                let repository = try Repository(
                    at: directory ?? configuration.directory,
                    isSearching: directory == nil
                )
                let found = try repository.commit(revision)
                let path = repository.workTree ?? repository.path
                commit = SourceCommit(id: found.id.description, revision: revision, repository: path)
                tree = CommitTree(repository, found, for: configuration)
            } catch { throw SourceError(error) }
        }
    }

    /// The step back from the commit that was applied last, where that takes an override.
    ///
    /// - Throws: ``SourceError``.
    public func rollback(from applied: String?) throws(SourceError) -> Rollback? {
        guard let commits = tree as? CommitTree, let applied, let ancestor = ObjectID(applied) else { return nil }
        do throws(GitError) {
            switch try commits.repository.isCommit(commits.commit.id, atOrAfter: ancestor) {
            case true: return nil
            case let isKnown:
                return Rollback(commit: commits.commit.id.short, applied: ancestor.short, isKnown: isKnown != nil)
            }
        } catch { throw SourceError(error) }
    }
}

/// A commit whose state files cannot be read.
public struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable snake_case name.
    public let code: String
    /// The problem, and what to do about it.
    public let description: String

    init(_ error: GitError) {
        description = error.description
        code =
            switch error {
            case .noRepository: "no_repository"
            case .foreignOwner: "foreign_repository"
            case .shallow: "shallow_clone"
            case .noRevision: "no_revision"
            case .ambiguousRevision: "ambiguous_revision"
            case .noCommit: "no_commit"
            case .missingObject: "missing_object"
            case .nameNotUTF8, .tooLarge, .other: "git_failed"
            }
    }
}
