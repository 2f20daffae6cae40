internal import Diff
internal import JSON
internal import Ledger
internal import Source

/// The records that a push is decided on.
extension Snapshot {
    /// The record that a delivery goes to: its instance or its widget registration.
    func record(of delivery: Delivery) throws -> Recorded {
        var record = Recorded(owner: delivery.owner)
        if let target = delivery.target {
            record.instances = try instances(.id(target)).map(\.row)
        } else if let registration = delivery.registration {
            record.devices = try registrations(.id(WidgetsID(registration))).map {
                Device(id: delivery.device, widgets: $0.row)
            }
        }
        return record
    }

    /// The records that the outcome of an attempt changes.
    func record(of attempt: Attempt) throws -> Recorded {
        let delivery = attempt.push.delivery
        var record = try record(of: delivery)
        guard case .invalidEndpoint = attempt.settlement, let target = delivery.target else { return record }
        if delivery.kind == .start {
            try addStartTargets(of: delivery, to: &record)
        } else {
            for other in try deliveries(.openOfTarget(target)) where other.id != delivery.id { record.attach(other) }
        }
        return record
    }

    /// The records that decide about a delivery.
    func record(dispatching delivery: Delivery, _ scopes: Scopes, _ templates: TemplateBook) throws -> Recorded {
        var record = try record(of: delivery)
        guard let instance = record.instances.first else {
            // Only where something was paused or revoked does it matter what the reload is for.
            if !scopes.isEmpty { record.widgets = try widgets(.owner(record.owner)).map(\.row) }
            return record
        }
        record.activities = try activities(.named(delivery.owner, instance.name))
        if let activity = record.activities.first {
            record.instances[0].isMismatched = try templates.isMismatched(instance, with: activity.declaration)
        }
        switch delivery.kind {
        case .start:
            try addStartTargets(of: delivery, to: &record)
            let place = InstanceQuery.declaration(record.owner, name: instance.name, device: instance.device)
            record.instances += try instances(place).map(\.row).filter {
                $0.life == instance.life && $0.id != instance.id
            }
        case .update:
            let asks = record.activities.first?.declaration.asksForFrequentPushes
            if asks == true { try addStartTargets(of: delivery, to: &record) }
        case .end, .reload: break
        }
        return record
    }

    /// Adds the start targets of the instance's type on the device of a delivery.
    private func addStartTargets(of delivery: Delivery, to record: inout Recorded) throws {
        guard let type = record.instances.first?.attributesType else { return }
        let targets = try startTargets(.device(app: delivery.owner.app, id: delivery.device)).map(\.row)
        record.devices.append(
            Device(id: delivery.device, startTargets: targets.filter { $0.attributesType == type })
        )
    }

    /// True of a reload that a person asked for.
    func isRequested(_ delivery: Delivery) throws -> Bool {
        guard delivery.kind == .reload else { return false }
        return try run(.operation(delivery.operation))?.command == RunRecord.reloadCommand
    }
}

extension RunRecord {
    /// The command of a run that reloads what people named.
    static let reloadCommand: Text = "reload"
}
