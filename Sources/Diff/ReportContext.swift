public import JSON
public import Time

/// Records from elsewhere that decide about a report.
public struct ReportContext: Hashable, Sendable {
    /// The reported subscriber with aliases resolved.
    public var subscriber: Text
    /// Of `subscriber.identified`: whom the anonymous id stood for until now; itself where it stands for nobody.
    public var anonymousIs: Text?
    /// The time at which the reported token was found dead; `nil` where it was not.
    public var tokenDeadAt: Moment?
    /// The holders of the reported token.
    public var holders: TokenHolders
    /// The declaration that the report names, where one was committed.
    public var declared: DeclaredLife?
    /// The scopes that were paused or revoked.
    public var scopes: Scopes
    /// The ids for what the report may create.
    public var fresh: FreshIDs
    /// The time.
    public var now: Moment

    /// Records from elsewhere; what is left out is not recorded.
    public init(
        subscriber: Text,
        anonymousIs: Text? = nil,
        tokenDeadAt: Moment? = nil,
        holders: TokenHolders = TokenHolders(),
        declared: DeclaredLife? = nil,
        scopes: Scopes = Scopes(),
        fresh: FreshIDs,
        now: Moment
    ) {
        self.subscriber = subscriber
        self.anonymousIs = anonymousIs
        self.tokenDeadAt = tokenDeadAt
        self.holders = holders
        self.declared = declared
        self.scopes = scopes
        self.fresh = fresh
        self.now = now
    }

    /// The life that an activity belongs to which the app started: the running one, or the next one where it was removed.
    var life: Int64 { declared.map { $0.isRemoved ? $0.life + 1 : $0.life } ?? 1 }
}

/// The life of a declaration that was committed last.
public struct DeclaredLife: Hashable, Sendable {
    /// Its number.
    public var life: Int64
    /// True once the files no longer declare it.
    public var isRemoved: Bool

    /// A life of a declaration.
    public init(life: Int64, isRemoved: Bool) {
        self.life = life
        self.isRemoved = isRemoved
    }
}

/// The holders of one token: at most one place at a time, before a report that takes it elsewhere.
public struct TokenHolders: Hashable, Sendable {
    /// Widget registrations.
    public var registrations: [OnDevice<WidgetRegistration>]
    /// Start targets.
    public var startTargets: [OnDevice<StartTarget>]

    /// The holders of a token; nobody where nothing is said.
    public init(registrations: [OnDevice<WidgetRegistration>] = [], startTargets: [OnDevice<StartTarget>] = []) {
        self.registrations = registrations
        self.startTargets = startTargets
    }

    /// The highest `at` with which it was reported; `nil` where nobody has it.
    var latest: Moment? { (registrations.map(\.row.at) + startTargets.map(\.row.at)).max() }

    /// The holders beside what a report registers.
    func elsewhere(than report: Report) -> TokenHolders {
        var type: Text?
        if case .startRegistered(let attributesType, _, _, _, _, _) = report.event { type = attributesType }
        return TokenHolders(
            registrations: registrations.filter {
                type != nil || $0.app != report.app || $0.device != report.device
            },
            startTargets: startTargets.filter {
                $0.row.attributesType != type || $0.app != report.app || $0.device != report.device
            }
        )
    }

    /// Has what is an anonymous id's be the person's.
    mutating func identify(_ alias: Alias) {
        registrations = registrations.map { $0.identified(alias) }
        startTargets = startTargets.map { $0.identified(alias) }
    }
}

extension OnDevice {
    /// The row once an anonymous id is a person.
    func identified(_ alias: Alias) -> OnDevice {
        guard app == alias.app, subscriber == alias.anonymous else { return self }
        var row = self
        row.subscriber = alias.person
        return row
    }
}

/// Ids minted beforehand for what one report may create.
public struct FreshIDs: Hashable, Sendable {
    /// For a widget registration.
    public var widgets: WidgetsID
    /// For a start target.
    public var startTarget: StartTargetID
    /// For an instance.
    public var target: TargetID

    /// One id of each kind.
    public init(widgets: WidgetsID, startTarget: StartTargetID, target: TargetID) {
        self.widgets = widgets
        self.startTarget = startTarget
        self.target = target
    }

    /// One id of each kind from a supply.
    public init(from ids: inout IdentifierSupply) {
        self.init(widgets: ids.next(), startTarget: ids.next(), target: ids.next())
    }
}
