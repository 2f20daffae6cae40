/// The holder of a ``FileLock``, as it stands in the lock file: one `key: value` a line.
public struct LockHolder: Equatable, Sendable, CustomStringConvertible {
    /// The process.
    public var process: Int32
    /// The host it runs on.
    public var host: String
    /// The user it runs as.
    public var user: String
    /// Its command line, as typed: `lockstep apply --yes`.
    public var command: String
    /// Since when, in RFC 3339.
    public var since: String
    /// The run (`run_…`), where there is one.
    public var run: String?

    /// Any process.
    public init(process: Int32, host: String, user: String, command: String, since: String, run: String? = nil) {
        self.process = process
        self.host = host
        self.user = user
        self.command = command
        self.since = since
        self.run = run
    }

    /// This process.
    ///
    /// - Parameters:
    ///   - command: Its command, as typed.
    ///   - since: The time now, in RFC 3339.
    ///   - run: The run, where there is one.
    /// - Returns: The text for the lock file.
    public static func current(command: String, since: String, run: String? = nil) -> LockHolder {
        LockHolder(
            process: CurrentProcess.id,
            host: CurrentProcess.host,
            user: CurrentProcess.user,
            command: command,
            since: since,
            run: run
        )
    }

    /// The content of the lock file.
    var text: String {
        let run = run.map { "run: \($0)\n" } ?? ""
        let command = command.split(whereSeparator: \.isNewline).joined(separator: " ")
        return "pid: \(process)\nhost: \(host)\nuser: \(user)\ncommand: \(command)\nsince: \(since)\n" + run
    }

    /// Reads what stands in a lock file; `nil` where that is not the whole of ``text``, as between two holders.
    init?(text: String) {
        var fields: [Substring: String] = [:]
        for line in text.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            fields[line[..<colon]] = String(line[colon...].dropFirst(2))
        }
        guard let process = fields["pid"].flatMap({ Int32($0) }), let host = fields["host"], let user = fields["user"],
            let command = fields["command"], let since = fields["since"]
        else { return nil }
        self.init(process: process, host: host, user: user, command: command, since: since, run: fields["run"])
    }

    /// One line for a message: `'lockstep apply' (pid 4711, deploy@db1, since 2026-11-30T10:00:00Z, run_01…)`.
    public var description: String {
        "'\(command)' (pid \(process), \(user)@\(host), since \(since)" + (run.map { ", \($0)" } ?? "") + ")"
    }
}
