/// One of Apple's two services, which a token, a key or a connection belongs to.
public enum APNsEnvironment: String, CaseIterable, Sendable {
    /// The service for apps from the App Store.
    case production
    /// The service for apps that are run from Xcode.
    case sandbox
}
