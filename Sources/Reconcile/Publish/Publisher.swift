public import Diff
internal import Foreign
internal import JSON

/// Writes what widgets show to files that any web server can serve.
///
/// A widget push carries no data: the app's timeline provider fetches the file of its subscriber when the push comes, so
/// the file is in place, and on the disk, before its reload is sent.
public struct Publisher {
    /// The published directory.
    public let directory: String
    private let key: [UInt8]

    /// How many files are written between two waits for the disk.
    private static let batch = 256

    /// Publishes into a directory.
    ///
    /// - Parameters:
    ///   - directory: Where the files go.
    ///   - key: The secret that makes their names hard to guess.
    public init(directory: String, key: [UInt8]) {
        self.directory = directory
        self.key = key
    }

    /// The path of an owner's file below the directory: 2 hex digits, a slash, and 64 hex digits with `.json`.
    ///
    /// The digits are HMAC-SHA256(key, app ‖ 0x00 ‖ subscriber), RFC 2104.
    public func path(of owner: Owner) -> String {
        let message = Array(owner.app.string.utf8) + [0] + Array(owner.subscriber.string.utf8)
        let digits = hex(hmacSHA256(key: key, message: message))
        return "\(digits.prefix(2))/\(digits).json"
    }

    /// Writes every file that is older than what is committed.
    ///
    /// A run that is killed in between writes the rest, and perhaps some again, the next time.
    ///
    /// - Parameters:
    ///   - ledger: Whose committed widgets are published.
    ///   - isStopped: Asked between batches; `true` leaves the rest to the next run.
    /// - Returns: How many files were written.
    /// - Throws: ``FileError``, ``LedgerError``.
    public func run(_ ledger: Ledger, isStopped: () -> Bool = { false }) throws -> Int {
        var count = 0
        var last: Owner?
        while true {
            let owners = try ledger.unpublished(after: last, limit: Self.batch)
            guard let newest = owners.last, !isStopped() else { return count }
            for owner in owners { try write(owner, try ledger.widgets(of: owner)) }
            try Files.synchronizeFileSystem(of: directory)
            try ledger.markPublished(owners)
            count += owners.count
            last = newest
        }
    }

    private func write(_ owner: Owner, _ widgets: [PublishedWidget]) throws {
        let file = Files.join(directory, path(of: owner))
        try Files.makeDirectory(Files.parent(of: file))
        let members = widgets.map { widget in
            Object.Member(
                key: widget.name,
                value: [
                    "state": widget.state,
                    "revision": .integer(widget.revision),
                    "changedAt": .string(Text(RFC3339.string(milliseconds: widget.changedAt))),
                ]
            )
        }
        let document: Value = [
            "version": 1, "app": .string(owner.app), "widgets": .object(Object(members)),
        ]
        // The batch waits for the disk as a whole.
        try Files.write(document.canonicalBytes + [0x0A], to: file, durably: false, isOnlyWriter: true)
    }
}
