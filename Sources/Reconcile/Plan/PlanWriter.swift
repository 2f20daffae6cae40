internal import Diff
internal import Foreign
internal import JSON
internal import Ledger

/// Writes a saved plan line by line; it is at its path once it is whole.
final class PlanWriter {
    private var header: PlanHeader
    private var draft: FileDraft
    private var digest: PlanDigest?
    private let seal: Seal
    private let masks: Masks

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - header: Its first line.
    ///   - seal: The seal that its digests are made with.
    ///   - sensitive: The masks of it, whatever the terminal is shown: a file is passed on.
    /// - Throws: The system's error; ``PlanFileError/notOrdinary(path:)`` where the path is a device or a directory.
    init(to path: String, _ header: PlanHeader, seal: Seal, sensitive: PointerRules) throws {
        self.seal = seal
        masks = Masks(sensitive)
        let kind = try Files.facts(following: path)?.kind
        guard kind == nil || kind == .file else { throw PlanFileError.notOrdinary(path: path) }
        self.header = header
        // The id is known at the end: its place is kept.
        self.header.id = Text(String(repeating: "0", count: PlanHeader.idLength))
        draft = try FileDraft(of: path, mode: nil)
        digest = try PlanDigest(header)
        try draft.append(self.header.value.canonicalBytes + [0x0A])
    }

    /// Adds the lines of one owner.
    func add(_ plan: OwnerPlan, desired: Desired?, recorded: Recorded) throws {
        let ground = Ground(desired: desired, recorded: recorded, seal: seal)
        let actions = plan.changes.map { _ in Action?.none } + plan.actions.map(Optional.some)
        let entries = PlanEntry.entries(of: plan, desired, recorded, masks: masks, showsTargets: false)
        for (entry, action) in zip(entries, actions) {
            try add(ground.footed(entry, action).value)
        }
    }

    /// Ends the file with the counts, and puts it in its place.
    ///
    /// - Returns: Its header, with the id.
    func finish(_ summary: Summary) throws -> PlanHeader {
        try add(summary.value)
        guard let digest = digest.take() else { return header }
        header.id = digest.id()
        // As long as what stands there.
        try draft.overwrite(header.value.canonicalBytes, at: 0)
        try draft.publish()
        return header
    }

    private func add(_ line: Value) throws {
        let bytes = line.canonicalBytes
        digest?.take(bytes)
        try draft.append(bytes + [0x0A])
    }
}
