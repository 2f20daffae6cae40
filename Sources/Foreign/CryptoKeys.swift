internal import COpenSSL

/// An elliptic curve private key on P-256, as Apple hands out in `.p8` files; it signs ES256 (RFC 7518, section 3.4).
@safe
public final class SigningKey {
    private let key: OpaquePointer

    /// Reads a key from PEM text (PKCS #8, as in a `.p8` file, or SEC 1).
    ///
    /// - Throws: ``CryptoError`` if the text is no key, is protected by a passphrase or is a key of another kind.
    public init(pem: [UInt8]) throws(CryptoError) {
        let read =
            unsafe Self.read(pem)
            ?? withReader(of: pem) {
                // Answering with no passphrase keeps OpenSSL from asking for one on the terminal.
                unsafe PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in 0 }, nil)
            }
        guard let key = unsafe read else { throw .unreadableKey(takeOpenSSLReason()) }
        unsafe self.key = unsafe key
        try unsafe requireP256(key)
    }

    /// Reads what a `.p8` file holds as a rule; `nil` for everything else.
    ///
    /// Where OpenSSL is not told what to expect, it makes ready for each kind of key that it knows, which takes three
    /// times as long.
    private static func read(_ pem: [UInt8]) -> OpaquePointer? {
        var key: OpaquePointer?
        guard let context = unsafe OSSL_DECODER_CTX_new_for_pkey(&key, "PEM", "PrivateKeyInfo", "EC", 0, nil, nil)
        else {
            return nil
        }
        defer {
            unsafe OSSL_DECODER_CTX_free(context)
            ERR_clear_error()
        }
        _ = unsafe withReader(of: pem) { unsafe OSSL_DECODER_from_bio(context, $0) }
        return unsafe key
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

    /// Verifies that `signature` (64 bytes, R then S) was made over `message` with the private half.
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

/// Turns OpenSSL's signature (a DER sequence of two integers) into the form of JWS: R then S, 32 bytes each.
func rawSignature(der: ArraySlice<UInt8>) throws(CryptoError) -> [UInt8] {
    let parsed = unsafe der.withUnsafeBufferPointer { buffer in
        var start = buffer.baseAddress
        return unsafe d2i_ECDSA_SIG(nil, &start, buffer.count)
    }
    guard let signature = unsafe parsed else { throw .failed(step: "read a signature", reason: takeOpenSSLReason()) }
    defer { unsafe ECDSA_SIG_free(signature) }
    var r = [UInt8](repeating: 0, count: 32)
    var s = r
    guard unsafe BN_bn2binpad(ECDSA_SIG_get0_r(signature), &r, 32) == 32,
        unsafe BN_bn2binpad(ECDSA_SIG_get0_s(signature), &s, 32) == 32
    else { throw .failed(step: "read a signature", reason: takeOpenSSLReason()) }
    return r + s
}

/// The inverse of ``rawSignature(der:)``; `nil` where `raw` is not 64 bytes.
func derSignature(raw: [UInt8]) -> [UInt8]? {
    guard raw.count == 64, let signature = unsafe ECDSA_SIG_new() else { return nil }
    defer { unsafe ECDSA_SIG_free(signature) }
    guard let r = unsafe BN_bin2bn(Array(raw[..<32]), 32, nil), let s = unsafe BN_bin2bn(Array(raw[32...]), 32, nil)
    else { return nil }
    // Takes ownership of both numbers; it fails only when one of them is missing.
    guard unsafe ECDSA_SIG_set0(signature, r, s) == 1 else { return nil }
    let count = unsafe i2d_ECDSA_SIG(signature, nil)
    guard count > 0 else { return nil }
    var der = [UInt8](repeating: 0, count: Int(count))
    unsafe der.withUnsafeMutableBufferPointer { buffer in
        var start = buffer.baseAddress
        _ = unsafe i2d_ECDSA_SIG(signature, &start)
    }
    return der
}
