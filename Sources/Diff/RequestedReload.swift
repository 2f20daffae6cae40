internal import JSON
internal import Time

/// A reload of one registration that a person asked for.
public struct RequestedReload: Hashable, Sendable {
    /// The registration that it goes to.
    private let registration: WidgetRegistration
    /// The scopes of the ledger.
    private let scopes: Scopes
    /// True where pushes to its app and environment can be signed.
    private let hasCredential: Bool

    /// A reload that a person asked for.
    public init(_ registration: WidgetRegistration, under scopes: Scopes, hasCredential: Bool) {
        self.registration = registration
        self.scopes = scopes
        self.hasCredential = hasCredential
    }

    /// Queues it, unless something is in the way.
    ///
    /// - Parameters:
    ///   - transition: The record of the owner.
    ///   - step: The step that this is part of.
    /// - Returns: The decision.
    public func queue(in transition: inout Transition, _ step: inout StepContext) -> ReloadEntry {
        let obstacle = ReloadObstacle(
            to: registration,
            of: transition.record.owner,
            under: scopes,
            hasCredential: hasCredential
        )
        if let obstacle { return ReloadEntry(id: registration.id, .refused(obstacle)) }
        guard let delivery = push(in: &transition, &step) else {
            return ReloadEntry(id: registration.id, .refused(.overQuota(at: step.now)))
        }
        return ReloadEntry(id: registration.id, .queued(delivery.id))
    }

    /// The push, as part of the one operation of the call; one that waits already is sent at once in its place.
    ///
    /// - Returns: The push; `nil` where the day's quota has no room for it.
    private func push(in transition: inout Transition, _ step: inout StepContext) -> Delivery? {
        let devices = transition.record.devices
        guard let device = devices.first(where: { $0.widgets?.id == registration.id }) else { return nil }
        if let waiting = registration.pending {
            var hurried = waiting
            hurried.notBefore = .never
            return transition.set(waiting, to: hurried)
        }
        guard case .booked(let day) = step.quota?.reserve() ?? .booked(nil) else { return nil }
        let delivery = Delivery(
            id: step.nextDelivery(),
            operation: transition.operations.first?.id ?? transition.open(.reload, in: &step).id,
            kind: .reload,
            owner: transition.record.owner,
            device: device.id,
            registration: registration.id.text,
            environment: registration.environment,
            rank: Action.reloadRank,
            step: step.step,
            revision: step.step.number,
            quotaDay: day,
            createdAt: step.now
        )
        transition.queue(delivery)
        return delivery
    }
}
