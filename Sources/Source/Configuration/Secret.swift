public import Foreign

/// The place of a secret.
///
/// The configuration never holds one.
public enum Secret: Hashable, Sendable {
    /// The content of a file, whose path is relative to the configuration.
    case file(String)
    /// The value of an environment variable.
    case environment(String)
}

/// A secret that was read.
///
/// Its description does not show it.
public struct ResolvedSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The secret itself.
    public var bytes: [UInt8]
    /// A doubt about its place, such as a file that others can read; `nil` where there is none.
    public var warning: String?

    /// Its length, and nothing else.
    public var description: String { "a secret of \(bytes.count) bytes" }
    /// Its length, and nothing else.
    public var debugDescription: String { description }
}

/// A secret that is not to be had.
public enum SecretError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The environment variable is not set.
    case notSet(String)
    /// It is set, and empty, or the file is.
    case empty(String)
    /// The file cannot be read.
    case unreadable(FileError)

    /// The secret that is missing, and what to do about it.
    public var description: String {
        switch self {
        case .notSet(let name): "the environment variable \(name) is not set; it must hold the secret"
        case .empty(let name): "\(name) is empty; it must hold the secret"
        case .unreadable(let error): "\(error); the configuration names it as the file of a secret"
        }
    }
}

extension Configuration {
    /// Reads a secret, of which the configuration knows only where it is.
    ///
    /// `environment` looks up an environment variable.
    ///
    /// - Throws: An error where it is not set, empty or unreadable; there is no default for a secret.
    public func resolve(
        _ secret: Secret,
        environment: (String) -> String?
    ) throws(SecretError) -> ResolvedSecret {
        switch secret {
        case .environment(let name):
            guard let value = environment(name) else { throw .notSet(name) }
            guard !value.isEmpty else { throw .empty("the environment variable \(name)") }
            return ResolvedSecret(bytes: Array(value.utf8), warning: nil)
        case .file(let written):
            let path = path(written)
            let bytes: [UInt8]
            let isOpen: Bool
            do throws(FileError) {
                bytes = try Files.read(path, limit: 1 << 20)
                isOpen = try Files.facts(following: path)?.isReadableByOthers == true
            } catch {
                throw .unreadable(error)
            }
            guard !bytes.isEmpty else { throw .empty(path) }
            let warning = isOpen ? "\(path) can be read by others; chmod 600 \(path)" : nil
            return ResolvedSecret(bytes: bytes, warning: warning)
        }
    }
}
