internal import Diff
internal import Foreign
internal import JSON

extension Configuration {
    /// Reads a configuration file.
    ///
    /// - Throws: Everything that is wrong with it, each with its place.
    public static func read(_ file: String) throws(ConfigurationError) -> Configuration {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try Files.read(file, limit: 1 << 20) } catch {
            throw ConfigurationError(diagnostics: [Diagnostic(error.words, file: file)])
        }
        var configuration = Configuration(file: file)
        configuration.text = bytes
        let text = JSONText(bytes, file: file, hidesLines: true)
        guard let value = text.value else { throw ConfigurationError(diagnostics: text.diagnostics) }
        let findings = Findings()
        configuration.read(value, findings)
        let diagnostics = text.diagnostics + text.diagnostics(of: findings)
        guard diagnostics.isEmpty else { throw ConfigurationError(diagnostics: diagnostics) }
        return configuration
    }

    private mutating func read(_ value: Value, _ findings: Findings) {
        guard let fields = Fields(value, at: Pointer(), as: "the configuration", findings) else { return }
        fields.check(
            known: [
                "apps", "state", "ledger", "reports", "publish", "quota", "safety", "sensitive", "ignore", "endpoints",
            ]
        )
        if fields.required("apps", "\"apps\" with the bundle id of at least one app") != nil,
            let apps = fields.fields("apps")
        {
            self.apps = apps.members.compactMap { App(apps.object[$0.key], id: $0.key, in: apps) }
                .sorted { $0.bundleID < $1.bundleID }
            if apps.members.first(where: { _ in true }) == nil {
                fields.add("'apps' is empty; add the bundle id of at least one app", at: "apps")
            }
        }
        if let state = fields.paths("state") { self.state = state }
        if let ledger = fields.path("ledger") { self.ledger = ledger }
        if let reports = fields.path("reports") { self.reports = reports }
        if let publish = fields.fields("publish") { self.publish = Publish(publish) }
        if let quota = fields.fields("quota") { self.quota = Quota(quota) }
        if let safety = fields.fields("safety") { self.safety = SafetyLimits(safety) }
        if let rules = fields.fields("sensitive") { sensitive = PointerRules(rules, into: PointerRules.sensitiveKeys) }
        if let rules = fields.fields("ignore") { ignored = PointerRules(rules, into: PointerRules.ignorableKeys) }
        if let endpoints = fields.fields("endpoints") {
            self.endpoints = endpoints.byEnvironment { Endpoint($0) }
        }
    }
}

extension Configuration.App {
    fileprivate init?(_ value: Value?, id: Text, in apps: Fields) {
        let pointer = apps.pointer.appending(id)
        let isBundleID = id.string.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || 0x30...0x39 ~= byte || "-.".utf8.contains(byte)
        }
        if !isBundleID || id == "" {
            apps.findings.add(
                "'\(id.shown)' is no bundle id: those have letters, digits, '-' and '.'",
                at: pointer,
                part: .key
            )
        }
        guard let value, let fields = Fields(value, at: pointer, as: "the app '\(id.shown)'", apps.findings) else {
            return nil
        }
        fields.check(known: ["teamId", "keys"])
        let team = fields.tenCharacters("teamId", of: "the Apple Developer team")
        let keys = fields.fields("keys")?.byEnvironment { Configuration.Key($0) }
        guard let team else { return nil }
        self.init(bundleID: id, teamID: team, keys: keys ?? [:])
    }
}

extension Configuration.Key {
    fileprivate init?(_ fields: Fields) {
        fields.check(known: ["keyId", "key"])
        let keyID = fields.tenCharacters("keyId", of: "the key")
        let secret = fields.secret("key")
        guard let keyID, let secret else { return nil }
        self.init(keyID: keyID, secret: secret)
    }
}

extension Configuration.Publish {
    fileprivate init?(_ fields: Fields) {
        fields.check(known: ["directory", "key"])
        let isThere = fields.required("directory", "\"directory\", such as \"public\"") != nil
        let directory = isThere ? fields.path("directory") : nil
        let secret = fields.secret("key")
        guard let directory, let secret else { return nil }
        self.init(directory: directory, key: secret)
    }
}

extension Configuration.Endpoint {
    fileprivate init?(_ fields: Fields) {
        fields.check(known: ["url", "caFile"])
        let caFile = fields.path("caFile")
        guard fields.required("url", "\"url\", such as \"https://127.0.0.1:8443\"") != nil,
            let url = fields.text("url")?.string
        else { return nil }
        let address = url.utf8.dropFirst("https://".utf8.count)
        let forbidden = "/?#@ ".utf8
        guard url.hasPrefix("https://"), !address.isEmpty, !address.contains(where: { forbidden.contains($0) }) else {
            fields.add("'url' must be https://HOST or https://HOST:PORT, without a path", at: "url")
            return nil
        }
        self.init(url: url, caFile: caFile)
    }
}

extension Quota {
    fileprivate init?(_ fields: Fields) {
        fields.check(known: ["dailyPushes"])
        guard fields.required("dailyPushes", "\"dailyPushes\", the most pushes of one day") != nil,
            let pushes = fields.read("dailyPushes", as: "a whole number of 0 or more", \.count)
        else { return nil }
        self.init(dailyPushes: pushes)
    }
}

extension Value {
    /// A whole number from 0 to 2^31 - 1.
    fileprivate var count: Int? {
        integer.flatMap { (0...Int64(Int32.max)).contains($0) ? Int($0) : nil }
    }
}

extension SafetyLimits {
    fileprivate init(_ fields: Fields) {
        self.init()
        fields.check(known: ["maxRemovedPercent", "maxRemoved", "maxReplaced", "maxReplacedPercent", "maxPushes"])
        func number(_ key: Text, in range: ClosedRange<Int64>, as what: String, _ limit: inout Int) {
            let value = fields.read(key, as: what) { value in value.integer.flatMap { range.contains($0) ? $0 : nil } }
            if let value { limit = Int(value) }
        }
        let count = "a whole number of 0 or more"
        let percentage = "a whole number from 0 to 100"
        number("maxRemovedPercent", in: 0...100, as: percentage, &maxRemovedPercent)
        number("maxReplacedPercent", in: 0...100, as: percentage, &maxReplacedPercent)
        number("maxRemoved", in: 0...Int64(Int32.max), as: count, &maxRemoved)
        number("maxReplaced", in: 0...Int64(Int32.max), as: count, &maxReplaced)
        number("maxPushes", in: 0...Int64(Int32.max), as: count, &maxPushes)
    }
}
