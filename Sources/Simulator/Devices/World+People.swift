internal import JSON
internal import Time

/// Acts of people, apps and iOS on a phone.
extension World {
    /// Someone signs in; the app reports its registrations under them.
    func signIn(_ subscriber: String, _ app: InstalledApp, on phone: Phone, at now: Moment) {
        app.subscriber = subscriber
        register(app, on: phone, at: now)
        touch(phone)
    }

    /// Whoever is signed in signs out.
    func signOut(_ app: InstalledApp, on phone: Phone, at now: Moment) {
        reports.send(.subscriberLoggedOut, from: phone, in: app, at: now)
        app.subscriber = nil
        touch(phone)
    }

    /// The anonymous user of the app turns out to be `subscriber`.
    func identify(as subscriber: String, _ app: InstalledApp, on phone: Phone, at now: Moment) {
        let anonymous = app.subscriber ?? "anon_\(phone.id)"
        app.subscriber = subscriber
        reports.send(
            .subscriberIdentified,
            from: phone,
            in: app,
            at: now,
            [Object.Member(key: "anonymous", value: .string(Text(anonymous)))]
        )
        reload(app, on: phone)
        touch(phone)
    }

    /// The person swipes a tile away.
    func dismiss(_ activityID: String, _ app: InstalledApp, on phone: Phone, at now: Moment) {
        guard let index = app.tiles.firstIndex(where: { $0.activityID == activityID }) else { return }
        if app.tiles[index].endedAt == nil { finish(index, of: app, on: phone, at: now, dismissal: now) }
        reports.send(.activityDismissed, from: phone, in: app, at: now, app.tiles[index].identity)
        app.tiles.remove(at: index)
        touch(phone)
    }

    /// The app ends an activity; the tile leaves at `dismissal`, else after 4 hours.
    func end(_ activityID: String, _ app: InstalledApp, on phone: Phone, dismissal: Moment?, at now: Moment) {
        guard let index = app.tiles.firstIndex(where: { $0.activityID == activityID && $0.endedAt == nil }) else {
            return
        }
        finish(index, of: app, on: phone, at: now, dismissal: dismissal)
        reports.send(.activityEnded, from: phone, in: app, at: now, app.tiles[index].identity)
        app.tiles.removeAll { ($0.leavesAt ?? .distantFuture) <= now }
        touch(phone)
        schedule(phone, at: now)
    }

    /// The app starts an activity itself.
    ///
    /// - Returns: Its activityId.
    func startByApp(_ activity: ActivityByApp, _ app: InstalledApp, on phone: Phone, at now: Moment) -> String {
        let id = random.uuid().uppercased()
        var tile = Tile(
            activityID: id,
            launchRequestID: nil,
            name: activity.name,
            attributesType: activity.attributesType,
            attributes: activity.attributes,
            state: activity.state,
            startedAt: now,
            timestamp: .distantPast
        )
        tile.token = tokens.give(to: app, on: phone, for: .activity(id: id), from: &random)
        app.tiles.append(tile)
        registerActivity(tile, app, on: phone, at: now)
        touch(phone)
        schedule(phone, at: now)
        return id
    }

    /// The app is deleted and installed again: its tiles are gone, its tokens dead, its registrations new.
    func reinstall(_ app: InstalledApp, on phone: Phone, at now: Moment) {
        for tile in app.tiles { tokens.kill(tile.token, of: phone, .unregistered, at: now) }
        app.tiles = []
        tokens.retireAll(of: app, on: phone, knownToApple: true, at: now)
        phone.stored[app.bundle] = nil
        touch(phone)
        register(app, on: phone, at: now)
    }

    /// iOS replaces the app's tokens, also those of running activities.
    ///
    /// Where that is `knownToApple` the old ones answer 410; else they are accepted and show nothing.
    func rotate(_ app: InstalledApp, on phone: Phone, knownToApple: Bool, at now: Moment) {
        tokens.retireAll(of: app, on: phone, knownToApple: knownToApple, at: now)
        register(app, on: phone, at: now)
        for index in app.tiles.indices {
            guard let old = app.tiles[index].token else { continue }
            tokens.retire(old, of: phone, knownToApple: knownToApple, at: now)
            app.tiles[index].token = tokens.give(
                to: app,
                on: phone,
                for: .activity(id: app.tiles[index].activityID),
                from: &random
            )
            registerActivity(app.tiles[index], app, on: phone, at: now)
        }
    }

    /// The person places and removes widgets.
    func setWidgets(
        adding added: [String],
        removing removed: [String],
        _ app: InstalledApp,
        on phone: Phone,
        at now: Moment
    ) {
        for name in removed { app.widgets[name] = nil }
        for name in added where app.widgets[name] == nil { app.widgets[name] = InstalledApp.Widget() }
        touch(phone)
        guard app.widgets.isEmpty, let token = app.widgetToken else {
            registerWidgets(app, on: phone, at: now)
            return
        }
        tokens.kill(token, of: phone, .unregistered, at: now)
        app.widgetToken = nil
        reports.send(.widgetsUnregistered, from: phone, in: app, at: now)
    }

    /// iOS is updated; the apps register anew.
    func update(_ phone: Phone, to os: OSVersion, at now: Moment) {
        phone.os = os
        touch(phone)
        for app in phone.apps { register(app, on: phone, at: now) }
    }

    /// The phone leaves the reach of Apple and of the app's backend, or comes back into it.
    func setReachable(_ reachable: Bool, _ phone: Phone, at now: Moment) {
        guard reachable != phone.isReachable else { return }
        phone.isReachable = reachable
        touch(phone)
        guard reachable else { return }
        let stored = phone.stored
        phone.stored = [:]
        for (_, waiting) in stored.sorted(by: { $0.key < $1.key }) where waiting.expires > now {
            guard let record = tokens[waiting.token], record.death == nil else { continue }
            _ = deliver(waiting.push, record, at: now)
        }
        tokens.learnDeaths(of: phone)
        // States that were published meanwhile are older than these registrations, so the widgets have to show them.
        if phone.unsentReports.contains(where: { $0.kind == .widgetsRegistered }) {
            for app in phone.apps { reload(app, on: phone) }
        }
        reports.sendWaiting(of: phone, at: now)
    }
}
