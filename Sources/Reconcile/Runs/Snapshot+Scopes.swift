internal import Diff
internal import JSON
internal import Ledger

/// Authority: the subjects that people name, and what is under way under them.
extension Snapshot {
    /// The subject of authority that an id names: a widget or an instance (`tgt_…`), a start target (`stt_…`), a
    /// device's widgets (`wgt_…`), or a subscriber, aliases resolved; `nil` where the ledger knows no such thing.
    func scopeSubject(_ id: Text, apps: [Text]) throws -> ScopeSubject? {
        switch id.string.prefix(while: { $0 != "_" }) {
        case "tgt":
            if let widget = try widgets(.id(TargetID(id))).first {
                return .widget(widget.owner, name: widget.row.declaration.name)
            }
            if let instance = try instances(.id(TargetID(id))).first {
                // There is no declaration whose authority could be taken away.
                let (name, device) = (instance.row.name, instance.row.device)
                guard !name.string.isEmpty else { throw ScopeError.unnamed(id, device: device) }
                return .activity(instance.owner, name: name, device: device)
            }
        case "stt": if try !startTargets(.id(StartTargetID(id))).isEmpty { return .startTarget(StartTargetID(id)) }
        case "wgt": if try !registrations(.id(WidgetsID(id))).isEmpty { return .widgets(WidgetsID(id)) }
        default: break
        }
        for app in apps {
            let owner = Owner(subscriber: try resolve(id, app: app), app: app)
            if try recorded([owner]) != [Recorded(owner: owner)] { return .subscriber(owner.subscriber) }
        }
        return nil
    }

    /// Things under way under a subject, of each owner: instances, and the deliveries that are not settled.
    func underWay(_ subject: ScopeSubject) throws -> [Recorded] {
        let found: (instances: [Owned<Instance>], deliveries: [Delivery]) =
            switch subject {
            case .widget: ([], [])
            case .subscriber(let subscriber):
                (try instances(.subscriber(subscriber)), try deliveries(.openOfSubscriber(subscriber)))
            case .activity(let owner, let name, let device):
                try instances(.declaration(owner, name: name, device: device)).reduce(into: ([], [])) {
                    $0.0.append($1)
                    $0.1 += try deliveries(.openOfTarget($1.row.id))
                }
            case .startTarget(let id):
                try startTargets(.id(id)).reduce(into: ([], try deliveries(.openOverAny(id.text)))) {
                    $0.0 += try instances(.startedOver(id, app: $1.app, device: $1.device))
                }
            case .widgets(let id): ([], try deliveries(.openOverAny(id.text)))
            }
        var records: [Owner: Recorded] = [:]
        for owned in found.instances {
            records[owned.owner, default: Recorded(owner: owned.owner)].instances.append(owned.row)
        }
        for delivery in found.deliveries {
            records[delivery.owner, default: Recorded(owner: delivery.owner)].attach(delivery)
        }
        return records.values.sorted { $0.owner < $1.owner }
    }
}
