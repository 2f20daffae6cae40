internal import JSON
internal import Time

/// The widgets of a device as a report registers them.
struct ReportedWidgets {
    let token: Text
    let environment: PushEnvironment
    let kinds: [Text]
    let os: OSVersion?

    /// Registers them, where the report is new and the token is of use.
    func register(in device: inout DeviceTransition) throws(IllegalMove) {
        guard Self.isNew(to: device) else { return }
        guard !kinds.isEmpty else { return try Self.unregister(in: &device) }
        guard device.isTokenLive else { return }
        var registration = Self.registration(of: device)
        guard !device.isRevoked(.widgets(registration.id)) else { return device.lines.noteIgnored() }
        registration.token = token
        registration.environment = environment
        registration.kinds = kinds.sorted()
        registration.os = os
        registration.at = device.report.at
        device.record.widgets = registration
        device.takeToken()
    }

    /// Unregisters what was registered.
    ///
    /// It is noted even where nothing was registered: a report that comes late does not undo it.
    static func unregister(in device: inout DeviceTransition) throws(IllegalMove) {
        guard isNew(to: device) else { return }
        var registration = registration(of: device)
        registration.token = nil
        registration.at = device.report.at
        device.record.widgets = registration
        if let reload = registration.pending { try device.settle(reload) }
    }

    private static func isNew(to device: DeviceTransition) -> Bool {
        device.isOwners && device.report.at >= device.record.widgets?.at ?? .distantPast
    }

    /// The registration as it is recorded, or a new one without a token.
    private static func registration(of device: DeviceTransition) -> WidgetRegistration {
        device.record.widgets
            ?? WidgetRegistration(
                id: device.context.fresh.widgets,
                token: nil,
                environment: .production,
                kinds: [],
                os: nil,
                at: device.report.at
            )
    }
}
