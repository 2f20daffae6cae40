/// The version of this Lockstep.
enum Version {
    /// The version, as the CHANGELOG counts.
    static let current = "0.1.0"
}
