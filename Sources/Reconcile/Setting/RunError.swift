public import Diff
public import Time

/// The reason that a run did not happen.
public enum RunError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Files are wrong; every problem was reported before.
    case invalidFiles(Int)
    /// Limits would be exceeded.
    case unsafe([SafetyViolation])
    /// A secret is not to be had, or is none.
    case secret(String)
    /// The clock shows a time long before one at which APNs took a push.
    case clockBehind(now: Moment, confirmed: Moment)
    /// The proxy that the environment names cannot be used.
    case proxy(String)

    /// The fault and the way out.
    public var description: String {
        switch self {
        case .invalidFiles(let count):
            "\(count) \(count == 1 ? "problem" : "problems") in the files; nothing was sent"
        case .unsafe(let violations): violations.map(\.description).joined(separator: "\n")
        case .secret(let message), .proxy(let message): message
        case .clockBehind(let now, let confirmed):
            "this machine's clock shows \(RFC3339.string(now)), and APNs took a push by it at "
                + "\(RFC3339.string(confirmed)); set the clock and run again. Nothing was done"
        }
    }
}
