public import Diff
public import Foreign
internal import JSON
internal import Ledger
internal import Source
internal import Time

/// Writes what widgets show to files that any web server can serve.
///
/// A widget push carries no data: the app's timeline provider fetches the file of its subscriber when the push comes, so
/// the file is in place, and on the disk, before its reload is sent.
public struct Publisher {
    /// The published directory.
    public let directory: String
    private let key: [UInt8]
    private let disk: any Disk

    /// The number of files that are written between two waits for the disk.
    private static let batch = 256

    /// Publishes into a directory.
    ///
    /// - Parameters:
    ///   - directory: The directory of the files.
    ///   - key: The secret that makes their names hard to guess.
    ///   - disk: The disk that has the directory.
    public init(directory: String, key: [UInt8], disk: any Disk) {
        self.directory = directory
        self.key = key
        self.disk = disk
    }

    /// The path of an owner's file below the directory: 2 hex digits, a slash, and 64 hex digits with `.json`.
    ///
    /// The digits are HMAC-SHA256(key, app ‖ 0x00 ‖ subscriber), RFC 2104.
    public func path(of owner: Owner) -> String {
        let message = Array(owner.app.string.utf8) + [0] + Array(owner.subscriber.string.utf8)
        let digits = Hex.text(hmacSHA256(key: key, message: message))
        return "\(digits.prefix(2))/\(digits).json"
    }

    /// The path of an owner's file.
    func file(of owner: Owner) -> Text { Text(Files.join(directory, path(of: owner))) }

    /// The outcome for the files that had to be written.
    struct Result: Hashable, Sendable {
        /// The number of files that were written.
        var written = 0
        /// The number of files that could not be.
        var failed = 0
        /// The reason, of the first of those.
        var error: FileError?
    }

    /// The name of the place that it publishes to: another key renames every file, another directory has no file yet.
    var place: Text { Text(Hex.text(hmacSHA256(key: key, message: [0] + Array(directory.utf8)))) }

    /// Writes every file that is older than what is committed; all of them where key or directory are other ones than
    /// before, or the directory is gone.
    ///
    /// A run that is killed in between writes the rest, and perhaps some again, the next time. A file that cannot be
    /// written keeps no other one back.
    ///
    /// - Parameters:
    ///   - ledger: The ledger whose committed widgets are published.
    ///   - isStopped: Asked between batches; `true` leaves the rest to the next run.
    /// - Returns: The number of files that were written, and the errors of the others.
    /// - Throws: ``LedgerError``.
    func run(_ ledger: any Session, isStopped: () -> Bool = { false }) throws -> Result {
        let templates = TemplateBook(try ledger.templates())
        try ledger.beginPublishing(at: place, isGone: try Files.facts(following: directory) == nil)
        var result = Result()
        var last: Owner?
        var directories: Set<String> = []
        while true {
            // Read at once: each read by itself would take and leave a lock.
            let owners = try ledger.unit {
                try ledger.owners(.unpublished(after: last, limit: Self.batch)).map { owner in
                    (owner: owner, widgets: try ledger.widgets(.owner(owner)).map(\.row))
                }
            }
            guard let newest = owners.last?.owner, !isStopped() else { return result }
            var written: [Owner] = []
            do {
                for (owner, widgets) in owners {
                    do {
                        try write(owner, widgets, by: templates, in: &directories)
                        written.append(owner)
                    } catch let error as FileError {
                        result.error = result.error ?? error
                    }
                }
                if !written.isEmpty { try disk.synchronizeFileSystem(of: directory) }
            } catch let error as FileError {
                // Files that did not reach the disk are written again.
                written = []
                result.error = result.error ?? error
            }
            try ledger.markPublished(written)
            result.written += written.count
            result.failed += owners.count - written.count
            last = newest
        }
    }

    private func write(
        _ owner: Owner,
        _ widgets: [RecordedWidget],
        by templates: TemplateBook,
        in directories: inout Set<String>
    ) throws {
        let file = file(of: owner).string
        let parent = Files.parent(of: file)
        if !directories.contains(parent) {
            try Files.makeDirectory(parent)
            directories.insert(parent)
        }
        let members = try widgets.map { widget in
            let declaration = widget.declaration
            // Times that have a date format are numbers.
            let state = try templates.template(declaration.template)?.wire(declaration).state ?? declaration.state
            return Object.Member(
                key: declaration.name,
                value: [
                    "state": state,
                    "revision": .integer(widget.revision),
                    "changedAt": .string(Text(RFC3339.string(widget.changedAt))),
                ]
            )
        }
        let document: Value = [
            "version": 1, "app": .string(owner.app), "widgets": .object(Object(members)),
        ]
        // The batch waits for the disk as a whole.
        let bytes = document.canonicalBytes + [0x0A]
        try disk.write(bytes, to: file, mode: 0o644, durably: false, isOnlyWriter: true)
    }
}
