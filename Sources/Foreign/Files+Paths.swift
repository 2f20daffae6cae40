extension Files {
    /// A path inside a directory; an absolute one stays as it is, and `.` and the empty directory add nothing.
    public static func join(_ directory: String, _ path: String) -> String {
        if path.utf8.first == UInt8(ascii: "/") || directory.isEmpty || directory == "." { return path }
        if path.isEmpty || path == "." { return directory }
        return directory.utf8.last == UInt8(ascii: "/") ? directory + path : directory + "/" + path
    }

    /// The directory that a path is in: `.` for a bare name, `/` for the root.
    public static func parent(of path: String) -> String {
        let trimmed = withoutSlashes(path)
        guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else { return trimmed.isEmpty ? "/" : "." }
        let directory = withoutSlashes(String(trimmed[..<slash]))
        return directory.isEmpty ? "/" : directory
    }

    /// The last part of a path.
    public static func name(of path: String) -> String {
        let trimmed = withoutSlashes(path)
        guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else { return trimmed }
        return String(trimmed[trimmed.utf8.index(after: slash)...])
    }

    /// A path without what says nothing: no `.`, no `//`, no slash at the end.
    ///
    /// A `..` stays, because the name before it may be a link that leads elsewhere.
    public static func simplified(_ path: String) -> String {
        let joined = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        if path.utf8.first == UInt8(ascii: "/") { return "/" + joined }
        return joined.isEmpty ? "." : joined
    }

    private static func withoutSlashes(_ path: String) -> String {
        var utf8 = path[...].utf8
        while utf8.last == UInt8(ascii: "/") { utf8.removeLast() }
        return String(Substring(utf8))
    }
}
