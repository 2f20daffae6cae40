internal import Diff
internal import JSON
internal import Ledger

/// The published files that are older than what is committed.
extension Snapshot {
    /// The number of them.
    ///
    /// - Parameters:
    ///   - place: A name of the place that they are written to; `nil` where the key is not at hand.
    ///   - isGone: True where the directory is not there.
    /// - Returns: The number.
    /// - Throws: ``LedgerError``.
    func unpublishedCount(at place: Text?, isGone: Bool) throws -> Int {
        let isElsewhere = try place != nil && facts().publishedPlace != place
        return try count(isGone || isElsewhere ? .withWidgets : .allUnpublished)
    }

    /// True where the published file of an owner is older than what is committed.
    func isUnpublished(_ owner: Owner) throws -> Bool { try count(.isUnpublished(owner)) > 0 }
}

extension Session {
    /// Has every file written anew where they are to be in another place than before.
    func beginPublishing(at place: Text, isGone: Bool) throws {
        guard try isGone || facts().publishedPlace != place else { return }
        try unit {
            var changes = LedgerChanges()
            changes.change(try facts()) { $0.publishedPlace = place }
            changes.unpublishesAll = true
            try write(changes)
        }
    }

    /// Notes that the files of these owners are on the disk.
    func markPublished(_ owners: [Owner]) throws {
        var changes = LedgerChanges()
        changes.published = owners
        try unit { try write(changes) }
    }
}
