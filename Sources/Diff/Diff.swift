public import JSON
public import Time

/// The facts of the diff beside desired and recorded state.
public struct DiffContext: Hashable, Sendable {
    /// The time of the run.
    public var now: Moment
    /// The environments that the configuration has an APNs key for, by app.
    public var environments: [Text: Set<PushEnvironment>]
    /// The scopes that were paused or revoked.
    public var scopes: Scopes
    /// The ledger was restored from a backup, and nobody said to go on: no activity is started, because it may be on the
    /// device already, and no update rings, because it may have rung.
    public var isRestored: Bool

    /// The facts of one run.
    public init(
        now: Moment,
        environments: [Text: Set<PushEnvironment>],
        scopes: Scopes = Scopes(),
        isRestored: Bool = false
    ) {
        self.now = now
        self.environments = environments
        self.scopes = scopes
        self.isRestored = isRestored
    }

    func hasKey(_ app: Text, _ environment: PushEnvironment) -> Bool {
        environments[app]?.contains(environment) ?? false
    }
}

extension OwnerPlan {
    /// Decides what closes the difference between what the files declare for one owner and what the ledger holds.
    ///
    /// From these values and nothing else: the same input gives the same plan.
    ///
    /// - Parameters:
    ///   - desired: The declarations of the owner; `nil` where the files have none.
    ///   - recorded: The ledger's records of the same owner.
    ///   - context: The time and the configured keys.
    public init(desired: Desired?, recorded: Recorded, context: DiffContext) {
        self.init(owner: recorded.owner)
        var widgets = WidgetDiff(owner: recorded.owner, context: context)
        widgets.compare(desired?.widgets ?? [], recorded)
        changes = widgets.changes
        actions = widgets.actions

        adjustments = widgets.adjustments

        let declared = desired?.activities ?? []
        let unattributed = recorded.unattributed(at: context.now)
        let pendingTargets = recorded.pendingStartTargets(at: context.now)
        var instances = recorded.instances[...]
        for (declaration, record) in merged(declared, recorded.activities) {
            guard let name = declaration?.name ?? record?.declaration.name else { continue }
            let before = instances.prefix { $0.name < name }
            strays(Array(before), of: recorded, in: context)
            instances = instances.dropFirst(before.count)
            let own = instances.prefix { $0.name == name }
            instances = instances.dropFirst(own.count)
            var activity = ActivityDiff(
                context: context,
                desired: declaration,
                recorded: record,
                instances: Array(own),
                devices: recorded.devices,
                unattributed: unattributed,
                pendingTargets: pendingTargets,
                result: OwnerPlan(owner: recorded.owner)
            )
            activity.compare()
            append(activity.result)
        }
        strays(Array(instances), of: recorded, in: context)
    }

    /// Instances without any declaration, now or ever: they end only when their device left the owner.
    private mutating func strays(_ instances: [Instance], of recorded: Recorded, in context: DiffContext) {
        guard !instances.isEmpty else { return }
        var activity = ActivityDiff(
            context: context,
            desired: nil,
            recorded: nil,
            instances: instances,
            devices: recorded.devices,
            result: OwnerPlan(owner: recorded.owner)
        )
        activity.compare()
        append(activity.result)
    }

    private mutating func append(_ other: OwnerPlan) {
        changes += other.changes
        actions += other.actions
        adjustments += other.adjustments
        removals += other.removals
    }

    /// Pairs declarations and records of the same name, in order.
    private func merged(
        _ declared: [ActivityDeclaration],
        _ recorded: [RecordedActivity]
    ) -> [(ActivityDeclaration?, RecordedActivity?)] {
        var pairs: [(ActivityDeclaration?, RecordedActivity?)] = []
        var left = declared[...]
        var right = recorded[...]
        while let declaration = left.first, let record = right.first {
            if declaration.name == record.declaration.name {
                pairs.append((left.removeFirst(), right.removeFirst()))
            } else if declaration.name < record.declaration.name {
                pairs.append((left.removeFirst(), nil))
            } else {
                pairs.append((nil, right.removeFirst()))
            }
        }
        return pairs + left.map { ($0, nil) } + right.map { (nil, $0) }
    }
}

extension Recorded {
    /// Running activities that block launches on their device and of their type, because it is not known to what launch
    /// they belong.
    fileprivate func unattributed(at now: Moment) -> [Instance] {
        instances.filter {
            ($0.origin == .unknownLaunch || $0.origin == .ambiguous) && $0.phase == .running && !$0.isExpired(at: now)
        }
    }

    /// Start targets on which the last three launches since their registration were not confirmed in time: they are not
    /// used until they register again.
    ///
    /// - Parameter now: The time.
    /// - Returns: Their ids.
    public func pendingStartTargets(at now: Moment) -> Set<StartTargetID> {
        let launches = instances.filter { $0.origin == .remote && $0.startedAt > .never }
        guard launches.contains(where: { $0.neverReported || $0.isOverdue(at: now) }) else { return [] }
        var pending: Set<StartTargetID> = []
        for device in devices {
            for target in device.startTargets {
                let own = launches.filter {
                    $0.device == device.id && $0.attributesType == target.attributesType && $0.startedAt > target.at
                }
                let newestFirst = own.sorted { $0.sequence > $1.sequence }
                let missed = newestFirst.prefix { $0.neverReported || $0.isOverdue(at: now) }
                if missed.count >= Instance.missedLaunches { pending.insert(target.id) }
            }
        }
        return pending
    }
}
