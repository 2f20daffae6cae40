internal import COpenSSL

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
