/// An iOS version, compared by its numbers.
struct OSVersion: Comparable, Sendable, CustomStringConvertible {
    /// Live Activities with update tokens exist from here on.
    static let liveActivities = OSVersion(16, 1)
    /// Activities can be started by a push from here on.
    static let pushToStart = OSVersion(17, 2)
    /// A remotely started activity gets an update token only when its start asked for one, from here on.
    static let asksForToken = OSVersion(18, 0)
    /// Widgets can be reloaded by a push from here on.
    static let widgetPush = OSVersion(26, 0)

    let major: Int
    let minor: Int
    let patch: Int

    init(_ major: Int, _ minor: Int, patch: Int = 0) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Reads `26`, `17.2` or `17.2.1`; `nil` for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard (1...3).contains(parts.count), numbers.count == parts.count, numbers.allSatisfy({ $0 >= 0 }) else {
            return nil
        }
        self.init(numbers[0], numbers.count > 1 ? numbers[1] : 0, patch: numbers.count > 2 ? numbers[2] : 0)
    }

    var description: String { patch == 0 ? "\(major).\(minor)" : "\(major).\(minor).\(patch)" }

    static func < (left: OSVersion, right: OSVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }
}
