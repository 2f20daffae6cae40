import Foreign
import Foundation
import JSON
import Testing

/// Runs a program that we did not write, to its end.
///
/// - Returns: What it wrote to standard output.
func run(_ program: String, _ arguments: [String], input: String = "") throws -> String {
    let scratch = FileManager.default.temporaryDirectory.appending(path: "tool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    for (name, text) in [("input", input), ("output", ""), ("error", "")] {
        try Data(text.utf8).write(to: scratch.appending(path: name))
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardInput = try FileHandle(forReadingFrom: scratch.appending(path: "input"))
    process.standardOutput = try FileHandle(forWritingTo: scratch.appending(path: "output"))
    process.standardError = try FileHandle(forWritingTo: scratch.appending(path: "error"))
    try process.run()
    process.waitUntilExit()
    let error = try String(contentsOf: scratch.appending(path: "error"), encoding: .utf8)
    #expect(process.terminationStatus == 0, "\(program): \(error)")
    return try String(contentsOf: scratch.appending(path: "output"), encoding: .utf8)
}

/// Runs a Python program with the packages that `script/bootstrap` installs.
func python(_ program: String, _ arguments: [String]) throws -> String {
    let path = RunningSimulator.root.appending(path: ".venv/bin/python3").path
    try #require(FileManager.default.isExecutableFile(atPath: path), "run script/bootstrap first")
    return try run(path, ["-c", program] + arguments)
}

/// Provider tokens.
enum ProviderTokens {
    /// One token that Apple takes, made with the simulator's key of an environment.
    static func good(
        _ simulator: RunningSimulator,
        _ environment: String = "production",
        at time: Int64 = Pushes.now
    ) throws -> String {
        let key = try key(simulator, environment, app: "com.example.courier")
        let part = { (value: Value) in base64URL(value.canonicalBytes) }
        let signed =
            part(["alg": "ES256", "kid": .string(Text(key.id))]) + "."
            + part(["iss": .string(Text(key.team)), "iat": .integer(time)])
        let pem = [UInt8](try Data(contentsOf: URL(filePath: key.file)))
        return signed + "." + base64URL(try SigningKey(pem: pem).signature(of: Array(signed.utf8)))
    }

    private static func key(
        _ simulator: RunningSimulator,
        _ environment: String,
        app: String
    ) throws -> (file: String, id: String, team: String) {
        let apps = try #require(simulator.configuration["apps"] as? [String: [String: Any]])
        let app = try #require(apps[app])
        let key = try #require((app["keys"] as? [String: [String: Any]])?[environment])
        return (
            try #require((key["key"] as? [String: Any])?["file"] as? String), try #require(key["keyId"] as? String),
            try #require(app["teamId"] as? String)
        )
    }

    /// A token made by PyJWT for each set of changes: `age` in seconds, `iss`, `kid`, `alg`, `iat`, or `strange` for another key.
    static func make(
        _ simulator: RunningSimulator,
        _ environment: String,
        _ changes: [[String: Any]],
        app: String = "com.example.courier"
    ) throws -> [String] {
        let key = try key(simulator, environment, app: app)
        let json = String(decoding: try JSONSerialization.data(withJSONObject: changes), as: UTF8.self)
        let output = try python(
            program,
            [key.file, key.id, key.team, json]
        )
        return output.split(separator: "\n").map(String.init)
    }

    private static let program = """
        import json, sys, time, jwt
        from cryptography.hazmat.primitives.asymmetric import ec
        path, kid, team, changes = sys.argv[1], sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
        good = open(path).read()
        for change in changes:
            key = ec.generate_private_key(ec.SECP256R1()) if change.get("strange") else good
            algorithm = change.get("alg", "ES256")
            if algorithm != "ES256": key = "x" * 32
            claims = {"iss": change.get("iss", team), "iat": int(time.time()) - change.get("age", 0)}
            if "iat" in change: claims["iat"] = change["iat"]
            print(jwt.encode(claims, key, algorithm=algorithm, headers={"kid": change.get("kid", kid)}))
        """
}

/// One push by curl.
struct CurlRequest {
    var method = "POST"
    var path: String
    var headers: [String: String]
    /// Headers in addition, which may repeat.
    var more: [String] = []
    var body: String

    /// The arguments that make curl send it.
    func arguments(_ url: String) -> [String] {
        var arguments = ["-X", method]
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { arguments += ["-H", "\(name): \(value)"] }
        for header in more { arguments += ["-H", header] }
        if !body.isEmpty { arguments += ["--data-binary", body] }
        return arguments + [url + path]
    }
}

/// What Apple answered.
struct CurlAnswer: Equatable {
    var status: Int
    var reason: String?
    var timestamp: Int64?
    var headers: [String: String]
}

/// Sends requests with curl over HTTP/2, one after the other on one connection.
func curl(_ simulator: RunningSimulator, _ requests: [CurlRequest], sandbox: Bool = false) throws -> [CurlAnswer] {
    let url = sandbox ? simulator.sandboxURL : simulator.url
    let common = ["-sS", "--http2", "--cacert", simulator.caFile, "-D", "-", "-w", "\n=end=\n"]
    let arguments = requests.map { common + $0.arguments(url) }.joined(separator: ["--next"])
    let output = try run("curl", Array(arguments)).replacingOccurrences(of: "\r", with: "")
    return try output.components(separatedBy: "\n=end=\n").dropLast().map(CurlAnswer.init)
}

extension CurlAnswer {
    fileprivate init(_ text: String) throws {
        let parts = text.components(separatedBy: "\n\n")
        let lines = parts[0].split(separator: "\n").map(String.init)
        try #require(lines.first?.hasPrefix("HTTP/2 ") == true, "\(text)")
        status = try #require(Int(lines[0].split(separator: " ")[1]))
        headers = Dictionary(
            lines.dropFirst().compactMap { line in
                line.range(of: ": ").map { (String(line[..<$0.lowerBound]), String(line[$0.upperBound...])) }
            }
        ) { first, _ in first }
        let body = parts.dropFirst().joined(separator: "\n\n")
        guard !body.isEmpty else { return }
        let json = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any], "\(body)")
        reason = json["reason"] as? String
        timestamp = (json["timestamp"] as? NSNumber)?.int64Value
    }
}
