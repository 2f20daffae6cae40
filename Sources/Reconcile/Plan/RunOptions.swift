public import Diff
public import Time
public import Source

/// What one run of plan or apply was asked for.
public struct RunOptions: Hashable, Sendable {
    /// The targets it is restricted to.
    public var selection = Selection([])
    /// What it may do beyond the limits of the configuration.
    public var overrides = SafetyOverrides()
    /// Where the state files are.
    public var source = StateSource.disk
    /// Whether a restored ledger is accepted as it is, so that starts are sent again.
    public var acceptsRestored = false
    /// Whether apply makes the ledger, which must not exist yet.
    public var makesLedger = false

    /// A run over everything, within the limits.
    public init() {}
}

/// Where a plan is saved.
public struct PlanDestination: Hashable, Sendable {
    /// The file.
    public var path: String
    /// For how long it may be applied.
    public var lifetime: Span

    /// A destination.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - lifetime: For how long it may be applied; absent: 24 hours.
    public init(path: String, lifetime: Span? = nil) {
        self.path = path
        self.lifetime = lifetime ?? .hours(24)
    }
}
