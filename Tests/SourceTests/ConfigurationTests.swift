import Diff
import Foreign
import Foundation
import JSON
import Source
import TestProjects
import Testing

struct ConfigurationTests {
    @Test func readsTheSampleOfTheDocumentation() throws {
        let project = try LoadProject([
            "lockstep.json": #"""
            {
              "apps": {
                "com.example.courier": {
                  "teamId": "ABCDE12345",
                  "keys": {
                    "production": { "keyId": "KEY1234567", "key": { "file": "keys/AuthKey_KEY1234567.p8" } },
                    "sandbox":    { "keyId": "KEY7654321", "key": { "env": "LOCKSTEP_SANDBOX_KEY" } }
                  }
                }
              },
              "state": ["state", "more/*.json"],
              "ledger": "/var/lib/lockstep.db",
              "reports": "spool",
              "publish": { "directory": "public", "key": { "env": "LOCKSTEP_PUBLISH_KEY" } },
              "safety": { "maxRemovedPercent": 10, "maxRemoved": 20, "maxReplaced": 30, "maxPushes": 40 },
              "endpoints": { "sandbox": { "url": "https://127.0.0.1:8443", "caFile": "simulator/ca.pem" } }
            }
            """#
        ])
        let configuration = try Configuration.read(project.path("lockstep.json"))
        #expect(configuration.apps.map(\.bundleID) == ["com.example.courier"])
        let app = try #require(configuration.apps.first)
        #expect(app.teamID == "ABCDE12345")
        #expect(app.keys[.production]?.keyID == "KEY1234567")
        #expect(app.keys[.production]?.secret == .file("keys/AuthKey_KEY1234567.p8"))
        #expect(app.keys[.sandbox]?.secret == .environment("LOCKSTEP_SANDBOX_KEY"))
        #expect(configuration.state == ["state", "more/*.json"])
        #expect(configuration.path(configuration.ledger) == "/var/lib/lockstep.db")
        #expect(configuration.path(configuration.reports) == project.path("spool"))
        #expect(configuration.publish?.directory == "public")
        #expect(
            configuration.safety
                == SafetyLimits(maxRemovedPercent: 10, maxRemoved: 20, maxReplaced: 30, maxPushes: 40)
        )
        #expect(configuration.endpoints[.sandbox]?.url == "https://127.0.0.1:8443")
        #expect(configuration.endpoints[.sandbox]?.caFile == "simulator/ca.pem")
        #expect(configuration.endpoints[.production] == nil)
    }

    @Test func everythingButTheAppsHasADefault() throws {
        let project = try LoadProject()
        let configuration = try Configuration.read(project.path("lockstep.json"))
        #expect(configuration.state == ["state"])
        #expect(configuration.ledger == "lockstep.db")
        #expect(configuration.reports == "reports")
        #expect(configuration.publish == nil)
        #expect(configuration.safety == SafetyLimits())
        #expect(configuration.safety.maxRemovedPercent == 30)
        #expect(configuration.safety.maxRemoved == 1_000)
        #expect(configuration.safety.maxReplacedPercent == 30)
        #expect(configuration.safety.maxReplaced == 100)
        #expect(configuration.safety.maxPushes == 100_000)
    }

    @Test func aMissingFileIsAnErrorWithItsPath() {
        #expect(
            throws: ConfigurationError(diagnostics: [
                Diagnostic("cannot open: No such file or directory", file: "/nowhere/lockstep.json")
            ])
        ) { try Configuration.read("/nowhere/lockstep.json") }
    }

    @Test func isFoundInTheDirectoriesAbove() throws {
        let project = try LoadProject()
        try Files.makeDirectory(project.path("state/eu"))
        let found = try #require(try Configuration.search(from: project.path("state/eu")))
        #expect(try Files.resolve(found) == Files.resolve(project.path("lockstep.json")))
        try Files.remove(project.path("lockstep.json"))
        #expect(try Configuration.search(from: project.path("state/eu")) == nil)
    }

    @Test func appsMustBeNamedWhereThereAreSeveral() throws {
        let project = try LoadProject([
            "lockstep.json": #"{"apps":{"com.b":{"teamId":"ABCDE12345"},"com.a":{"teamId":"ABCDE12345"}}}"#,
            "state/a.json": #"{"subscriber":"u","widgets":{"W":{"state":1}}}"#,
            "state/b.json": #"{"subscriber":"u","app":"com.b","widgets":{"W":{"state":1}}}"#,
        ])
        let loaded = try project.load()
        #expect(loaded.declarations.map(\.owner.app) == ["com.b"])
        #expect(
            loaded.problems == [
                "state/a.json:1:1: 'app' is missing, and the configuration has several; add \"app\" with one of "
                    + "\"com.a\", \"com.b\""
            ]
        )
    }
}

/// Secrets are read when they are needed, and shown nowhere.
struct SecretTests {
    private func configuration(_ project: LoadProject) throws -> Configuration {
        try Configuration.read(project.path("lockstep.json"))
    }

    @Test func anEnvironmentVariableMustBeSetAndNotEmpty() throws {
        let configuration = try configuration(LoadProject())
        #expect(try configuration.resolve(.environment("K")) { _ in "abc" }.bytes == Array("abc".utf8))
        #expect(throws: SecretError.notSet("K")) { try configuration.resolve(.environment("K")) { _ in nil } }
        #expect(throws: SecretError.empty("the environment variable K")) {
            try configuration.resolve(.environment("K")) { _ in "" }
        }
    }

    @Test func aFileIsRelativeToTheConfigurationAndShouldBePrivate() throws {
        let project = try LoadProject(["keys/a.p8": "abc", "keys/empty": ""])
        let configuration = try configuration(project)
        let path = project.path("keys/a.p8")
        for (mode, warning) in [(0o600, nil), (0o400, nil), (0o640, "640"), (0o604, "604")] as [(mode_t, String?)] {
            #expect(chmod(path, mode) == 0)
            let secret = try configuration.resolve(.file("keys/a.p8")) { _ in nil }
            #expect(secret.bytes == Array("abc".utf8))
            #expect(secret.warning == (warning == nil ? nil : "\(path) can be read by others; chmod 600 \(path)"))
        }
        #expect(throws: SecretError.empty(project.path("keys/empty"))) {
            try configuration.resolve(.file("keys/empty")) { _ in nil }
        }
        #expect(throws: SecretError.unreadable(FileError("open", project.path("keys/none"), because: .system(ENOENT))))
        {
            try configuration.resolve(.file("keys/none")) { _ in nil }
        }
    }

    @Test func noDescriptionShowsASecret() throws {
        let secret = try configuration(LoadProject()).resolve(.environment("K")) { _ in "hunter2" }
        for text in ["\(secret)", String(reflecting: secret), "\([secret])"] { #expect(!text.contains("hunter2")) }
    }

    @Test(arguments: [
        #""key": "hunter2""#, #""key": { "env": "K", "hunter": "hunter2" }"#, #""key": ["hunter2"]"#,
        #""key": "hunter2", "key": "hunter2""#, #""key": "hunter2",,"#, #""key": "hunter2"#,
    ])
    func aSecretInTheConfigurationIsNotShown(_ key: String) throws {
        let project = try LoadProject([
            "lockstep.json": #"{"apps":{"com.a":{"teamId":"ABCDE12345"}},"publish":{"directory":"public", \#(key)}}"#
        ])
        let error = #expect(throws: ConfigurationError.self) { try configuration(project) }
        for diagnostic in try #require(error).diagnostics { #expect(!diagnostic.rendered.contains("hunter2")) }
    }
}
