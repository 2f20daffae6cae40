internal import Foreign
internal import JSON
internal import Time

/// The files in the simulator's state directory for those who talk to it: certificates, keys and a configuration.
///
/// What is there is used again, so that a simulator that is started anew is the same Apple.
struct Project {
    /// From 2020 to 2050: runs under `faketime` move their clock far.
    private static let validity = Certificate.Validity(
        from: Moment(seconds: 1_577_836_800),
        until: Moment(seconds: 2_524_608_000)
    )

    private let directory: String
    private let spool: String
    private let publishDirectory: String
    private let apps: [Simulator.Options.App]

    let publishKey: [UInt8]
    /// The keys that Apple knows.
    let providerKeys: [ProviderKey]
    /// The server's certificate and its key, as PEM text.
    let server: (certificate: [UInt8], key: [UInt8])

    /// Makes what is missing.
    init(_ options: Simulator.Options) throws {
        for path in [options.stateDirectory, options.spool, options.publishDirectory] {
            try Files.makeDirectory(path)
        }
        directory = try Files.resolve(options.stateDirectory)
        spool = try Files.resolve(options.spool)
        publishDirectory = try Files.resolve(options.publishDirectory)
        apps = options.apps
        try Files.makeDirectory("\(directory)/keys", mode: 0o700)
        try Files.makeDirectory("\(directory)/state")
        publishKey = try Project.secret("\(directory)/publish.key") {
            Hex.text(try options.environment.randomBytes(32))
        }
        server = try Project.certificates(in: directory)
        var keys: [ProviderKey] = []
        for (index, team) in Project.teams(of: apps).enumerated() {
            for environment in APNsEnvironment.allCases {
                let id = Project.keyID(environment, index)
                let pem = try Project.secret(Project.keyFile(id, in: directory)) { try SigningKey().privatePEM() }
                let key = try SigningKey(pem: pem).publicKey()
                keys.append(ProviderKey(id: id, team: team, environment: environment, key: key))
            }
        }
        providerKeys = keys
    }

    /// The file with the certificate of the authority.
    var caFile: String { "\(directory)/ca.pem" }

    /// The ready configuration.
    var configurationFile: String { "\(directory)/lockstep.json" }

    /// Writes the configuration for a simulator that listens on these ports.
    func writeConfiguration(urls: [APNsEnvironment: String]) throws(FileError) {
        let teams = Project.teams(of: apps)
        var entries = Object()
        for app in apps {
            var keys = Object()
            for environment in APNsEnvironment.allCases {
                let id = Project.keyID(environment, teams.firstIndex(of: app.team) ?? 0)
                keys[Text(environment.rawValue)] = [
                    "keyId": .string(Text(id)), "key": ["file": .string(Text(Project.keyFile(id, in: directory)))],
                ]
            }
            entries[Text(app.bundle)] = ["teamId": .string(Text(app.team)), "keys": .object(keys)]
        }
        var endpoints = Object()
        for (environment, url) in urls {
            endpoints[Text(environment.rawValue)] = [
                "url": .string(Text(url)), "caFile": .string(Text(caFile)),
            ]
        }
        let configuration: Value = [
            "apps": .object(entries), "state": ["state"], "ledger": "lockstep.db",
            "reports": .string(Text(spool)),
            "publish": [
                "directory": .string(Text(publishDirectory)),
                "key": ["file": .string(Text("\(directory)/publish.key"))],
            ],
            "endpoints": .object(endpoints),
        ]
        try Files.write(configuration.canonicalBytes + [0x0A], to: configurationFile, durably: false)
    }

    /// Writes the ready file.
    func writeReadyFile(_ path: String, urls: [APNsEnvironment: String]) throws(FileError) {
        let ready: Value = [
            "url": .string(Text(urls[.production] ?? "")), "sandboxUrl": .string(Text(urls[.sandbox] ?? "")),
            "caFile": .string(Text(caFile)), "config": .string(Text(configurationFile)),
            "process": .integer(Int64(CurrentProcess.id)),
        ]
        try Files.write(ready.canonicalBytes + [0x0A], to: path, durably: false)
    }

    // MARK: Parts

    /// The teams in the order in which the apps name them.
    private static func teams(of apps: [Simulator.Options.App]) -> [String] {
        apps.map(\.team).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// A key id has 10 characters.
    private static func keyID(_ environment: APNsEnvironment, _ team: Int) -> String {
        let number = String(team + 1)
        let zeros = String(repeating: "0", count: max(0, 3 - number.count))
        return (environment == .production ? "PRODKEY" : "SANDKEY") + zeros + number
    }

    private static func keyFile(_ id: String, in directory: String) -> String { "\(directory)/keys/AuthKey_\(id).p8" }

    /// The content of a file that only its owner may read; made where it is missing.
    private static func secret(_ path: String, make: () throws -> String) throws -> [UInt8] {
        if try Files.facts(path) == nil { try Files.write(Array(try make().utf8), to: path, mode: 0o600) }
        return try Files.read(path)
    }

    /// The server's certificate, with an authority of its own.
    private static func certificates(in directory: String) throws -> (certificate: [UInt8], key: [UInt8]) {
        let (authority, certificate) = ("\(directory)/ca.pem", "\(directory)/server.pem")
        let key = "\(directory)/keys/server.key"
        if try [authority, certificate, key].contains(where: { try Files.facts($0) == nil }) {
            let maker = try Certificate.authority(name: "Lockstep simulator CA", validity: validity)
            let server = try maker.server(hosts: ["localhost", "127.0.0.1", "::1"], validity: validity)
            try Files.write(Array(try server.key.privatePEM().utf8), to: key, mode: 0o600)
            try Files.write(Array(server.pem.utf8), to: certificate)
            try Files.write(Array(maker.pem.utf8), to: authority)
        }
        return (try Files.read(certificate), try Files.read(key))
    }
}
