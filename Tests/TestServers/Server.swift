import Foundation

/// A server that runs as a process of its own until the last reference goes.
package final class Server {
    /// The port it listens on.
    package var port: UInt16 { reserved.number }
    private let reserved: ReservedPort
    private let process = Process()
    private let output: URL

    /// Starts a server and waits until it accepts connections.
    ///
    /// - Parameters:
    ///   - workspace: Its working directory, and where its output goes.
    ///   - reserved: The port it has to use; one of its own where it is `nil`.
    ///   - command: Makes the command line for the port it has to use.
    /// - Throws: ``CommandFailure`` where it ends or does not listen.
    package init(in workspace: Workspace, port reserved: ReservedPort? = nil, command: (UInt16) -> [String]) throws {
        self.reserved = try reserved ?? ReservedPort()
        let port = self.reserved.number
        output = workspace.directory.appending(path: "server-\(port).log")
        try Data().write(to: output)
        let log = try FileHandle(forWritingTo: output)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command(port)
        process.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "PYTHONUNBUFFERED": "1"]
        process.currentDirectoryURL = workspace.directory
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = log
        process.standardError = log
        try process.run()
        let deadline = Date(timeIntervalSinceNow: 20)
        while !accepts(port) {
            guard process.isRunning, Date() < deadline else {
                throw CommandFailure(command: process.arguments ?? [], errors: text(of: output))
            }
            usleep(10_000)
        }
    }

    deinit {
        // Not SIGTERM: a process that is started from a thread of Dispatch inherits that it is blocked.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// `push_server.py` on the Python h2 package, which behaves as the JSON text `scenario` says.
    package static func push(
        in workspace: Workspace,
        _ certificates: Certificates,
        _ scenario: String
    ) throws -> Server {
        try Server(in: workspace) { port in
            [
                python, sources.appending(path: "push_server.py").path, String(port), certificates.certificateFile,
                certificates.keyFile, scenario,
            ]
        }
    }

    /// The Python of the repository, with the packages that `script/bootstrap` installs.
    package static var python: String {
        sources.appending(path: "../../.venv/bin/python3").standardized.path
    }

    private static var sources: URL { URL(fileURLWithPath: #filePath).deletingLastPathComponent() }

    /// nginx, which answers everything with 200 and closes each connection, by GOAWAY, after so many requests.
    package static func nginx(
        in workspace: Workspace,
        _ certificates: Certificates,
        requestsPerConnection: Int
    ) throws -> Server {
        try Server(in: workspace) { port in
            let directory = workspace.directory.path
            let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
                "\($0)_temp_path \(directory)/\($0);"
            }
            let configuration = """
                daemon off;
                master_process off;
                pid \(directory)/nginx.pid;
                error_log stderr;
                events {}
                http {
                    access_log off;
                    \(temporary.joined(separator: " "))
                    server {
                        listen 127.0.0.1:\(port) ssl http2;
                        ssl_certificate \(certificates.certificateFile);
                        ssl_certificate_key \(certificates.keyFile);
                        keepalive_requests \(requestsPerConnection);
                        location / { return 200; }
                    }
                }

                """
            let file = (try? workspace.write(configuration, to: "nginx.conf")) ?? ""
            return ["nginx", "-c", file]
        }
    }

    /// tinyproxy, which connects to one port only.
    package static func tinyproxy(in workspace: Workspace, connectPort: UInt16) throws -> Server {
        try Server(in: workspace) { port in
            let configuration = """
                Port \(port)
                Listen 127.0.0.1
                Timeout 20
                LogLevel Connect
                ConnectPort \(connectPort)

                """
            let file = (try? workspace.write(configuration, to: "tinyproxy-\(port).conf")) ?? ""
            return ["tinyproxy", "-d", "-c", file]
        }
    }

    /// Whether the server prints a text within 20 seconds; what it does and what it prints are not one step.
    package func prints(_ text: String) -> Bool {
        let deadline = Date(timeIntervalSinceNow: 20)
        while !log.contains(text) {
            guard Date() < deadline else { return false }
            usleep(10_000)
        }
        return true
    }

    /// Everything that the server printed so far.
    package var log: String { text(of: output) }

    /// nghttpd, which answers `POST` to the path of an existing file with 200.
    package static func nghttpd(in workspace: Workspace, _ certificates: Certificates, options: [String] = []) throws
        -> Server
    {
        try Server(in: workspace) { port in
            ["nghttpd", "--verbose", "--address=127.0.0.1"] + options
                + [String(port), certificates.keyFile, certificates.certificateFile]
        }
    }
}

private func text(of file: URL) -> String {
    (try? String(contentsOf: file, encoding: .utf8)) ?? ""
}

private func accepts(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}
