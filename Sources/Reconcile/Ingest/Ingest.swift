internal import Diff
internal import Foreign
public import JSON
internal import Ledger
public import Time

/// Takes the waiting device reports into the ledger.
public struct Ingest {
    /// The outcome.
    public struct Result: Hashable, Sendable {
        /// The files that were read.
        public var files = 0
        /// The lines that were taken.
        public var taken = 0
        /// The lines that were not.
        public var rejected = 0
        /// The first 20 of those, with their reasons.
        public var examples: [RejectedLine] = []
        /// Paths in the spool that are no files, and so are not read.
        public var strangers: [String] = []

        /// Nothing yet.
        public init() {}
    }

    /// The place where reports wait.
    public let spool: Spool
    /// The apps of the configuration.
    public let apps: Set<Text>
    /// The time of the run.
    public let now: Moment
    private let system: SystemEnvironment

    /// The number of lines that are taken in one transaction.
    private static let batch = 500

    /// Takes what waits in a spool.
    init(spool: Spool, apps: Set<Text>, now: Moment, _ system: SystemEnvironment) {
        self.spool = spool
        self.apps = apps
        self.now = now
        self.system = system
    }

    /// True where any file waits.
    public func isNeeded() throws -> Bool { try !spool.waiting().isEmpty }

    /// Takes all waiting reports into a ledger.
    ///
    /// A file leaves the spool only when all its lines are in the ledger, and a line that is taken twice changes nothing:
    /// a run that is killed anywhere in between loses none.
    ///
    /// - Parameters:
    ///   - ledger: The ledger that records them.
    ///   - looksOnly: For a plan on top of the ledger: the files stay where they are.
    /// - Returns: The number of lines that were taken, and the faults of the others.
    /// - Throws: ``FileError``, ``LedgerError``.
    func run(into ledger: any Session, looksOnly: Bool = false) throws -> Result {
        let names = try spool.waiting()
        var result = Result()
        result.strangers = try spool.strangers().map(spool.path)
        guard !names.isEmpty else { return result }
        let queue = try ReportQueue(apps: apps, now: now)
        try ledger.unit {
            for name in names { try queue.add(spool, name) { try ledger.firstSeen($0, at: now) } }
        }
        try take(queue, into: ledger)
        result.files = names.count
        result.taken = queue.count
        result.rejected = queue.rejected
        result.examples = try queue.firstRejections(20)
        if !looksOnly { try moveAway(names, of: queue, result: &result) }
        return result
    }

    /// Moves the files that were taken out of the way; from then on they are known by the names that they are kept by.
    private func moveAway(_ names: [String], of queue: ReportQueue, result: inout Result) throws {
        for name in names {
            let kept = try spool.keptName(of: name)
            let rejections = try queue.rejections(of: name)
            if !rejections.isEmpty { try spool.reject(rejections, as: kept) }
            try spool.finish(name, as: kept)
            for index in result.examples.indices where result.examples[index].file == name {
                result.examples[index].file = kept
            }
        }
        try spool.synchronize()
    }

    private func take(_ queue: ReportQueue, into ledger: any Session) throws {
        var batch: [Report] = []
        func flush() throws {
            guard !batch.isEmpty else { return }
            let ids = try system.identifiers(at: now)
            try ledger.unit {
                try ledger.takeStep()
                var intake = Intake(ledger, at: now, ids)
                for report in batch { try intake.take(report) }
            }
            batch.removeAll(keepingCapacity: true)
        }
        try queue.each { report in
            batch.append(report)
            if batch.count >= Self.batch { try flush() }
        }
        try flush()
    }
}

extension Session {
    /// As of when a report line counts whose time lies ahead of the clock: its first ingestion.
    func firstSeen(_ canonical: String, at now: Moment) throws -> Moment {
        let digest = Text(Hex.text(sha256(Array(canonical.utf8))))
        if let known = try earlyReport(digest: digest) { return known.at }
        var changes = LedgerChanges()
        changes.earlyReports = [EarlyReport(digest: digest, at: now)]
        try write(changes)
        return now
    }
}
