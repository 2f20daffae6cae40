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

    /// The shortest spelling of a path without looking at the disk: no `.`, no `//`, no slash at the end, and a `..`
    /// takes away the name before it.
    public static func simplified(_ path: String) -> String {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != ".." || !isAbsolute {
                parts.append(part)
            }
        }
        let joined = parts.joined(separator: "/")
        return isAbsolute ? "/" + joined : joined.isEmpty ? "." : joined
    }

    private static func withoutSlashes(_ path: String) -> String {
        var utf8 = path[...].utf8
        while utf8.last == UInt8(ascii: "/") { utf8.removeLast() }
        return String(Substring(utf8))
    }
}
