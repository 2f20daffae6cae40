import Foundation

/// What a test needs that a container may not allow; where it does not, the test says that it was skipped.
enum Permission {
    /// Mounting, seen by nobody else.
    static let mounts = succeeds("unshare", "--mount", "--map-root-user", "true")

    private static func succeeds(_ command: String...) -> Bool {
        let root = URL(filePath: "/")
        return (try? execute(URL(filePath: "/usr/bin/env"), command, in: root))?.status == 0
    }
}
