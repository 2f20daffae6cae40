internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// Ids made of the clock and the chance of the system.
extension SystemEnvironment {
    /// A supply of ids of a moment.
    ///
    /// - Throws: ``CryptoError`` where the system has no chance to give.
    func identifiers(at now: Moment) throws(CryptoError) -> IdentifierSupply {
        IdentifierSupply(at: now, entropy: try randomBytes(10))
    }

    /// One id.
    func mint<Kind>() throws(CryptoError) -> Identifier<Kind> {
        var ids = try identifiers(at: now())
        return ids.next()
    }

    /// One id with a prefix that no kind of the vocabulary has.
    func mint(_ prefix: String) throws(CryptoError) -> Text {
        var ids = try identifiers(at: now())
        return ids.next(prefix)
    }

    /// A name for a ledger and its copies, and for no other.
    func mintLineage() throws(CryptoError) -> Text { try mint("ldg_") }
}
