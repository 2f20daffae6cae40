internal import COpenSSL

/// A refusal by OpenSSL: of a key, a certificate or an operation.
public enum CryptoError: Error, Equatable {
    /// The text is no private key in PEM, or is protected by a passphrase; OpenSSL's own words.
    case unreadableKey(String)
    /// The key is not an elliptic curve key on P-256; what it is instead.
    case wrongKeyType(String)
    /// A step of OpenSSL failed; the step and OpenSSL's own words.
    case failed(step: String, reason: String)
}

extension CryptoError: CustomStringConvertible {
    /// The problem with the key and what to do about it, without a byte of the key.
    public var description: String {
        switch self {
        case .unreadableKey(let reason):
            "not a private key in PEM form (\(reason)); use the .p8 file as it was downloaded from Apple"
        case .wrongKeyType(let type):
            "the key is \(type), but ES256 needs an elliptic curve key on P-256; use the .p8 file from Apple"
        case .failed(let step, let reason):
            "OpenSSL could not \(step): \(reason)"
        }
    }
}

/// Takes OpenSSL's explanation of the last failure and clears its queue.
///
/// The queue is per thread and outlives the call that filled it, so this runs right after the failing call.
func takeOpenSSLReason() -> String {
    let code = ERR_peek_error()
    defer { ERR_clear_error() }
    guard code != 0 else { return "no reason given" }
    // ERR_SYSTEM_ERROR, a macro over a flag of the highest bit: the rest is errno.
    if code & 0x8000_0000 != 0 { return errorText(Int32(code & 0x7FFF_FFFF)) }
    guard let reason = unsafe ERR_reason_error_string(code) else { return "error \(code)" }
    return unsafe String(cString: reason)
}

/// Passes a successful status of OpenSSL (1) and turns any other one into an error with OpenSSL's words.
func checkOpenSSL(_ status: Int32, _ step: String) throws(CryptoError) {
    guard status == 1 else { throw .failed(step: step, reason: takeOpenSSLReason()) }
}

/// Runs OpenSSL's writer on a buffer in memory and returns what it wrote.
func pem(_ step: String, _ write: (OpaquePointer) -> Int32) throws(CryptoError) -> String {
    guard let buffer = unsafe BIO_new(BIO_s_mem()) else { throw .failed(step: step, reason: takeOpenSSLReason()) }
    defer { unsafe BIO_free_all(buffer) }
    try checkOpenSSL(unsafe write(buffer), step)
    var text = [UInt8](repeating: 0, count: unsafe BIO_ctrl_pending(buffer))
    let count = unsafe BIO_read(buffer, &text, Int32(text.count))
    return String(decoding: text.prefix(Int(max(count, 0))), as: UTF8.self)
}

/// Hands OpenSSL's reader a read-only view of `bytes`, which it sees as a file.
func withReader<T>(of bytes: [UInt8], _ read: (OpaquePointer) -> T?) -> T? {
    unsafe bytes.withUnsafeBytes { buffer in
        guard let bio = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else { return nil }
        defer { unsafe BIO_free(bio) }
        return unsafe read(bio)
    }
}
