internal import CGit2

/// A Git repository, with a work tree or bare, opened to read: nothing is checked out, fetched, run or written.
///
/// It is used by one thread.
@safe public final class Repository {
    private let handle: OpaquePointer
    /// The directory of its objects, as an absolute path without a slash at the end.
    public let path: String
    /// The directory of its work tree, as `path`; `nil` where it is bare.
    public let workTree: String?

    /// Opens a repository.
    ///
    /// - Parameters:
    ///   - directory: Its work tree or, of a bare one, itself.
    ///   - isSearching: True where the directories above are searched as well.
    /// - Throws: ``GitError``; a shallow clone is refused, because it cannot tell what a commit descends from.
    public init(at directory: String, isSearching: Bool) throws(GitError) {
        // Counted by the library; undone with the object, once its message is read.
        git_libgit2_init()
        var opened: OpaquePointer?
        let flags = isSearching ? 0 : GIT_REPOSITORY_OPEN_NO_SEARCH.rawValue
        let code = unsafe git_repository_open_ext(&opened, directory, flags, nil)
        guard code == 0, let opened = unsafe opened else {
            let error = GitError(opening: directory, code)
            git_libgit2_shutdown()
            throw error
        }
        let path = unsafe Self.path(git_repository_path(opened)) ?? directory
        guard unsafe git_repository_is_shallow(opened) == 0 else {
            unsafe git_repository_free(opened)
            git_libgit2_shutdown()
            throw .shallow(repository: path)
        }
        self.path = path
        workTree = unsafe Self.path(git_repository_workdir(opened))
        unsafe handle = opened
    }

    deinit {
        unsafe git_repository_free(handle)
        git_libgit2_shutdown()
    }

    /// Resolves a revision: a branch, a tag, the digits of a commit, or anything else of gitrevisions(7) that
    /// names one commit.
    ///
    /// - Throws: ``GitError``.
    public func commit(_ revision: String) throws(GitError) -> Revision {
        var object: OpaquePointer?
        let code = unsafe git_revparse_single(&object, handle, revision)
        defer { unsafe git_object_free(object) }
        switch code {
        case GIT_ENOTFOUND.rawValue, GIT_EINVALIDSPEC.rawValue: throw .noRevision(revision, repository: path)
        case GIT_EAMBIGUOUS.rawValue: throw .ambiguousRevision(revision, repository: path)
        default: try check(code)
        }
        var commit: OpaquePointer?
        defer { unsafe git_object_free(commit) }
        guard unsafe git_object_peel(&commit, object, GIT_OBJECT_COMMIT) == 0,
            let id = unsafe git_object_id(commit), let tree = unsafe git_commit_tree_id(commit)
        else { throw .noCommit(revision, repository: path) }
        return unsafe Revision(id: ObjectID(id.pointee), tree: ObjectID(tree.pointee))
    }

    /// Compares two commits: true where the first is the second or descends from it.
    ///
    /// - Returns: `nil` where the second is not in this repository.
    /// - Throws: ``GitError``.
    public func isCommit(_ commit: ObjectID, atOrAfter ancestor: ObjectID) throws(GitError) -> Bool? {
        if commit == ancestor { return true }
        var ids = (commit.raw, ancestor.raw)
        var found: OpaquePointer?
        let code = unsafe git_commit_lookup(&found, handle, &ids.1)
        unsafe git_commit_free(found)
        if code == GIT_ENOTFOUND.rawValue { return nil }
        try check(code)
        let isDescendant = unsafe git_graph_descendant_of(handle, &ids.0, &ids.1)
        if isDescendant < 0 { try check(isDescendant) }
        return isDescendant == 1
    }

    /// The entries of a directory, in the byte order of their paths: that of a directory ends in a slash.
    ///
    /// - Throws: ``GitError``.
    public func entries(of tree: ObjectID) throws(GitError) -> [TreeEntry] {
        var id = tree.raw
        var found: OpaquePointer?
        try check(unsafe git_tree_lookup(&found, handle, &id), tree)
        defer { unsafe git_tree_free(found) }
        var entries: [TreeEntry] = []
        for index in 0..<(unsafe git_tree_entrycount(found)) {
            guard let entry = unsafe git_tree_entry_byindex(found, index), let name = unsafe git_tree_entry_name(entry),
                let id = unsafe git_tree_entry_id(entry)
            else { continue }
            guard let name = unsafe String(validatingCString: name) else {
                throw .nameNotUTF8(unsafe String(cString: name))
            }
            let kind = unsafe TreeEntry.Kind(git_tree_entry_filemode(entry))
            unsafe entries.append(TreeEntry(name: name, kind: kind, id: ObjectID(id.pointee)))
        }
        return entries
    }

    /// The bytes of a file.
    ///
    /// - Throws: ``GitError``; `tooLarge` where it has more than `limit` bytes.
    public func bytes(of blob: ObjectID, limit: Int = .max) throws(GitError) -> [UInt8] {
        var id = blob.raw
        var found: OpaquePointer?
        try check(unsafe git_blob_lookup(&found, handle, &id), blob)
        defer { unsafe git_blob_free(found) }
        let count = Int(unsafe git_blob_rawsize(found))
        guard count <= limit else { throw .tooLarge(limit: limit) }
        guard count > 0, let start = unsafe git_blob_rawcontent(found) else { return [] }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Turns a result code into an error, reading the message before anything clears it.
    private func check(_ code: Int32, _ object: ObjectID? = nil) throws(GitError) {
        guard code < 0 else { return }
        if code == GIT_ENOTFOUND.rawValue, let object {
            throw .missingObject(object.description, repository: path)
        }
        throw .other(repository: path, message: GitError.lastMessage())
    }

    private static func path(_ text: UnsafePointer<CChar>?) -> String? {
        guard let text = unsafe text.map({ unsafe String(cString: $0) }) else { return nil }
        return text.count > 1 && text.utf8.last == UInt8(ascii: "/") ? String(text.dropLast()) : text
    }
}

extension GitError {
    /// The error of a repository that could not be opened.
    fileprivate init(opening path: String, _ code: Int32) {
        self =
            switch code {
            case GIT_ENOTFOUND.rawValue: .noRepository(path: path)
            case GIT_EOWNER.rawValue: .foreignOwner(path: path)
            default: .other(repository: path, message: Self.lastMessage())
            }
    }

    /// The words of libgit2 for the last failure of this thread.
    fileprivate static func lastMessage() -> String {
        guard let error = unsafe git_error_last(), let message = unsafe error.pointee.message else {
            return "no reason given"
        }
        return unsafe String(cString: message)
    }
}
