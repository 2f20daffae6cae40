internal import COpenSSL

/// The SHA-256 digest of `bytes`: 32 bytes (FIPS 180-4).
public func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    _ = unsafe SHA256(bytes, bytes.count, &digest)
    return digest
}

/// HMAC-SHA256 of `message` under `key`: 32 bytes (RFC 2104).
public func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    // OpenSSL takes a null key as "the previous key", so an empty one still needs an address.
    let padded = key.isEmpty ? [0] : key
    _ = unsafe HMAC(EVP_sha256(), padded, Int32(key.count), message, message.count, &digest, &count)
    return digest
}

/// `count` bytes from the system's cryptographic random generator.
///
/// - Throws: ``CryptoError`` if the generator could not be seeded.
func randomBytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try checkOpenSSL(unsafe RAND_bytes(&bytes, Int32(count)), "produce random bytes")
    return bytes
}

/// A SHA-256 digest of bytes that arrive in pieces.
@safe
public struct RunningSHA256: ~Copyable {
    private let context: OpaquePointer

    /// A digest of nothing so far.
    ///
    /// - Throws: ``CryptoError`` if OpenSSL has no memory left.
    public init() throws(CryptoError) {
        let context = unsafe EVP_MD_CTX_new()
        guard let context = unsafe context, unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            unsafe EVP_MD_CTX_free(context)
            throw .failed(step: "start a digest", reason: takeOpenSSLReason())
        }
        unsafe self.context = unsafe context
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    /// Appends `bytes` to what is digested.
    public mutating func update(_ bytes: [UInt8]) {
        // Fails only on a context that was finalized, which consuming finalize() rules out.
        _ = unsafe EVP_DigestUpdate(context, bytes, bytes.count)
    }

    /// The digest of everything appended: 32 bytes.
    public consuming func finalize() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        _ = unsafe EVP_DigestFinal_ex(context, &digest, nil)
        return digest
    }
}
