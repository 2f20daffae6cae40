import Foundation
import Testing

/// What `lockstep schema` prints, held by check-jsonschema against every file of the examples, the docs and the cases.
@Suite struct SchemaTests {
    /// What a schema can say of one of the cases.
    enum Verdict {
        /// It is as it should be.
        case good
        /// The schema refuses it.
        case bad
        /// It is no JSON at all.
        case notJSON
        /// What is wrong with it no schema can say: Lockstep does.
        case unseen
        /// It is no state file, or one that nobody hands to the checker, for this reason.
        case leftOut(String)
    }

    static let cases: [String: Verdict] = [
        "base.json": .good, "big-integer.json": .good, "big-integer-minus-one.json": .good, "blank-lines.ndjson": .good,
        "bom-crlf.json": .good, "escaped.json": .good, "key-order.json": .good, "number-as-exponent.json": .good,
        "number-as-real.json": .good, "relevance.json": .good,
        "milliseconds.json": .bad, "typo.json": .bad, "nul-and-controls.ndjson": .bad,
        "truncated.json": .notJSON, "merge-marker.json": .notJSON, "lfs-pointer.json": .notJSON,
        "duplicate-key.json": .unseen, "duplicate-activity.json": .unseen, "integer-too-large.json": .unseen,
        "deep.json": .leftOut("100,000 arrays inside each other end the checker itself, by its recursion"),
        "tokens.ndjson": .leftOut("device reports"),
    ]

    /// Files that the schema of the configuration or of templates refuses.
    static let wrong: [(schema: String, text: String)] = [
        ("config", #"{"apps":{}}"#),
        ("config", #"{"apps":{"a":{"teamId":"ABCDE12345"}},"ledgr":"x"}"#),
        ("config", #"{"apps":{"a":{"teamId":"abc"}}}"#),
        ("config", #"{"apps":{"a":{"teamId":"ABCDE12345","keys":{"sandbox":{"keyId":"ABCDE12345","key":"-----"}}}}}"#),
        ("config", #"{"apps":{"a":{"teamId":"ABCDE12345"}},"endpoints":{"sandbox":{"url":"http://127.0.0.1"}}}"#),
        ("template", "{}"),
        ("template", #"{"state":{"type":"objekt"}}"#),
        ("template", #"{"state":{},"attributs":{}}"#),
        ("subscriber", #"{"subscriber":""}"#),
        ("subscriber", #"{"subscriber":"u","liveActivities":{"A":{"attributesType":"T","state":{}}}}"#),
        ("subscriber", #"{"subscriber":"u","widgets":{"W":{}}}"#),
        ("subscriber", #"[{"subscriber":"u","widgets":{"W":{"state":1,"template":"stats"}}}]"#),
    ]

    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        for schema in ["subscriber", "config", "template"] {
            let outcome = try workspace.run("schema", schema)
            #expect(outcome.status == 0)
            try workspace.write("schemas/\(schema).json", outcome.stdout)
        }
    }

    /// Puts a file in; of a stream, its documents as one array.
    private func add(_ file: URL, as path: String) throws {
        let data = try Data(contentsOf: file)
        let target = workspace.url.appending(path: path)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        guard file.pathExtension == "ndjson" else { return try data.write(to: target) }
        let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
            .filter { $0.contains { !$0.isWhitespace } }
        try Data("[\(lines.joined(separator: ","))]".utf8).write(to: target)
    }

    /// The files that the checker refuses, by their paths.
    private func refused(_ schema: String, _ files: [String]) throws -> Set<String> {
        let checker = Checkout.root.appending(path: ".venv/bin/check-jsonschema")
        let arguments = ["--schemafile", "schemas/\(schema).json", "--output-format", "json", "--no-cache"] + files
        let outcome = try execute(checker, arguments, in: workspace.url)
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.stdout.utf8)) as? [String: Any],
            "\(outcome.stdout)\(outcome.stderr)"
        )
        #expect(outcome.status == ((report["status"] as? String) == "ok" ? 0 : 1))
        let errors = (report["errors"] as? [[String: Any]] ?? []) + (report["parse_errors"] as? [[String: Any]] ?? [])
        return Set(errors.compactMap { $0["filename"] as? String })
    }

    @Test func theSchemasAreOnes() throws {
        let checker = Checkout.root.appending(path: ".venv/bin/check-jsonschema")
        let files = ["subscriber", "config", "template"].map { "schemas/\($0).json" }
        let outcome = try execute(checker, ["--check-metaschema"] + files, in: workspace.url)
        #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    }

    @Test func everyFileOfTheExamplesAndTheDocsMatchesItsSchema() throws {
        var files: [String: [String]] = [:]
        let examples = Checkout.root.appending(path: "examples")
        let all = try #require(FileManager.default.enumerator(at: examples, includingPropertiesForKeys: nil))
        for case let file as URL in all where ["json", "ndjson"].contains(file.pathExtension) {
            let path = file.path.replacing(examples.path + "/", with: "")
            let parts = path.split(separator: "/")
            let schema: String? =
                switch parts[1] {
                case "lockstep.json": "config"
                case "state", "stages": "subscriber"
                case "templates": "template"
                default: nil
                }
            guard let schema else { continue }
            try add(file, as: path)
            files[schema, default: []].append(path)
        }
        for (page, language, schema) in [
            ("docs/files.md", "json configuration", "config"), ("docs/files.md", "json document", "subscriber"),
            ("docs/templates.md", "json template", "template"),
        ] {
            for (index, block) in try Readme(page).blocks(language).enumerated() {
                let path = "docs/\(schema)-\(index).json"
                try workspace.write(path, block)
                files[schema, default: []].append(path)
            }
        }
        #expect(files.mapValues(\.count).allSatisfy { $0.value >= 2 } && files.count == 3, "\(files)")
        for (schema, paths) in files { #expect(try refused(schema, paths) == [], "\(schema)") }
    }

    @Test func everyCaseHasTheVerdictThatItShouldHave() throws {
        let directory = Checkout.root.appending(path: "Tests/Cases")
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(Set(names) == Set(Self.cases.keys))
        var (handed, expected): ([String], Set<String>) = ([], [])
        for (name, verdict) in Self.cases {
            if case .leftOut = verdict { continue }
            try add(directory.appending(path: name), as: "cases/\(name).json")
            handed.append("cases/\(name).json")
            switch verdict {
            case .bad, .notJSON: expected.insert("cases/\(name).json")
            case .good, .unseen, .leftOut: break
            }
        }
        #expect(try refused("subscriber", handed) == expected)
    }

    /// The rows of the table of problems that have none are good by the schema, too.
    @Test func whatLockstepTakesTheSchemaTakes() throws {
        let lines = try Checkout.text("Tests/Golden/load-problems.txt").components(separatedBy: "\n")
        let rows = zip(lines, lines.dropFirst() + [""]).filter { row, next in
            row.hasPrefix("{") && !next.hasPrefix("    ")
        }
        let documents = rows.map { $0.0 }
        try workspace.write("documents.json", "[\(documents.joined(separator: ","))]")
        #expect(try refused("subscriber", ["documents.json"]) == [])
    }

    @Test func whatIsWrongInOneFileTheSchemaRefuses() throws {
        for schema in ["subscriber", "config", "template"] {
            let texts = Self.wrong.filter { $0.schema == schema }.map(\.text)
            let paths = try texts.enumerated().map { index, text in
                let path = "wrong/\(schema)-\(index).json"
                try workspace.write(path, text)
                return path
            }
            #expect(try refused(schema, paths) == Set(paths))
        }
    }
}
