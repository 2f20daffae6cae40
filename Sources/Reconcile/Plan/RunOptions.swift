public import Diff
public import Time
public import Source

/// The options of one run of plan or apply.
public struct RunOptions: Hashable, Sendable {
    /// The targets it is restricted to.
    public var selection = Selection([])
    /// Its permissions beyond the limits of the configuration.
    public var overrides = SafetyOverrides()
    /// The source of the state files.
    public var source = StateSource.disk
    /// True where a restored ledger is accepted as it is, so that starts are sent again.
    public var acceptsRestored = false
    /// True where apply makes the ledger, which must not exist yet.
    public var makesLedger = false

    /// A run over everything, within the limits.
    public init() {}
}

/// The place where a plan is saved.
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
