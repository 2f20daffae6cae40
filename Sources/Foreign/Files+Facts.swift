internal import Glibc

extension Files {
    /// What the system knows about a name in a directory.
    public struct Facts: Hashable, Sendable {
        /// What has the name.
        public enum Kind: Hashable, Sendable {
            /// An ordinary file.
            case file
            /// A directory.
            case directory
            /// A symbolic link.
            case link
            /// A pipe, a socket or a device.
            case other
        }

        /// What it is.
        public var kind: Kind
        /// The permission bits, such as `0o600`.
        public var mode: UInt32
        /// The user id of the owner.
        public var owner: UInt32
        /// The size in bytes.
        public var size: Int64

        /// Whether the group or everybody may read it.
        public var isReadableByOthers: Bool { mode & 0o044 != 0 }

        fileprivate init(_ status: stat) {
            kind =
                switch status.st_mode & S_IFMT {
                case S_IFREG: .file
                case S_IFDIR: .directory
                case S_IFLNK: .link
                default: .other
                }
            mode = status.st_mode & 0o7777
            owner = status.st_uid
            size = Int64(status.st_size)
        }
    }

    /// The facts of what has this name itself, be it a link; `nil` where there is nothing.
    public static func facts(_ path: String) throws(FileError) -> Facts? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return try nothing(at: path) }
        return Facts(status)
    }

    /// The facts of what a path leads to once links are followed; `nil` where there is nothing.
    public static func facts(following path: String) throws(FileError) -> Facts? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return try nothing(at: path) }
        return Facts(status)
    }

    private static func nothing(at path: String) throws(FileError) -> Facts? {
        let error = FileError.last("look at", path)
        guard error.isMissing else { throw error }
        return nil
    }
}
