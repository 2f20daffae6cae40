internal import APNs
internal import Diff
internal import Foreign
internal import JSON
internal import Ledger
internal import Source

/// The keys and endpoints of a run, resolved before anything is committed.
struct Credentials {
    /// The credentials of one app and environment.
    struct Lane {
        var key: ProviderKey
        var endpoint: PushEndpoint
        /// True where the endpoint is a stand-in for Apple's service.
        var isStandIn: Bool
        /// The proxy to reach the endpoint through.
        var proxy = Proxy.none
        /// Changes whenever key, team or endpoint do: another one clears a configuration fault.
        var fingerprint: Text
    }

    private var lanes: [Text: [PushEnvironment: Lane]] = [:]
    /// Doubts about secrets, one line each.
    let warnings: [String]
    /// Writes the published files, where the configuration says so.
    let publisher: Publisher?

    /// Reads all secrets of a configuration.
    ///
    /// - Throws: ``RunError/secret(_:)`` with everything that is missing, or ``RunError/proxy(_:)``.
    init(_ configuration: Configuration, _ environment: RunEnvironment) throws(RunError) {
        var missing: [String] = []
        var warnings: [String] = []
        func read(_ secret: Secret, _ what: String) -> [UInt8]? {
            do {
                let resolved = try configuration.resolve(secret, environment: environment.variable)
                if let warning = resolved.warning { warnings.append(warning) }
                return resolved.bytes
            } catch {
                missing.append("\(configuration.file): \(what): \(error)")
                return nil
            }
        }
        var proxy = Proxy.none
        do { proxy = try .fromEnvironment(environment.variable) } catch { throw .proxy(error.description) }
        for app in configuration.apps {
            for (name, key) in app.keys.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                guard let bytes = read(key.secret, "the \(name.rawValue) key of \(app.bundleID)") else { continue }
                do {
                    var lane = try Lane(app, key, pem: bytes, environment: name, of: configuration)
                    lane.proxy = proxy
                    lanes[app.bundleID, default: [:]][name] = lane
                } catch {
                    missing.append("\(configuration.file): the \(name.rawValue) key of \(app.bundleID): \(error)")
                }
            }
        }
        publisher = configuration.publish.flatMap { publish in
            read(publish.key, "the publish key").map {
                let directory = configuration.path(publish.directory)
                return Publisher(directory: directory, key: $0, disk: environment.system.disk)
            }
        }
        self.warnings = warnings
        if !missing.isEmpty { throw .secret(missing.joined(separator: "\n")) }
    }

    /// The lane of an app and environment; `nil` where there is no key.
    func lane(app: Text, environment: PushEnvironment) -> Lane? {
        lanes[app]?[environment]
    }
}

extension Credentials.Lane {
    fileprivate init(
        _ app: Configuration.App,
        _ key: Configuration.Key,
        pem: [UInt8],
        environment: PushEnvironment,
        of configuration: Configuration
    ) throws(CryptoError) {
        let standIn = configuration.endpoints[environment]
        let apple: PushEndpoint = environment == .production ? .production : .sandbox
        self.key = try ProviderKey(keyID: key.keyID, teamID: app.teamID, pem: pem)
        // The configuration was checked for URLs of this form when it was read.
        endpoint = standIn.flatMap { PushEndpoint(url: $0.url, caFile: $0.caFile.map(configuration.path)) } ?? apple
        isStandIn = standIn != nil
        let facts = [app.teamID.string, key.keyID.string, endpoint.authority, Hex.text(sha256(pem))]
        fingerprint = Text(Hex.text(sha256(Array(facts.joined(separator: "\n").utf8))))
    }

    /// The settings that its connection is made with.
    func connection(_ tokens: ProviderTokens) -> PushConnection.Configuration {
        PushConnection.Configuration(endpoint: endpoint, key: key, tokens: tokens, proxy: proxy)
    }
}
