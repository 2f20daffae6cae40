internal import JSON
public import Time

/// An anonymous id that turned out to be a person, with what the ledger holds of both.
public struct Identification: Hashable, Sendable {
    /// The id and the person.
    public var alias: Alias
    /// Everything recorded of the anonymous id in the app.
    public var anonymous: Recorded
    /// Its devices.
    public var devices: [DeviceRow]
    /// The committed declarations of the person in the app.
    public var person: Recorded
    /// The scopes that were paused or revoked.
    public var scopes: Scopes

    /// An anonymous id and a person.
    public init(alias: Alias, anonymous: Recorded, devices: [DeviceRow], person: Recorded, scopes: Scopes) {
        self.alias = alias
        self.anonymous = anonymous
        self.devices = devices
        self.person = person
        self.scopes = scopes
    }

    /// Has everything recorded of the anonymous id be the person's; where both have a name, the person's stays.
    ///
    /// - Parameter now: The time.
    /// - Returns: The changes to be written.
    public func changes(at now: Moment) -> LedgerChanges {
        var changes = LedgerChanges()
        changes.aliases = [alias]
        let (widgets, activities) = (person.widgets, person.activities)
        changes.widgets = anonymous.widgets.map { widget in
            moved(widget, unless: widgets.contains { $0.declaration.name == widget.declaration.name })
        }
        changes.activities = anonymous.activities.map { activity in
            moved(activity, unless: activities.contains { $0.declaration.name == activity.declaration.name })
        }
        changes.instances = anonymous.instances.map { moved($0) }
        for device in anonymous.devices {
            changes.registrations += (device.widgets.map { [$0] } ?? []).map { moved($0, on: device) }
            changes.startTargets += device.startTargets.map { moved($0, on: device) }
        }
        changes.devices = devices.map { row in
            var moved = row
            moved.owner = alias.person
            return RowChange(before: row, after: moved)
        }
        changes.deliveries = anonymous.openDeliveries.map { RowChange(before: $0, after: $0.identified(alias)) }
        changes.scopes = scopes.renamed(replaces: false) { $0.identified(alias) }
        if !anonymous.widgets.isEmpty { changes.unpublished = [anonymous.owner, person.owner] }
        let text = "\(alias.anonymous) is \(alias.person): everything of it moved"
        changes.history = [
            .event(
                Event(
                    at: now,
                    run: nil,
                    kind: "identified",
                    owner: person.owner,
                    subject: alias.anonymous,
                    text: Text(text)
                )
            )
        ]
        return changes
    }

    private func moved<Row>(_ row: Row, unless isTaken: Bool = false) -> RowChange<Owned<Row>> {
        RowChange(before: Owned(anonymous.owner, row), after: isTaken ? nil : Owned(person.owner, row))
    }

    private func moved<Row>(_ row: Row, on device: Device) -> RowChange<OnDevice<Row>> {
        let place = OnDevice(app: alias.app, device: device.id, subscriber: alias.anonymous, row: row)
        return RowChange(before: place, after: place.identified(alias))
    }
}

extension ScopeSubject {
    /// The subject once an anonymous id is a person; `nil` where it is not of it.
    fileprivate func identified(_ alias: Alias) -> ScopeSubject? {
        let anonymous = Owner(subscriber: alias.anonymous, app: alias.app)
        let person = Owner(subscriber: alias.person, app: alias.app)
        return switch self {
        case .subscriber(alias.anonymous): .subscriber(alias.person)
        case .widget(anonymous, let name): .widget(person, name: name)
        case .activity(anonymous, let name, let device): .activity(person, name: name, device: device)
        default: nil
        }
    }
}
