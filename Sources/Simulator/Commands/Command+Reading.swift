internal import Foreign
internal import JSON

extension Command {
    /// Reads one line.
    ///
    /// - Parameters:
    ///   - line: The JSON text.
    ///   - defaultApp: The app that is meant where a new phone names none.
    /// - Throws: ``CommandError`` that says what is wrong with it.
    init(line: [UInt8], defaultApp: String) throws(CommandError) {
        let value: Value
        do throws(ParseError) {
            value = try Value(json: line)
        } catch {
            throw CommandError("not a JSON text: \(error)")
        }
        var fields = try Fields(value, "the command")
        let verb = try fields.required("do")
        fields = try Fields(value, "'\(verb)'")
        _ = fields.value("do")
        self = try Command.read(verb, &fields, defaultApp: defaultApp)
        try fields.finish()
    }

    private static func read(
        _ verb: String,
        _ fields: inout Fields,
        defaultApp: String
    ) throws(CommandError) -> Command {
        switch verb {
        case "add": .add(try AddPhones(&fields, defaultApp: defaultApp))
        case "fault": try fault(&fields)
        case "clear-faults": .clearFaults(try fields.count("fault"))
        case "streams": .streams(UInt32(clamping: try fields.count("limit") ?? 1))
        case "goaway": .goAway(reason: try fields.string("reason"))
        case "cut": .cut
        case "screens": .screens
        case "counters": .counters
        case "stop": .stop
        default: try read(verb, about: try Selection(&fields), &fields)
        }
    }

    private static func read(
        _ verb: String,
        about phones: Selection,
        _ fields: inout Fields
    ) throws(CommandError) -> Command {
        switch verb {
        case "sign-in": .signIn(phones, subscriber: try fields.required("as"))
        case "sign-out": .signOut(phones)
        case "identify": .identify(phones, subscriber: try fields.required("as"))
        case "dismiss": .dismiss(phones, try TileChoice(&fields))
        case "end": .end(phones, try TileChoice(&fields), atOnce: try fields.bool("atOnce") ?? false)
        case "start": .start(phones, try ActivityByApp(&fields))
        case "reinstall": .reinstall(phones, newDevice: try fields.string("as"))
        case "rotate": .rotate(phones, knownToApple: !(try fields.bool("silently") ?? false))
        case "widgets":
            .widgets(phones, add: try fields.strings("add") ?? [], remove: try fields.strings("remove") ?? [])
        case "update-os": try updateOS(phones, &fields)
        case "out-of-reach": .reach(phones, false)
        case "in-reach": .reach(phones, true)
        case "tokens": .tokens(phones)
        case "show": .show(phones)
        default: throw CommandError("there is no command '\(verb)'; 'lockstep simulate --help' lists them")
        }
    }

    private static func updateOS(_ phones: Selection, _ fields: inout Fields) throws(CommandError) -> Command {
        guard let os = try fields.version("os") else { throw CommandError("'update-os' needs 'os'") }
        return .updateOS(phones, os)
    }

    private static func fault(_ fields: inout Fields) throws(CommandError) -> Command {
        let seed = try fields.count("seed")
        return .fault(try Fault(&fields), seed: seed.map { UInt64($0) })
    }
}

extension Selection {
    fileprivate init(_ fields: inout Fields) throws(CommandError) {
        let devices = try fields.strings("device")
        let subscriber = try fields.string("subscriber")
        let all = try fields.bool("all") ?? false
        app = try fields.string("app")
        switch (devices, subscriber, all) {
        case (let devices?, nil, false): phones = .devices(devices)
        case (nil, let subscriber?, false): phones = .subscriber(subscriber)
        case (nil, nil, true): phones = .all
        default: throw CommandError("name the phones by one of 'device', 'subscriber' or \"all\": true")
        }
    }
}

extension TileChoice {
    fileprivate init(_ fields: inout Fields) throws(CommandError) {
        activityID = try fields.string("activityId")
        launchRequestID = try fields.string("launchRequestId")
        name = try fields.string("name")
    }
}

extension ActivityByApp {
    fileprivate init(_ fields: inout Fields) throws(CommandError) {
        name = try fields.string("name")
        attributesType = try fields.required("attributesType")
        attributes = fields.value("attributes") ?? .object(Object())
        state = fields.value("state") ?? .object(Object())
    }
}

extension AddPhones {
    fileprivate init(_ fields: inout Fields, defaultApp: String) throws(CommandError) {
        count = try fields.count("count") ?? 1
        first = try fields.count("from") ?? 1
        let device = try fields.required("device")
        let subscriber = try fields.string("subscriber")
        let os = try fields.version("os") ?? .widgetPush
        var apps: [PhoneSetup.App] = []
        if let list = fields.value("apps") {
            guard let list = list.array else { throw CommandError("'apps' of 'add' is not an array") }
            for value in list {
                var fields = try Fields(value, "an app of 'add'")
                apps.append(try PhoneSetup.App(&fields, defaultApp: defaultApp))
                try fields.finish()
            }
        } else {
            apps = [try PhoneSetup.App(&fields, defaultApp: defaultApp)]
        }
        setup = PhoneSetup(device: device, subscriber: subscriber, os: os, apps: apps)
    }
}

extension PhoneSetup.App {
    fileprivate init(_ fields: inout Fields, defaultApp: String) throws(CommandError) {
        bundle = try fields.string("app") ?? defaultApp
        environment = try fields.word("environment", APNsEnvironment.self) ?? .production
        widgets = try fields.strings("widgets") ?? []
        attributesTypes = try fields.strings("attributesTypes") ?? []
        templates = try fields.strings("templates") ?? []
        frequentPushes = try fields.bool("frequentPushes")
        reportsEnds = try fields.bool("reportsEnds") ?? false
    }
}
