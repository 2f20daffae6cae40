public import Foreign
public import Time

/// The provider tokens of this project: one for each key, kept in a directory so that runs share it.
///
/// APNs wants one token to be used for 20 to 60 minutes, and a run from cron lasts a second. A file that is missing,
/// damaged or of another key only means that a token is made anew: the signature tells.
public final class ProviderTokens {
    /// The directory of the files; `nil` keeps tokens in memory only.
    private let directory: String?
    private let now: () -> Moment
    private var current: [String: ProviderToken] = [:]
    /// The reason that tokens could not be kept for the next run, where that happened; the run itself goes on.
    public private(set) var problem: FileError?

    /// Tokens that are kept in a directory, which is made when the first one is.
    ///
    /// - Parameters:
    ///   - directory: Beside the ledger; `nil` keeps tokens in memory only.
    ///   - now: The clock.
    public init(directory: String?, now: @escaping () -> Moment) {
        self.directory = directory
        self.now = now
    }

    /// The present second.
    var second: Moment { now().wholeSecond }

    /// The token to use with a key, made if there is none or it is too old.
    ///
    /// - Throws: ``CryptoError`` where the key cannot sign.
    func token(for key: ProviderKey) throws(CryptoError) -> ProviderToken {
        let second = second
        let name = fileName(key)
        if let token = current[name] ?? read(name, key), token.isUsable(at: second) {
            current[name] = token
            return token
        }
        return try make(key, at: second)
    }

    /// Another token than `refused`, which APNs called expired: what another run made since, or a new one.
    ///
    /// - Throws: ``CryptoError`` where the key cannot sign.
    func token(for key: ProviderKey, after refused: ProviderToken) throws(CryptoError) -> ProviderToken {
        let second = second
        for token in [current[fileName(key)], read(fileName(key), key)] {
            if let token, token != refused, token.issuedAt > refused.issuedAt, token.isUsable(at: second) {
                current[fileName(key)] = token
                return token
            }
        }
        return try make(key, at: second)
    }

    private func make(_ key: ProviderKey, at second: Moment) throws(CryptoError) -> ProviderToken {
        let token = try key.token(issuedAt: second)
        current[fileName(key)] = token
        guard let directory else { return token }
        do throws(FileError) {
            try Files.makeDirectory(directory, mode: 0o700)
            // A token that a power cut takes is made anew.
            try Files.write(
                Array(token.text.utf8),
                to: path(directory, fileName(key)),
                mode: 0o600,
                durably: false,
                isOnlyWriter: true
            )
            problem = nil
        } catch {
            problem = error
        }
        return token
    }

    private func read(_ name: String, _ key: ProviderKey) -> ProviderToken? {
        guard let directory, let bytes = try? Files.read(path(directory, name), limit: 4096) else { return nil }
        return key.token(String(decoding: bytes, as: UTF8.self))
    }

    private func path(_ directory: String, _ name: String) -> String { "\(directory)/\(name)" }

    /// A name that says which key and team this is for, whatever characters their ids have.
    private func fileName(_ key: ProviderKey) -> String {
        let identity = "\(key.keyID)\n\(key.teamID)\n\(key.publicPEM)"
        return base64URL(Array(sha256(Array(identity.utf8)).prefix(15))) + ".jwt"
    }
}
