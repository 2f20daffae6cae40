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
        let token = app.widgetToken ?? newToken(phone, app, for: .widgets)
        app.widgetToken = token
        let names = app.widgets.keys.sorted().map { Value.string(Text($0)) }
        report(
            .widgetsRegistered,
            from: phone,
            in: app,
            at: now,
            address(of: token, app, phone) + [Object.Member(key: "widgets", value: .array(names))]
        )
        reload(app, on: phone)
    }

    /// Reports a push-to-start token for each attributes type.
    func registerStarts(_ app: InstalledApp, on phone: Phone, at now: Moment) {
        guard phone.os >= .pushToStart else { return }
        for type in app.attributesTypes {
            let token = app.startTokens[type] ?? newToken(phone, app, for: .start(attributesType: type))
            app.startTokens[type] = token
            var details = address(of: token, app, phone)
            details.append(Object.Member(key: "attributesType", value: .string(Text(type))))
            if let frequent = app.frequentPushes {
                details.append(Object.Member(key: "frequentPushes", value: .bool(frequent)))
            }
            if !app.templates.isEmpty {
                let templates = app.templates.map { Value.string(Text($0)) }
                details.append(Object.Member(key: "templates", value: .array(templates)))
            }
            report(.startRegistered, from: phone, in: app, at: now, details)
        }
    }

    /// Reports a running activity with its update token.
    func registerActivity(_ tile: Tile, _ app: InstalledApp, on phone: Phone, at now: Moment) {
        guard let token = tile.token else { return }
        var details = address(of: token, app, phone)
        details.append(Object.Member(key: "activityId", value: .string(Text(tile.activityID))))
        details.append(Object.Member(key: "attributesType", value: .string(Text(tile.attributesType))))
        if let launch = tile.launchRequestID {
            details.append(Object.Member(key: "launchRequestId", value: .string(Text(launch))))
        } else if let name = tile.name {
            details.append(Object.Member(key: "name", value: .string(Text(name))))
        }
        report(.activityRegistered, from: phone, in: app, at: now, details)
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

    private func address(of token: PushToken, _ app: InstalledApp, _ phone: Phone) -> [Object.Member] {
        [
            Object.Member(key: "token", value: .string(Text(token.hex))),
            Object.Member(key: "environment", value: .string(Text(app.environment.rawValue))),
            Object.Member(key: "os", value: .string(Text(phone.os.description))),
        ]
    }
}
