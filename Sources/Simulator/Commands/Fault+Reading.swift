internal import Foreign
internal import JSON
internal import Time

extension Fault {
    /// Reads the keys of a `fault` command.
    init(_ fields: inout Fields) throws(CommandError) {
        chance = try fields.number("chance")
        times = try fields.count("times") ?? (chance == nil ? 1 : nil)
        after = try fields.count("after") ?? 0
        if let value = fields.value("on") { scope = try Scope(value) }
        var effects: [Effect] = []
        for key in Effect.keys {
            if let value = fields.value(key) { effects.append(try Effect(key, value)) }
        }
        guard let effect = effects.first, effects.count == 1 else {
            let keys = Effect.keys.map(\.string).joined(separator: ", ")
            throw CommandError("'fault' needs exactly one of \(keys)")
        }
        self.effect = effect
    }
}

extension Fault.Scope {
    fileprivate init(_ value: Value) throws(CommandError) {
        var fields = try Fields(value, "'on'")
        token = try fields.string("token")?.lowercased()
        device = try fields.string("device")
        subscriber = try fields.string("subscriber")
        app = try fields.string("app")
        environment = try fields.word("environment", APNsEnvironment.self)
        event = try fields.word("event", Event.self)
        type = try fields.word("type", Report.Kind.self)
        try fields.finish()
    }
}

extension Fault.Effect {
    fileprivate static let keys: [Text] = [
        "answer", "delay", "goaway", "reset", "cut", "silence", "streams", "connect",
        "report",
    ]

    fileprivate init(_ key: Text, _ value: Value) throws(CommandError) {
        switch (key, value) {
        case ("answer", _):
            self = try Self.answer(value)
        case ("delay", .integer(let milliseconds)) where milliseconds >= 0:
            self = .delay(.milliseconds(milliseconds))
        case ("goaway", _):
            var fields = try Fields(value, "'goaway'")
            self = .goAway(reason: try fields.string("reason"), processed: try fields.bool("processed") ?? false)
            try fields.finish()
        case ("reset", .string(let name)):
            guard let code = Self.codes[name.string] else {
                throw CommandError("'reset' is not one of \(Self.codes.keys.sorted().joined(separator: ", "))")
            }
            self = .reset(code: code)
        case ("cut", "before"): self = .cut(processed: false)
        case ("cut", "after"): self = .cut(processed: true)
        case ("silence", "before"): self = .silence(processed: false)
        case ("silence", "after"): self = .silence(processed: true)
        case ("streams", .integer(let limit)) where limit >= 0: self = .streams(UInt32(clamping: limit))
        case ("connect", "cut"): self = .refuseConnection
        case ("connect", .object(let object)):
            guard object.count == 1, let reason = object["goaway"]?.text else { fallthrough }
            self = .dismissConnection(reason: reason.string)
        case ("report", "lost"): self = .loseReport
        case ("report", "doubled"): self = .doubleReport
        case ("report", .object(let object)):
            guard object.count == 1, let late = object["late"]?.integer, late >= 0 else { fallthrough }
            self = .delayReport(.milliseconds(late))
        default:
            throw CommandError("'\(key)' of 'fault' has a value it cannot have; see 'lockstep simulate --help'")
        }
    }

    private static let codes: [String: UInt32] = [
        "REFUSED_STREAM": HTTP2Code.refusedStream, "CANCEL": 0x8, "INTERNAL_ERROR": 0x2, "PROTOCOL_ERROR": 0x1,
        "ENHANCE_YOUR_CALM": 0xB,
    ]

    private static func answer(_ value: Value) throws(CommandError) -> Self {
        var fields = try Fields(value, "'answer'")
        let word = try fields.string("reason")
        let known = word.flatMap { Reason(rawValue: $0) }
        guard let status = try fields.count("status") ?? known?.status, (200...599).contains(status) else {
            throw CommandError("'answer' needs a 'status' from 200 to 599, or a 'reason' of Apple's")
        }
        let timestamp = fields.value("timestamp")?.integer.map { Moment(milliseconds: $0) }
        let processed = try fields.bool("processed") ?? false
        try fields.finish()
        return .answer(status: status, reason: word ?? "", timestamp: timestamp, processed: processed)
    }
}
