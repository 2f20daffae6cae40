public import Diff
public import JSON
public import Time

/// A ledger as it is read: at one moment, or within a transaction.
///
/// A store hands out values and decides nothing. Every question names the rows that it wants by a query, so that each
/// store answers it from an index, and one conformance suite asks all of them the same.
public protocol Snapshot: AnyObject {
    // MARK: The whole

    /// The facts of the whole ledger.
    ///
    /// - Throws: ``LedgerError``, as everything here.
    func facts() throws -> LedgerFacts
    /// The key of the digests in saved plans; `nil` where the ledger has none.
    func sealKey() throws -> [UInt8]?
    /// Scopes that are not as they were at first: a few, which people made.
    func scopes() throws -> Scopes
    /// Template versions as they were first applied, by name.
    func templates() throws -> [TemplateRecord]
    /// Configuration faults, by app and environment.
    func faults() throws -> [Fault]
    /// The pushes that the account sent in other ways on a day; `nil` where none were recorded.
    func sentElsewhere(on day: UTCDay) throws -> SentElsewhere?
    /// The deliveries that are booked to a day, by status.
    func booked(on day: UTCDay) throws -> [DeliveryStatus: Int]
    /// The activities that are running or outstanding at a moment and not too old to be, over all owners.
    func openInstances(at now: Moment) throws -> Int

    // MARK: Owners

    /// The next owners that anything is recorded of, in the order of subscriber and app, by bytes.
    ///
    /// - Parameters:
    ///   - range: The subscribers that count.
    ///   - last: The last owner of the batch before; `nil` for the first batch.
    ///   - limit: The most owners.
    /// - Returns: Their records; fewer than `limit` at the end alone.
    /// - Throws: ``LedgerError``.
    func recorded(in range: OwnerRange, after last: Owner?, limit: Int) throws -> [Recorded]
    /// The records of some owners, which are in their order; an owner may have none.
    func recorded(_ owners: [Owner]) throws -> [Recorded]
    /// Owners by a query, in their order.
    func owners(_ query: OwnerQuery) throws -> [Owner]
    /// The number of owners by a query.
    func count(_ query: OwnerQuery) throws -> Int

    // MARK: Rows

    /// Committed widgets, by owner and name.
    func widgets(_ query: WidgetQuery) throws -> [Owned<RecordedWidget>]
    /// Committed activities.
    func activities(_ query: ActivityQuery) throws -> [RecordedActivity]
    /// Devices, by id.
    func devices(_ query: DeviceQuery) throws -> [DeviceRow]
    /// Widget push tokens, by device.
    func registrations(_ query: RegistrationQuery) throws -> [OnDevice<WidgetRegistration>]
    /// Push-to-start tokens, by device and attributes type.
    func startTargets(_ query: StartTargetQuery) throws -> [OnDevice<StartTarget>]
    /// Activities on devices, by id; their deliveries are not attached.
    func instances(_ query: InstanceQuery) throws -> [Owned<Instance>]
    /// Deliveries, by id.
    func deliveries(_ query: DeliveryQuery) throws -> [Delivery]
    /// Ids of activities and launches that were reported over before they were reported at all.
    func closedEarly(app: Text, device: Text) throws -> Set<Text>
    /// The time at which a token was found dead; `nil` where it was not.
    func deadToken(_ token: Text) throws -> DeadToken?
    /// The person that an anonymous id turned out to be; `nil` where it did not.
    func alias(_ anonymous: Text, app: Text) throws -> Alias?
    /// A report line of the future that was seen before.
    func earlyReport(digest: Text) throws -> EarlyReport?
    /// A run; `nil` where there is none.
    func run(_ query: RunQuery) throws -> RunRecord?
    /// A reload, by its idempotency key.
    func reloadRequest(key: Text) throws -> ReloadRequestRecord?

    // MARK: Sending

