public import Foreign
public import JSON
public import Time

/// Carries pushes to APNs over any number of routes, and says what became of them.
///
/// ``PushLoop`` does it over HTTP/2.
public protocol PushTransport: AnyObject {
    /// Adds a route to one service with one key.
    func route(_ configuration: PushConnection.Configuration) -> any PushRoute
    /// Waits for what becomes of the pushes that were submitted.
    ///
    /// - Parameter limit: The longest wait; `nil` is for ever.
    /// - Returns: The ends of pushes; none when the time passed, or somebody asks whether to go on.
    /// - Throws: An error of the system; the run ends.
    func poll(_ limit: Span?) throws -> [PushCompletion]
    /// Ends all routes.
    ///
    /// - Returns: The ends of pushes that were still in flight.
    func close() -> [PushCompletion]
}

/// A way for pushes: to one service, with one key.
public protocol PushRoute: AnyObject {
    /// The reason that no more pushes are taken in this run; `nil` while there is hope.
    var failure: PushProblem? { get }
    /// The number of pushes that may be submitted now.
    var freeStreams: Int { get }
    /// Takes a push; `id` comes back with what became of it.
    func submit(_ request: PushRequest, id: Text)
    /// Makes a new provider token after an answer that called the old one expired.
    ///
    /// - Returns: True where there is a new token, so that the push is worth sending again.
    /// - Throws: ``CryptoError`` where the key cannot sign.
    func renewProviderToken() throws(CryptoError) -> Bool
}
