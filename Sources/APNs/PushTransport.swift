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
    /// - Parameter limit: How long to wait at most; `nil` is for ever.
    /// - Returns: What became of pushes; nothing when the time passed, or somebody asks whether to go on.
    func poll(_ limit: Span?) throws -> [PushCompletion]
    /// Ends all routes.
    ///
    /// - Returns: What became of pushes that were still in flight.
    func close() -> [PushCompletion]
}

/// A way for pushes: to one service, with one key.
public protocol PushRoute: AnyObject {
    /// Why no more pushes are taken in this run; `nil` while there is hope.
    var failure: PushProblem? { get }
    /// How many pushes may be submitted now.
    var freeStreams: Int { get }
    /// Takes a push; `id` comes back with what became of it.
    func submit(_ request: PushRequest, id: Text)
    /// Makes a new provider token after an answer that called the old one expired.
    ///
    /// - Returns: Whether there is a new token, so that the push is worth sending again.
    /// - Throws: ``CryptoError`` where the key cannot sign.
    func renewProviderToken() throws(CryptoError) -> Bool
}
