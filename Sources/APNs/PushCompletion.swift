public import JSON

/// The outcome of one push.
public struct PushCompletion: Equatable, Sendable {
    /// The end of a push.
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
    /// Its outcome.
    public let outcome: Outcome
}
