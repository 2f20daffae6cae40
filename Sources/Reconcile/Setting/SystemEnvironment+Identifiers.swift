internal import Diff
public import Foreign
public import JSON
public import Ledger
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

extension Store {
    /// Makes a ledger where there is none.
    ///
    /// - Parameters:
    ///   - lineage: The name of it; `nil` mints one.
    ///   - system: The chance that name and key are made of.
    /// - Throws: ``LedgerError``, ``CryptoError``.
    public func make(lineage: Text? = nil, on system: SystemEnvironment) throws {
        let key = Text(Hex.text(try system.randomBytes(32)))
        try make(lineage: try lineage ?? system.mintLineage(), seal: key)
    }
}
