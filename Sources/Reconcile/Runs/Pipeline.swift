internal import APNs
internal import Diff
public import Foreign
internal import JSON
public import Ledger
public import Source
internal import Time

/// One project as its runs know it: configuration, ledger, spool, and the effects that come from outside.
///
/// A run is a type of its own, one for each verb; this is what they share. It is used by one thread, for one command.
public final class Pipeline {
    /// The project's configuration.
    public let configuration: Configuration
    /// The ledger.
    let store: any Store
    let environment: RunEnvironment
    /// The clock, the chance and the disk that it works by.
    public var system: SystemEnvironment { environment.system }

    /// The pipeline of a project.
    ///
    /// - Parameters:
    ///   - configuration: The project's configuration.
    ///   - environment: The effects that come from outside.
    ///   - store: The ledger; `nil`: the one that the configuration names.
    public init(_ configuration: Configuration, _ environment: RunEnvironment, store: (any Store)? = nil) {
        self.configuration = configuration
        self.environment = environment
        self.store = store ?? SQLiteStore(path: Self.ledgerPath(of: configuration))
    }

    /// The path of the ledger; of a symbolic link what it leads to, so that lock and mark lie beside the file itself.
    private static func ledgerPath(of configuration: Configuration) -> String {
        let path = configuration.path(configuration.ledger)
        guard case .link? = try? Files.facts(path)?.kind, let target = try? Files.resolve(path) else { return path }
        return target
    }

    /// The path of the ledger.
    public var ledgerPath: String { store.path }
    /// The spool of device reports.
    public var spool: Spool { Spool(directory: configuration.path(configuration.reports), system: system) }
    /// The provider tokens of earlier runs, which the next ones use while they are good.
    var tokens: ProviderTokens { ProviderTokens(directory: ledgerPath + ".tokens", now: environment.now) }

    /// The intake of waiting reports.
    func ingest(at now: Moment) -> Ingest {
        Ingest(spool: spool, apps: Set(configuration.apps.map(\.bundleID)), now: now, system)
    }

    /// The writer of the published files; `nil` where nothing is published.
    ///
    /// - Returns: It, for the configured directory.
    /// - Throws: ``RunError/secret(_:)`` where there is no key.
    func publisher() throws(RunError) -> Publisher? {
        guard let publish = configuration.publish else { return nil }
        do throws(SecretError) {
            let key = try configuration.resolve(publish.key, environment: environment.variable)
            return Publisher(directory: configuration.path(publish.directory), key: key.bytes, disk: system.disk)
        } catch { throw .secret("\(configuration.file): the publish key: \(error)") }
    }

    // MARK: - Planning

    /// The facts of the diff beside desired and recorded state.
    func context(at now: Moment, scopes: Scopes, isRestored: Bool) -> DiffContext {
        let keys = configuration.apps.map { ($0.bundleID, Set($0.keys.keys)) }
        let environments = Dictionary(keys) { first, _ in first }
        return DiffContext(now: now, environments: environments, scopes: scopes, isRestored: isRestored)
    }

    /// The planner of what was read; everything finds room in the quota.
    func planner(
        _ reading: DesiredReading,
        over ledger: (any Snapshot)?,
        options: RunOptions,
        isRestored: Bool,
        at now: Moment
    ) throws -> Planner {
        Planner(
            desired: reading.store,
            recorded: ledger,
            running: TemplateBook(try ledger?.templates() ?? []),
            selection: options.selection,
            context: context(at: now, scopes: try ledger?.scopes() ?? Scopes(), isRestored: isRestored),
            overrides: options.overrides,
            ignored: configuration.ignored,
            owners: reading.owners
        )
    }

    /// The limits that a plan exceeds, and the step back in the history that nobody allowed.
    func violations(
        of summary: Summary,
        _ files: ProjectFiles,
        ledger: (any Snapshot)?,
        options: RunOptions,
        at now: Moment
    ) throws -> [SafetyViolation] {
        let exceeded = configuration.safety.violations(
            of: summary,
            open: try ledger?.openInstances(at: now) ?? 0,
            isSelection: !options.selection.isEverything,
            overrides: options.overrides
        )
        return exceeded + (try rollback(to: files, ledger, options))
    }

    /// The step back in the history that nobody allowed, if the run would take one.
    func rollback(to files: ProjectFiles, _ ledger: (any Snapshot)?, _ options: RunOptions) throws -> [SafetyViolation]
    {
        guard !options.overrides.rollback, let ledger else { return [] }
        return try files.rollback(from: try ledger.facts().appliedCommit?.string).map { [.rollback($0)] } ?? []
    }
}

/// The masks of a run: it shows marks for what is sensitive, unless it is told to show it.
extension Pipeline {
    /// The places that are sensitive, by the configuration and by every template that is at hand: the files', and those that
    /// the ledger has of what was applied.
    func sensitive(_ templates: Templates, _ ledger: (any Snapshot)?) throws -> PointerRules {
        let applied = TemplateBook.sensitive(try ledger?.templates() ?? [])
        return PointerRules(configuration.sensitive(with: templates).rules + applied)
    }

    /// The masks that hide them; none where the run is to show them.
    func masks(_ templates: Templates, _ ledger: (any Snapshot)?) throws -> Masks {
        environment.showsSensitive ? Masks() : Masks(try sensitive(templates, ledger))
    }

    /// The masks for a command that reads no state files.
    func masks(_ ledger: any Snapshot) throws -> Masks {
        // Their faults are for those who plan by them to say.
        try masks(ProjectFiles(of: configuration).templates { _ in }, ledger)
    }
}

/// The quota of a run.
extension Pipeline {
    /// True where the start of a run would make reservations anew.
    func hasUnbooked(_ ledger: any Snapshot, at now: Moment) throws -> Bool {
        guard configuration.quota != nil else { return false }
        return try ledger.hasUnbooked(on: UTCDay(at: now))
    }

    /// Makes reservations of earlier days anew.
    func renewReservations(in ledger: any Session, at now: Moment) throws {
        guard let quota = configuration.quota else { return }
        _ = try ledger.renewReservations(quota, at: now)
    }

    /// The capacity that a run reserves; `nil` without a quota.
    func quotaBook(in ledger: any Snapshot, at now: Moment) throws -> QuotaBook? {
        let day = UTCDay(at: now)
        return try configuration.quota.map { QuotaBook(day: day, sums: try ledger.quotaDay(day, $0)) }
    }

    /// The planner that has wait what finds no room in the day's quota.
    func allocated(_ planner: Planner) throws -> Planner {
        guard let quota = configuration.quota else { return planner }
        let day = UTCDay(at: planner.context.now)
        let left = try planner.recorded?.quotaDay(day, quota).left ?? quota.dailyPushes
        return try planner.allocated(left: left, until: day.end)
    }
}