    /// The apps and environments that have deliveries to send at a moment, in order.
    func lanes(at now: Moment) throws -> [DueLane]
    /// The next deliveries of one app and environment that may be sent at a moment, in the order of sending.
    ///
    /// - Parameters:
    ///   - lane: The app and environment.
    ///   - place: The last delivery of the batch before.
    ///   - now: The moment.
    ///   - limit: The most deliveries.
    /// - Returns: The deliveries; none at the end.
    /// - Throws: ``LedgerError``.
    func due(_ lane: LaneName, after place: SendingPlace, at now: Moment, limit: Int) throws -> [DueDelivery]
    /// Those of some deliveries that may still be sent.
    func due(_ ids: [DeliveryID]) throws -> [DueDelivery]
    /// The next queued deliveries that cost something and hold no capacity of a day, in the order of sending.
    func unbooked(on day: UTCDay, after place: SendingPlace, limit: Int) throws -> [Delivery]
}

/// A ledger that is written: everything that is read and written in one unit is of one moment.
public protocol Session: Snapshot {
    /// Runs `body` as one unit: all that it writes is kept, or nothing.
    ///
    /// What it reads is what the ledger is when the unit is kept: a decision is never carried out on records that somebody
    /// else changed meanwhile. A store that cannot hold others off runs `body` again.
    ///
    /// - Throws: ``LedgerError``, and what `body` throws; then nothing is written.
    func unit<Result>(_ body: () throws -> Result) throws -> Result
    /// Writes the rows that decisions changed; part of a unit.
    func write(_ changes: LedgerChanges) throws
}

/// A ledger in the hands of the one run that may plan, commit and send.
///
/// Authority over a push and the pushes that were sent elsewhere need none: see ``Session``.
public protocol Lease: Session {
    /// The mark that stood beside the ledger when the run began.
    var mark: LedgerMark.Reading { get }
    /// The reason that the mark could not be moved up, where that happened: a restored ledger might not be recognised.
    var markProblem: String? { get }
    /// Moves the mark up to the last step, which is on the disk; a unit that takes a step does so by itself.
    func moveMark() throws
}

/// The place where a ledger is kept.
public protocol Store: AnyObject {
    /// The path of it, for messages.
    var path: String { get }
    /// True where there is a ledger.
    func exists() throws -> Bool
    /// The mark beside it.
    func mark() throws -> LedgerMark.Reading
    /// Makes a ledger where there is none.
    ///
    /// - Parameters:
    ///   - lineage: The name of it and its copies, and of no other.
    ///   - seal: The key of the digests in saved plans.
    /// - Throws: ``LedgerError/exists(path:)``, and others.
    func make(lineage: Text, seal: Text) throws
    /// The ledger as it is now, whatever others write from now on.
    func snapshot() throws -> any Snapshot
    /// The ledger for those who change authority or quota, beside any run.
    func session() throws -> any Session
    /// The ledger for the run that holds the lock.
    func lease() throws -> any Lease
    /// An empty ledger without a mark that goes with `directory`: what an ``Overlay`` over this one writes to.
    func top(in directory: String) throws -> any Session

    // MARK: As a whole

    /// Copies the ledger to a place beside it that is named by the time.
    ///
    /// - Returns: The path of the copy.
    func backUp(at now: Moment) throws -> String
    /// Writes a copy to a new file, which has its name only once it is whole.
    func export(to destination: String) throws
    /// Puts an exported ledger in place of this one, at once or not at all.
    ///
    /// - Parameters:
    ///   - path: The exported file.
    ///   - now: The time.
    /// - Returns: The path of a backup from before; `nil` where there was nothing.
    /// - Throws: ``LedgerError`` where the file is no whole ledger.
    func replace(with path: String, at now: Moment) throws -> String?
}

extension Snapshot {
    /// The subscriber that an anonymous id stands for; any other id, and one that was not identified, stands for itself.
    public func resolve(_ subscriber: Text, app: Text) throws -> Text {
        guard subscriber.isAnonymous else { return subscriber }
        return try alias(subscriber, app: app)?.person ?? subscriber
    }
}
