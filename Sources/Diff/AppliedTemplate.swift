public import JSON
public import Time

/// A template version as the ledger first had it applied.
public struct AppliedTemplate: Hashable, Sendable {
    /// `name@version`.
    public var name: Text
    /// The digest of its contract.
    public var digest: Text
    /// The moment that it was first applied at.
    public var at: Moment

    /// A version that was applied.
    public init(name: Text, digest: Text, at: Moment) {
        self.name = name
        self.digest = digest
        self.at = at
    }
}
