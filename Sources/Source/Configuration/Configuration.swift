public import Diff
public import Foreign
public import JSON

/// The content of `lockstep.json`: apps and their keys, where things are, and how much one run may do.
///
/// Paths are kept as they are written, and ``path(_:)`` makes them relative to the file. No secret is read before it is
/// asked for.
public struct Configuration: Sendable {
    /// One app with its team and keys.
    public struct App: Hashable, Sendable {
        /// The bundle id.
        public var bundleID: Text
        /// The ten characters of the team, the issuer of its provider tokens.
        public var teamID: Text
        /// The key for each environment that has one.
        public var keys: [PushEnvironment: Key]
    }

    /// An APNs authentication key.
    public struct Key: Hashable, Sendable {
        /// The ten characters that name it.
        public var keyID: Text
        /// The place of the key itself, a PEM text.
        public var secret: Secret
    }

    /// The place that widget states are published to.
    public struct Publish: Hashable, Sendable {
        /// The directory, as written.
        public var directory: String
        /// The place of the key that the file names are made with.
        public var key: Secret
    }

    /// A server that stands in for Apple's service, such as the simulator.
    public struct Endpoint: Hashable, Sendable {
        /// The address, `https://HOST[:PORT]`.
        public var url: String
        /// A file with the certificates to trust instead of the system's, as written.
        public var caFile: String?
    }

    /// The path of the file, as it was found.
    public var file: String
    /// The apps, in byte order of their bundle ids.
    public var apps: [App] = []
    /// Directories, files and globs of state, as written.
    public var state: [String] = ["state"]
    /// The SQLite file, as written.
    public var ledger = "lockstep.db"
    /// The spool of device reports, as written.
    public var reports = "reports"
    /// The place that widget states are published to; `nil` where they are not.
    public var publish: Publish?
    /// The limits of one run.
    public var safety = SafetyLimits()
    /// The number of pushes that the account may send on a day; `nil` where nothing is counted.
    public var quota: Quota?
    /// The places whose values nobody is shown.
    public var sensitive = PointerRules()
    /// The places whose changes alone are no reason to push.
    public var ignored = PointerRules()
    /// The servers that stand in for Apple's service, for each environment that has one.
    public var endpoints: [PushEnvironment: Endpoint] = [:]

    /// The text of the file, for showing places in it.
    var text: [UInt8] = []

    /// A configuration with its defaults.
    public init(file: String) {
        self.file = file
    }

    /// The directory of the file, as a path from the working directory.
    public var directory: String { Files.parent(of: file) }

    /// A path that the file names, as a path from the working directory.
    public func path(_ written: String) -> String {
        Files.simplified(Files.join(directory, written))
    }

    /// Looks for `lockstep.json` here and in the directories above.
    ///
    /// - Returns: A path from the working directory, such as `../../lockstep.json`; `nil` where there is none.
    public static func search(from directory: String = ".") throws(FileError) -> String? {
        let depth = try Files.resolve(directory).utf8.count { $0 == UInt8(ascii: "/") }
        for level in 0...depth {
            let above = String(repeating: "../", count: level)
            let candidate = Files.simplified(Files.join(directory, above + "lockstep.json"))
            if try Files.facts(following: candidate) != nil { return candidate }
        }
        return nil
    }
}

/// A diagnosis of the whole configuration: all that is wrong with it.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems, in the order of the text; at least one is an error.
    public var diagnostics: [Diagnostic]

    /// An error with these problems.
    public init(diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    /// One diagnostic a line.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
