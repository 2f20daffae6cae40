public import JSON

/// What became of one push.
public struct PushCompletion: Equatable, Sendable {
    /// How a push ended.
    public enum Outcome: Equatable, Sendable {
        /// APNs answered.
        case answered(Answer)
        /// APNs certainly did not process it: it may be sent again.
        case notProcessed(PushProblem)
        /// It was sent, and nobody knows what became of it.
        case uncertain(PushProblem)
    }

    /// The connection that it was submitted to.
    public let connection: PushConnection.ID
    /// The name that it was submitted under.
    public let id: Text
    /// What became of it.
    public let outcome: Outcome
}
