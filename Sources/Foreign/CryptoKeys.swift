internal import COpenSSL

/// An elliptic curve private key on P-256, as Apple hands out in `.p8` files; it signs ES256 (RFC 7518, section 3.4).
@safe
public final class SigningKey {
    private let key: OpaquePointer

    /// Reads a key from PEM text (PKCS #8, as in a `.p8` file, or SEC 1).
    ///
    /// - Throws: ``CryptoError`` if the text is no key, is protected by a passphrase or is a key of another kind.
    public init(pem: [UInt8]) throws(CryptoError) {
        // Answering with no passphrase keeps OpenSSL from asking for one on the terminal.
        let read = unsafe withReader(of: pem) { unsafe PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in 0 }, nil) }
        guard let key = unsafe read else { throw .unreadableKey(takeOpenSSLReason()) }
        unsafe self.key = unsafe key
        try unsafe requireP256(key)
    }

    /// Makes a new key.
    ///
    /// - Throws: ``CryptoError`` if OpenSSL cannot.
    public init() throws(CryptoError) {
        guard let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else {
            throw .failed(step: "generate a key", reason: takeOpenSSLReason())
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        try checkOpenSSL(unsafe EVP_PKEY_keygen_init(context), "generate a key")
        try checkOpenSSL(
            unsafe EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1),
            "generate a key on P-256"
        )
        var key: OpaquePointer?
        try checkOpenSSL(unsafe EVP_PKEY_generate(context, &key), "generate a key")
        guard let key = unsafe key else { throw .failed(step: "generate a key", reason: "no key") }
        unsafe self.key = unsafe key
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// The private key as PEM text in PKCS #8, the form of a `.p8` file.
    ///
    /// - Throws: ``CryptoError`` if OpenSSL cannot write it.
    public func privatePEM() throws(CryptoError) -> String {
        try unsafe pem("write the private key") { unsafe PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
    }

    /// The public half.
    ///
    /// - Throws: ``CryptoError`` if OpenSSL cannot write it.
    public func publicKey() throws(CryptoError) -> VerifyingKey {
        try VerifyingKey(pem: Array(publicPEM().utf8))
    }

    /// The public half as PEM text (SubjectPublicKeyInfo).
    ///
    /// - Throws: ``CryptoError`` if OpenSSL cannot write it.
    public func publicPEM() throws(CryptoError) -> String {
        try unsafe pem("write the public key") { unsafe PEM_write_bio_PUBKEY($0, key) }
    }

    /// The ES256 signature of `message`: R then S, 32 bytes each.
    ///
    /// - Throws: ``CryptoError`` if OpenSSL cannot sign with this key.
    public func signature(of message: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let context = unsafe EVP_MD_CTX_new() else {
            throw .failed(step: "sign", reason: takeOpenSSLReason())
        }
        defer { unsafe EVP_MD_CTX_free(context) }
        try checkOpenSSL(unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key), "sign with this key")
        // A DER signature of P-256 is at most 72 bytes.
        var der = [UInt8](repeating: 0, count: 80)
        var count = der.count
        try checkOpenSSL(unsafe EVP_DigestSign(context, &der, &count, message, message.count), "sign")
        return try rawSignature(der: der.prefix(count))
    }
}

/// The public half of a ``SigningKey``.
@safe
public final class VerifyingKey {
    private let key: OpaquePointer

    /// Reads a public key from PEM text (SubjectPublicKeyInfo).
    ///
    /// - Throws: ``CryptoError`` if the text is no public key on P-256.
    public init(pem: [UInt8]) throws(CryptoError) {
        guard let key = unsafe withReader(of: pem, { unsafe PEM_read_bio_PUBKEY($0, nil, nil, nil) }) else {
            throw .failed(step: "read the public key", reason: takeOpenSSLReason())
        }
        unsafe self.key = unsafe key
        try unsafe requireP256(key)
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// Whether `signature` (64 bytes, R then S) was made over `message` with the private half.
    public func accepts(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let der = derSignature(raw: signature), let context = unsafe EVP_MD_CTX_new() else { return false }
        defer {
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
        return unsafe EVP_DigestVerify(context, der, der.count, message, message.count) == 1
    }
}

private func requireP256(_ key: OpaquePointer) throws(CryptoError) {
    let type = unsafe EVP_PKEY_get_base_id(key)
    guard type == EVP_PKEY_EC else {
        let name = unsafe EVP_PKEY_get0_type_name(key).map { unsafe String(cString: $0) }
        throw .wrongKeyType("of type \(name ?? "unknown")")
    }
    var name = [CChar](repeating: 0, count: 64)
    var count = 0
    let status = unsafe EVP_PKEY_get_group_name(key, &name, name.count, &count)
    let curve = String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard status == 1, curve == "prime256v1" else { throw .wrongKeyType("on the curve \(curve)") }
}
