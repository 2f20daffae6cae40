/// A certificate authority and a server certificate for this machine, made with the openssl command.
package struct Certificates {
    package let caFile: String
    package let certificateFile: String
    package let keyFile: String

    /// - Parameters:
    ///   - workspace: Where the files go.
    ///   - names: The subject alternative names of the server, as OpenSSL writes them.
    /// - Throws: ``CommandFailure``
    package init(in workspace: Workspace, names: String = "DNS:localhost,IP:127.0.0.1") throws {
        caFile = workspace.path("ca.pem")
        certificateFile = workspace.path("server.pem")
        keyFile = workspace.path("server.key")
        let caKey = workspace.path("ca.key")
        let request = workspace.path("server.csr")
        let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        _ = try workspace.run(
            ["openssl", "req", "-x509"] + newKey + [
                "-keyout", caKey, "-out", caFile, "-days", "2", "-subj", "/CN=Test CA",
            ]
        )
        _ = try workspace.run(
            ["openssl", "req"] + newKey + ["-keyout", keyFile, "-out", request, "-subj", "/CN=test server"]
        )
        let extensions = try workspace.write("subjectAltName=\(names)\n", to: "extensions")
        _ = try workspace.run([
            "openssl", "x509", "-req", "-in", request, "-CA", caFile, "-CAkey", caKey, "-CAcreateserial", "-days", "2",
            "-extfile", extensions, "-out", certificateFile,
        ])
    }
}
