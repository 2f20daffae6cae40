internal import COpenSSL
public import Time

/// A certificate (X.509) with its private key, made here: for a server on this machine that tests and demonstrations talk to.
public struct Certificate {
    /// From when until when a certificate is valid, in seconds since 1970.
    public struct Validity: Equatable, Sendable {
        /// The first second.
        public var from: Moment
        /// The last second.
        public var until: Moment

        /// A span of time, both ends included.
        public init(from: Moment, until: Moment) {
            self.from = from
            self.until = until
        }
    }

    /// The certificate as PEM text.
    public let pem: String
    /// Its private key.
    public let key: SigningKey

    /// Takes a certificate that was made before, with its key.
    ///
    /// - Parameters:
    ///   - pem: The certificate as PEM text; it is read when it is used.
    ///   - key: Its private key.
    public init(pem: String, key: SigningKey) {
        self.pem = pem
        self.key = key
    }

    /// Makes a certificate authority: a certificate that signs itself, with a new key on P-256.
    ///
    /// - Parameters:
    ///   - name: Its common name.
    ///   - validity: From when until when it is valid.
    /// - Returns: The certificate with its key.
    /// - Throws: ``CryptoError`` if OpenSSL cannot make one.
    public static func authority(name: String, validity: Validity) throws(CryptoError) -> Certificate {
        let key = try SigningKey()
        let draft = try CertificateDraft(subject: name, key: key, validity: validity)
        try draft.setIssuer(of: draft)
        try draft.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0", issuer: draft)
        try draft.add(NID_key_usage, "critical,keyCertSign,cRLSign", issuer: draft)
        try draft.add(NID_subject_key_identifier, "hash", issuer: draft)
        return Certificate(pem: try draft.signed(with: key), key: key)
    }

    /// Makes a certificate for a server, signed by this authority, with a new key on P-256.
    ///
    /// - Parameters:
    ///   - hosts: The names and addresses that clients reach it under; the first is its common name too.
    ///   - validity: From when until when it is valid.
    /// - Returns: The certificate with its key.
    /// - Throws: ``CryptoError`` if this is no authority or OpenSSL cannot make one.
    public func server(hosts: [String], validity: Validity) throws(CryptoError) -> Certificate {
        let key = try SigningKey()
        let issuer = try CertificateDraft(pem: pem)
        let draft = try CertificateDraft(subject: hosts.first ?? "localhost", key: key, validity: validity)
        try draft.setIssuer(of: issuer)
        let names = hosts.map { (isAddress($0) ? "IP:" : "DNS:") + $0 }.joined(separator: ",")
        try draft.add(NID_basic_constraints, "critical,CA:FALSE", issuer: issuer)
        try draft.add(NID_key_usage, "critical,digitalSignature", issuer: issuer)
        try draft.add(NID_ext_key_usage, "serverAuth", issuer: issuer)
        try draft.add(NID_subject_alt_name, names, issuer: issuer)
        try draft.add(NID_subject_key_identifier, "hash", issuer: issuer)
        try draft.add(NID_authority_key_identifier, "keyid:always", issuer: issuer)
        return Certificate(pem: try draft.signed(with: self.key), key: key)
    }
}
