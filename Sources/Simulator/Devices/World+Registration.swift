internal import JSON
internal import Time

/// Registrations of apps, and acts of people on apps and phones.
extension World {
    /// Adds a phone and reports its registrations.
    func add(_ setup: PhoneSetup, at now: Moment) -> Phone {
        let subscriber = setup.subscriber ?? "anon_\(setup.device)"
        let apps = setup.apps.map { InstalledApp($0, subscriber: subscriber) }
        let phone = Phone(id: setup.device, os: setup.os, apps: apps)
        insert(phone)
        for app in apps { register(app, on: phone, at: now) }
        return phone
    }

    /// Reports all that the app can be reached by, making the tokens that are missing.
    func register(_ app: InstalledApp, on phone: Phone, at now: Moment) {
        registerWidgets(app, on: phone, at: now)
        registerStarts(app, on: phone, at: now)
    }

    /// Reports the widgets' token and looks at the published state, as a widget does when it is placed.
    func registerWidgets(_ app: InstalledApp, on phone: Phone, at now: Moment) {
        guard phone.os >= .widgetPush, !app.widgets.isEmpty else { return }
        let token = app.widgetToken ?? tokens.give(to: app, on: phone, for: .widgets, from: &random)
        app.widgetToken = token
        let names = app.widgets.keys.sorted().map { Value.string(Text($0)) }
        reports.send(
            .widgetsRegistered,
            from: phone,
            in: app,
            at: now,
            app.address(of: token, on: phone) + [Object.Member(key: "widgets", value: .array(names))]
        )
        reload(app, on: phone)
    }

    /// Reports a push-to-start token for each attributes type.
    func registerStarts(_ app: InstalledApp, on phone: Phone, at now: Moment) {
        guard phone.os >= .pushToStart else { return }
        for type in app.attributesTypes {
            let token =
                app.startTokens[type]
                ?? tokens.give(to: app, on: phone, for: .start(attributesType: type), from: &random)
            app.startTokens[type] = token
            let details = app.address(of: token, on: phone) + app.startRegistration(of: type)
            reports.send(.startRegistered, from: phone, in: app, at: now, details)
        }
    }

    /// Reports a running activity with its update token.
    func registerActivity(_ tile: Tile, _ app: InstalledApp, on phone: Phone, at now: Moment) {
        guard let token = tile.token else { return }
        let details = app.address(of: token, on: phone) + tile.registration
        reports.send(.activityRegistered, from: phone, in: app, at: now, details)
    }

    /// Lets every widget of the app fetch the published state.
    func reload(_ app: InstalledApp, on phone: Phone) {
        guard let subscriber = app.subscriber, !app.widgets.isEmpty else { return }
        let states = published.widgets(app: app.bundle, subscriber: subscriber)
        for name in app.widgets.keys {
            let state = states[Text(name)]
            app.widgets[name] = InstalledApp.Widget(
                state: state?["state"] ?? .null,
                revision: state?["revision"]?.integer
            )
        }
        touch(phone)
    }
}
