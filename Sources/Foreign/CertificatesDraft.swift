internal import COpenSSL
internal import Time

/// OpenSSL's form of a certificate while it is made.
@safe
final class CertificateDraft {
    private let certificate: OpaquePointer

    /// Reads a finished certificate, to sign others in its name.
    init(pem: String) throws(CryptoError) {
        let read = unsafe withReader(of: Array(pem.utf8)) { unsafe PEM_read_bio_X509($0, nil, nil, nil) }
        guard let certificate = unsafe read else {
            throw .failed(step: "read the certificate of the authority", reason: takeOpenSSLReason())
        }
        unsafe self.certificate = unsafe certificate
    }

    /// Begins a certificate (version 3, random serial number) for a key.
    init(subject: String, key: SigningKey, validity: Certificate.Validity) throws(CryptoError) {
        guard let certificate = unsafe X509_new() else {
            throw .failed(step: "make a certificate", reason: takeOpenSSLReason())
        }
        unsafe self.certificate = unsafe certificate
        try checkOpenSSL(unsafe X509_set_version(certificate, Int(X509_VERSION_3)), "make a certificate")
        try setSerialNumber()
        try setName(subject)
        let from = unsafe ASN1_TIME_set(X509_getm_notBefore(certificate), time_t(validity.from.seconds))
        let until = unsafe ASN1_TIME_set(X509_getm_notAfter(certificate), time_t(validity.until.seconds))
        guard unsafe from != nil, unsafe until != nil else {
            throw .failed(step: "write the dates of a certificate", reason: takeOpenSSLReason())
        }
        try unsafe key.withPointer { key throws(CryptoError) in
            try checkOpenSSL(unsafe X509_set_pubkey(certificate, key), "put the key into a certificate")
        }
    }

    deinit {
        unsafe X509_free(certificate)
    }

    /// Names the issuer: the subject of `authority`, which may be this certificate.
    func setIssuer(of authority: CertificateDraft) throws(CryptoError) {
        let name = unsafe X509_get_subject_name(authority.certificate)
        try checkOpenSSL(unsafe X509_set_issuer_name(certificate, name), "name the issuer of a certificate")
    }

    /// Adds an extension, written as in OpenSSL's configuration files.
    func add(_ id: Int32, _ text: String, issuer: CertificateDraft) throws(CryptoError) {
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx(&context, issuer.certificate, certificate, nil, nil, 0)
        guard let made = unsafe X509V3_EXT_conf_nid(nil, &context, id, text) else {
            throw .failed(step: "write '\(text)' into a certificate", reason: takeOpenSSLReason())
        }
        // X509_add_ext keeps a copy.
        defer { unsafe X509_EXTENSION_free(made) }
        try checkOpenSSL(unsafe X509_add_ext(certificate, made, -1), "write '\(text)' into a certificate")
    }

    /// The finished certificate as PEM text.
    func signed(with key: SigningKey) throws(CryptoError) -> String {
        try unsafe key.withPointer { key throws(CryptoError) in
            // The size of the signature, or 0.
            guard unsafe X509_sign(certificate, key, EVP_sha256()) > 0 else {
                throw .failed(step: "sign a certificate", reason: takeOpenSSLReason())
            }
        }
        return try unsafe pem("write a certificate") { unsafe PEM_write_bio_X509($0, certificate) }
    }

    private func setSerialNumber() throws(CryptoError) {
        // 127 bits: positive, and 20 bytes at most as RFC 5280 asks.
        var bytes = try randomBytes(16)
        bytes[0] &= 0x7F
        guard let number = unsafe BN_bin2bn(bytes, Int32(bytes.count), nil) else {
            throw .failed(step: "number a certificate", reason: takeOpenSSLReason())
        }
        defer { unsafe BN_free(number) }
        guard unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil else {
            throw .failed(step: "number a certificate", reason: takeOpenSSLReason())
        }
    }

    private func setName(_ name: String) throws(CryptoError) {
        let bytes = Array(name.utf8)
        let subject = unsafe X509_get_subject_name(certificate)
        let added = unsafe X509_NAME_add_entry_by_txt(
            subject,
            "CN",
            MBSTRING_FLAG | 0,
            bytes,
            Int32(bytes.count),
            -1,
            0
        )
        try checkOpenSSL(added, "name the subject of a certificate")
    }
}

extension SigningKey {
    /// Lends OpenSSL a copy of the key.
    fileprivate func withPointer(_ body: (OpaquePointer) throws(CryptoError) -> Void) throws(CryptoError) {
        let text = Array(try privatePEM().utf8)
        guard let key = unsafe withReader(of: text, { unsafe PEM_read_bio_PrivateKey($0, nil, nil, nil) }) else {
            throw .failed(step: "read a key back", reason: takeOpenSSLReason())
        }
        defer { unsafe EVP_PKEY_free(key) }
        try unsafe body(key)
    }
}
