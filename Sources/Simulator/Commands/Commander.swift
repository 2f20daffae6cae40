internal import Foreign
internal import JSON
internal import Time

/// Carries out commands.
struct Commander {
    let apple: Apple
    let defaultApp: String

    private var world: World { apple.world }

    /// Carries out one line.
    ///
    /// - Returns: The answer, a JSON object with `ok`; and the command, where it was one, because connections, screens
    ///   and the end of the simulator are its user's business.
    func carryOut(_ line: [UInt8], reports: Int, at now: Moment) -> (answer: Value, command: Command?) {
        do throws(CommandError) {
            let command = try Command(line: line, defaultApp: defaultApp)
            var answer = try carryOut(command, reports: reports, at: now)
            answer["ok"] = true
            return (.object(answer), command)
        } catch {
            return (["ok": false, "error": .string(Text(error.description))], nil)
        }
    }

    private func carryOut(
        _ command: Command,
        reports: Int,
        at now: Moment
    ) throws(CommandError) -> Object {
        switch command {
        case .add(let phones): return try add(phones, at: now)
        case .reinstall(let selection, let device): return try reinstall(selection, as: device, at: now)
        case .start(let selection, let activity): return try start(activity, selection, at: now)
        case .tokens(let selection): return try tokens(selection)
        case .show(let selection): return try show(selection, at: now)
        case .fault(let fault, let seed):
            if let seed { apple.faults.seed(seed) }
            return ["fault": .integer(Int64(apple.faults.add(fault)))]
        case .clearFaults(let id): return ["cleared": .integer(Int64(apple.faults.remove(id)))]
        case .streams, .goAway, .cut, .screens, .stop: break
        case .counters:
            return apple.counters.members(reports: reports, faults: apple.faults.happened, phones: world.phones.count)
        default: return ["count": .integer(Int64(try change(command, at: now)))]
        }
        return Object()
    }

    /// The commands that do the same to each app, or each tile, of the phones that they name.
    private func change(_ command: Command, at now: Moment) throws(CommandError) -> Int {
        switch command {
        case .signIn(let selection, let subscriber):
            try forEachApp(selection) { world.signIn(subscriber, $0, on: $1, at: now) }
        case .signOut(let selection):
            try forEachApp(selection) { world.signOut($0, on: $1, at: now) }
        case .identify(let selection, let subscriber):
            try forEachApp(selection) { world.identify(as: subscriber, $0, on: $1, at: now) }
        case .rotate(let selection, let knownToApple):
            try forEachApp(selection) { world.rotate($0, on: $1, knownToApple: knownToApple, at: now) }
        case .widgets(let selection, let added, let removed):
            try forEachApp(selection) { world.setWidgets(adding: added, removing: removed, $0, on: $1, at: now) }
        case .dismiss(let selection, let choice):
            try forEachTile(of: selection, choice) { world.dismiss($0.activityID, $1, on: $2, at: now) }
        case .end(let selection, let choice, let atOnce):
            try forEachTile(of: selection, choice) {
                world.end($0.activityID, $1, on: $2, dismissal: atOnce ? now : nil, at: now)
            }
        case .updateOS(let selection, let os):
            try forEachPhone(selection) { world.update($0, to: os, at: now) }
        case .reach(let selection, let reachable):
            try forEachPhone(selection) { world.setReachable(reachable, $0, at: now) }
        default: 0
        }
    }
}

// MARK: - Phones, apps and tiles

extension Commander {
    private func phones(_ selection: Selection) throws(CommandError) -> [Phone] {
        switch selection.phones {
        case .all: return world.phones
        case .subscriber(let subscriber):
            return world.phones.filter { $0.apps.contains { $0.subscriber == subscriber } }
        case .devices(let ids):
            var phones: [Phone] = []
            for id in ids {
                guard let phone = world.phone(id) else { throw CommandError("there is no device '\(id)'") }
                phones.append(phone)
            }
            return phones
        }
    }

    private func forEachPhone(_ selection: Selection, _ body: (Phone) -> Void) throws(CommandError) -> Int {
        let phones = try phones(selection)
        phones.forEach(body)
        return phones.count
    }

    private func forEachApp(
        _ selection: Selection,
        _ body: (InstalledApp, Phone) -> Void
    ) throws(CommandError) -> Int {
        var count = 0
        for phone in try phones(selection) {
            for app in phone.apps where (selection.app ?? app.bundle) == app.bundle {
                if case .subscriber(let subscriber) = selection.phones, app.subscriber != subscriber { continue }
                body(app, phone)
                count += 1
            }
        }
        return count
    }

    private func forEachTile(
        of selection: Selection,
        _ choice: TileChoice,
        _ body: (Tile, InstalledApp, Phone) -> Void
    ) throws(CommandError) -> Int {
        var count = 0
        _ = try forEachApp(selection) { app, phone in
            for tile in app.tiles where choice.includes(tile) {
                body(tile, app, phone)
                count += 1
            }
        }
        return count
    }

    private func add(_ phones: AddPhones, at now: Moment) throws(CommandError) -> Object {
        for setup in phones.setups {
            guard world.phone(setup.device) == nil else {
                throw CommandError("there is a device '\(setup.device)' already; those before it were added")
            }
            _ = world.add(setup, at: now)
        }
        return ["count": .integer(Int64(phones.count))]
    }

    private func reinstall(_ selection: Selection, as device: String?, at now: Moment) throws(CommandError) -> Object {
        let phones = try phones(selection)
        if let device {
            guard let phone = phones.first, phones.count == 1 else {
                throw CommandError("'as' gives one device a new id, but \(phones.count) are named")
            }
            guard world.phone(device) == nil else { throw CommandError("there is a device '\(device)' already") }
            world.rename(phone, to: device)
        }
        let renamed = device.map { Selection(phones: .devices([$0]), app: selection.app) } ?? selection
        return ["count": .integer(Int64(try forEachApp(renamed) { world.reinstall($0, on: $1, at: now) }))]
    }

    private func start(_ activity: ActivityByApp, _ selection: Selection, at now: Moment) throws(CommandError) -> Object
    {
        var ids: [Value] = []
        _ = try forEachApp(selection) { app, phone in
            let id = world.startByApp(activity, app, on: phone, at: now)
            ids.append(.string(Text(id)))
        }
        return ["activityIds": .array(ids)]
    }

    private func tokens(_ selection: Selection) throws(CommandError) -> Object {
        var tokens: [Value] = []
        _ = try forEachApp(selection) { app, phone in
            let of: [(String, PushToken?)] =
                [("widgets", app.widgetToken)] + app.startTokens.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
                + app.tiles.map { ($0.activityID, $0.token) }
            for (name, token) in of {
                guard let token else { continue }
                tokens.append([
                    "device": .string(Text(phone.id)), "app": .string(Text(app.bundle)), "for": .string(Text(name)),
                    "environment": .string(Text(app.environment.rawValue)), "token": .string(Text(token.hex)),
                ])
            }
        }
        return ["tokens": .array(tokens)]
    }

    private func show(_ selection: Selection, at now: Moment) throws(CommandError) -> Object {
        var devices = Object()
        _ = try forEachPhone(selection) { devices[Text($0.id)] = Screens.value(of: $0, at: now) }
        return ["devices": .object(devices)]
    }
}
