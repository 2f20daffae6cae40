/// Which of Apple's two services a token, a key or a connection belongs to.
enum APNsEnvironment: String, CaseIterable, Sendable {
    case production
    case sandbox
}
