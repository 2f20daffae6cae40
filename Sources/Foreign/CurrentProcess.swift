import Glibc

/// Facts about this process and its surroundings.
public enum CurrentProcess {
    /// The process id.
    public static var id: Int32 { getpid() }

    /// The command line, the program's name first.
    ///
    /// The standard library finds it beside the environment, and nothing where a preloaded library such as libfaketime
    /// has already moved that; so the kernel is asked first.
    public static var arguments: [String] {
        guard let line = try? Files.read("/proc/self/cmdline"), !line.isEmpty else { return CommandLine.arguments }
        return line.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The name of this host.
    public static var host: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "unknown" }
        return text(name)
    }

    /// The name of the user it runs as; the number where the system knows no name.
    public static var user: String {
        guard let entry = unsafe getpwuid(geteuid()), let name = unsafe entry.pointee.pw_name else {
            return "uid \(geteuid())"
        }
        return unsafe String(cString: name)
    }

    /// The value of an environment variable; `nil` where it is not set.
    public static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The directory it works in.
    public static var directory: String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard unsafe getcwd(&path, path.count) != nil else { return "." }
        return text(path)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Ends the process at once, with the status that its parent sees.
    public static func exit(_ status: Int32) -> Never {
        Glibc.exit(status)
    }
}
