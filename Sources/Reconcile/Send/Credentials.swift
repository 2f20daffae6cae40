internal import Diff
internal import Foreign
internal import JSON

/// The keys and endpoints of a run, resolved before anything is committed.
struct Credentials {
    /// What pushes of one app and environment are sent with.
    struct Lane {
        var teamID: Text
        var keyID: Text
        var key: [UInt8]
        /// The address of a stand-in for Apple's service; `nil` for Apple's.
        var url: String?
        /// The certificates to trust instead of the system's.
        var caFile: String?
        /// Changes whenever key, team or endpoint do: another one clears a configuration fault.
        var fingerprint: Text
    }

    private var lanes: [Text: [PushEnvironment: Lane]] = [:]
    /// Writes the published files, where the configuration says so.
    let publisher: Publisher?

    /// Reads all secrets of a configuration.
    ///
    /// - Throws: ``RunError/secret(_:)`` with everything that is missing.
    init(_ configuration: Configuration, _ environment: RunEnvironment) throws(RunError) {
        var missing: [String] = []
        func read(_ secret: Secret, _ what: String) -> [UInt8]? {
            do {
                let resolved = try configuration.resolve(secret, environment: environment.variable)
                if let warning = resolved.warning { environment.warn(warning) }
                return resolved.bytes
            } catch {
                missing.append("\(configuration.file): \(what): \(error)")
                return nil
            }
        }
        for app in configuration.apps {
            for (name, key) in app.keys.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                guard let bytes = read(key.secret, "the \(name.rawValue) key of \(app.bundleID)") else { continue }
                let endpoint = configuration.endpoints[name]
                let facts = [app.teamID.string, key.keyID.string, endpoint?.url ?? "", hex(sha256(bytes))]
                lanes[app.bundleID, default: [:]][name] = Lane(
                    teamID: app.teamID,
                    keyID: key.keyID,
                    key: bytes,
                    url: endpoint?.url,
                    caFile: endpoint?.caFile.map(configuration.path),
                    fingerprint: Text(hex(sha256(Array(facts.joined(separator: "\n").utf8))))
                )
            }
        }
        publisher = configuration.publish.flatMap { publish in
            read(publish.key, "the publish key").map {
                Publisher(directory: configuration.path(publish.directory), key: $0)
            }
        }
        if !missing.isEmpty { throw .secret(missing.joined(separator: "\n")) }
    }

    /// What pushes of an app and environment are sent with; `nil` where there is no key.
    func lane(app: Text, environment: PushEnvironment) -> Lane? {
        lanes[app]?[environment]
    }
}
