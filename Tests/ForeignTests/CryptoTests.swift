import Foreign
import Foundation
import TestServers
import Testing

@Suite struct CryptoTests {
    @Test func sha256MatchesFIPS180() throws {
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(Hex.text(sha256(Array("abc".utf8))) == digest)
        #expect(Hex.text(sha256([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        var running = try RunningSHA256()
        running.update(Array("a".utf8))
        running.update([])
        running.update(Array("bc".utf8))
        #expect(Hex.text(running.finalize()) == digest)
    }

    /// Test cases 1, 2, 3, 6 and 7 of RFC 4231, and an empty key as Python's `hmac` computes it.
    @Test(arguments: [
        (
            key: [UInt8](repeating: 0x0b, count: 20), message: Array("Hi There".utf8),
            digest: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
            digest: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            key: [UInt8](repeating: 0xaa, count: 20), message: [UInt8](repeating: 0xdd, count: 50),
            digest: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            key: [UInt8](repeating: 0xaa, count: 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            digest: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            key: [], message: Array("message".utf8),
            digest: "eb08c1f56d5ddee07f7bdf80468083da06b64cf4fac64fe3a90883df5feacae4"
        ),
    ])
    func hmacMatchesRFC4231(key: [UInt8], message: [UInt8], digest: String) {
        #expect(Hex.text(hmacSHA256(key: key, message: message)) == digest)
    }

    @Test func randomBytesDiffer() throws {
        let first = try SystemEnvironment.machine.randomBytes(32)
        #expect(first.count == 32)
        #expect(try SystemEnvironment.machine.randomBytes(32) != first)
    }

    /// The example of RFC 7515, appendix A.3.
    @Test func verifiesTheSignatureOfRFC7515() throws {
        let message = """
            eyJhbGciOiJFUzI1NiJ9\
            .eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ
            """
        let text = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
        let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
        let key = try VerifyingKey(pem: publicPEM(x: x, y: y))
        let signature = try #require(bytes(base64URL: text))
        #expect(key.accepts(signature, of: Array(message.utf8)))
        #expect(!key.accepts(signature, of: Array((message + "x").utf8)))
        #expect(!key.accepts(Array(signature.reversed()), of: Array(message.utf8)))
        #expect(!key.accepts(Array(signature.dropLast()), of: Array(message.utf8)))
    }

    @Test func aWrittenKeyReadsBackAndSigns() throws {
        let key = try SigningKey()
        let pem = try key.privatePEM()
        #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let copy = try SigningKey(pem: Array(pem.utf8))
        #expect(try copy.publicPEM() == key.publicPEM())
        let message = Array("message".utf8)
        let verifier = try key.publicKey()
        // R or S shorter than 32 bytes comes once in 128 signatures, and must be padded.
        for _ in 0..<400 {
            let signature = try copy.signature(of: message)
            try #require(signature.count == 64 && verifier.accepts(signature, of: message))
        }
    }

    @Test func refusesWhatIsNoSigningKey() throws {
        #expect(throws: CryptoError.self) { try SigningKey(pem: Array("not a key".utf8)) }
        #expect(throws: CryptoError.self) { try SigningKey(pem: []) }
        let pem = try Workspace().run("openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024")
        #expect(throws: CryptoError.wrongKeyType("of type RSA")) { try SigningKey(pem: Array(pem.utf8)) }
        let other = try Workspace().run("openssl", "ecparam", "-name", "secp384r1", "-genkey", "-noout")
        #expect(throws: CryptoError.wrongKeyType("on the curve secp384r1")) { try SigningKey(pem: Array(other.utf8)) }
    }

    @Test func refusesAKeyWithAPassphraseWithoutAsking() throws {
        let workspace = try Workspace()
        let plain = workspace.path("plain.pem")
        _ = try workspace.run("openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", plain)
        let pem = try workspace.run("openssl", "pkcs8", "-topk8", "-in", plain, "-passout", "pass:secret")
        #expect(pem.contains("ENCRYPTED"))
        #expect(throws: CryptoError.self) { try SigningKey(pem: Array(pem.utf8)) }
    }

    /// RFC 4648, section 10, without padding, and the two characters that differ from base64.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"), ("??>~", "Pz8-fg"), ("???", "Pz8_"),
    ])
    func base64URLMatchesRFC4648(plain: String, encoded: String) {
        #expect(base64URL(Array(plain.utf8)) == encoded)
        #expect(bytes(base64URL: encoded) == Array(plain.utf8))
    }

    @Test(arguments: ["Z", "Zg==", "Zh", "Zm9v!", "Zm+v", "Zm9 v"])
    func refusesWhatIsNoBase64URL(text: String) {
        #expect(bytes(base64URL: text) == nil)
    }
}

/// A SubjectPublicKeyInfo of P-256 is a fixed prefix and the uncompressed point.
private func publicPEM(x: String, y: String) throws -> [UInt8] {
    let prefix = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"
    let point = try #require(bytes(base64URL: x)) + #require(bytes(base64URL: y))
    let der = try #require(bytes(base64URL: prefix)) + point
    let text = Data(der).base64EncodedString(options: .lineLength64Characters)
    return Array("-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----\n".utf8)
}
