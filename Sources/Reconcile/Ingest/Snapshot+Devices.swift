internal import Diff
internal import JSON
internal import Ledger
internal import Time

/// The records that a report is decided on.
extension Snapshot {
    /// Everything recorded that a report can touch on its device.
    func deviceRecord(for report: Report) throws -> DeviceRecord {
        var record = DeviceRecord()
        if let row = try devices(.device(app: report.app, id: report.device)).first {
            (record.owner, record.ownerSince, record.lastReport) = (row.owner, row.ownerSince, row.lastReport)
        }
        record.widgets = try registrations(.device(app: report.app, id: report.device)).first?.row
        if let registration = record.widgets, let subscriber = record.owner {
            let owner = Owner(subscriber: subscriber, app: report.app)
            record.widgets?.pending = try deliveries(.openOver(registration.id.text, owner)).first
        }
        record.startTargets = try startTargets(.device(app: report.app, id: report.device)).map(\.row)
        record.instances = try instances(for: report)
        record.closedEarly = try closedEarly(app: report.app, device: report.device)
        return record
    }

    /// The open instances on the report's device, and those it names wherever they are.
    private func instances(for report: Report) throws -> [DeviceInstance] {
        var queries = [InstanceQuery.open(app: report.app, device: report.device)]
        func name(_ activity: Text?, _ launch: LaunchID?) {
            if let activity { queries.append(.activity(app: report.app, id: activity)) }
            if let launch { queries.append(.launch(launch)) }
        }
        switch report.event {
        case .activityRegistered(let activity, _, _, _, _, let launch, _): name(activity, launch)
        case .activityClosed(let activity, let launch, _): name(activity, launch)
        default: break
        }
        var found: [DeviceInstance] = []
        for owned in try queries.flatMap({ try instances($0) }) {
            guard !found.contains(where: { $0.instance.id == owned.row.id }) else { continue }
            var instance = owned.row
            instance.pending = try deliveries(.reportable(instance.id))
            found.append(DeviceInstance(subscriber: owned.owner.subscriber, instance: instance))
        }
        return found
    }

    /// Records from elsewhere that decide about a report.
    func context(for report: Report, _ ids: inout IdentifierSupply, at now: Moment) throws -> ReportContext {
        let subscriber = try resolve(report.subscriber, app: report.app)
        var context = ReportContext(
            subscriber: subscriber,
            scopes: try scopes(),
            fresh: FreshIDs(from: &ids),
            now: now
        )
        switch report.event {
        case .identified(let anonymous):
            context.anonymousIs = try resolve(anonymous, app: report.app)
        case .widgetsRegistered(let token, _, _, _), .startRegistered(_, let token, _, _, _, _):
            context.tokenDeadAt = try deadToken(token)?.at
            context.holders = TokenHolders(
                registrations: try registrations(.token(token)),
                startTargets: try startTargets(.token(token))
            )
        case .activityRegistered(_, _, let token, _, _, _, let name):
            context.tokenDeadAt = try deadToken(token)?.at
            if let name {
                let owner = Owner(subscriber: subscriber, app: report.app)
                context.declared = try activities(.named(owner, name)).first.map {
                    DeclaredLife(life: $0.life, isRemoved: $0.isRemoved)
                }
            }
        default:
            break
        }
        return context
    }

    /// The records of an anonymous id and of the person that it turned out to be.
    func identification(_ alias: Alias) throws -> Identification {
        let anonymous = Owner(subscriber: alias.anonymous, app: alias.app)
        let person = Owner(subscriber: alias.person, app: alias.app)
        let records = try [anonymous, person].map { try recorded([$0]).first ?? Recorded(owner: $0) }
        return Identification(
            alias: alias,
            anonymous: records[0],
            devices: try devices(.owner(anonymous)),
            person: records[1],
            scopes: try scopes()
        )
    }
}
