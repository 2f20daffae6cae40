public import Foreign

extension SimulatedService {
    /// A signing key that Apple knows.
    public struct Key: Sendable {
        /// The key id.
        public var id: String
        /// The team that it belongs to.
        public var team: String
        /// The service that it is for.
        public var environment: APNsEnvironment
        /// The key as a PEM text; Apple keeps the public half.
        public var pem: [UInt8]

        /// A key.
        public init(id: String, team: String, environment: APNsEnvironment, pem: [UInt8]) {
            self.id = id
            self.team = team
            self.environment = environment
            self.pem = pem
        }
    }

    /// A service without phones.
    ///
    /// - Parameters:
    ///   - apps: The apps that Apple knows.
    ///   - keys: Their keys.
    ///   - seed: Makes tokens, ids and faults the same from run to run.
    ///   - publishKey: The key of the published paths.
    ///   - published: Reads a published file by its path in the directory; `nil` where there is none.
    /// - Throws: ``CryptoError`` where a key is none.
    public convenience init(
        apps: [Simulator.Options.App],
        keys: [Key],
        seed: UInt64,
        publishKey: [UInt8],
        published: @escaping (String) -> [UInt8]?
    ) throws(CryptoError) {
        var known: [ProviderKey] = []
        for key in keys {
            let verifying = try SigningKey(pem: key.pem).publicKey()
            known.append(ProviderKey(id: key.id, team: key.team, environment: key.environment, key: verifying))
        }
        self.init(apps: apps, keys: known, published: Published(key: publishKey, read: published), seed: seed)
    }
}
