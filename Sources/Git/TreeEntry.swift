internal import CGit2

/// A resolved revision: a commit, and the directory that it holds.
public struct Revision: Hashable, Sendable {
    /// The commit's name.
    public let id: ObjectID
    /// The directory with everything in it.
    public let tree: ObjectID
}

/// One name in a directory of a commit.
public struct TreeEntry: Hashable, Sendable {
    /// The thing that has the name.
    public enum Kind: Hashable, Sendable {
        /// A file.
        case file
        /// A directory.
        case directory
        /// A symbolic link, whose bytes are the path that it leads to.
        case link
        /// A commit of another repository.
        case submodule

        init(_ mode: git_filemode_t) {
            self =
                switch mode {
                case GIT_FILEMODE_TREE: .directory
                case GIT_FILEMODE_LINK: .link
                case GIT_FILEMODE_COMMIT: .submodule
                default: .file
                }
        }
    }

    /// The name, without the directories above.
    public let name: String
    /// The thing that has the name.
    public let kind: Kind
    /// The object; of a submodule, a commit that this repository does not have.
    public let id: ObjectID

    /// An entry.
    public init(name: String, kind: Kind, id: ObjectID) {
        self.name = name
        self.kind = kind
        self.id = id
    }
}
