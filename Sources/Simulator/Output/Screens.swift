internal import Foreign
internal import JSON
internal import Time

/// Writes what every phone shows to one file, atomically and in canonical JSON.
struct Screens {
    /// The rest after a write, in the times that the write took; it ends early where someone asks.
    private static let rest: Int64 = 20

    private let path: String
    private let uptime: @Sendable () -> Span
    private var order: [Phone] = []
    private var nextWrite = Span.zero

    init(path: String, uptime: @escaping @Sendable () -> Span) {
        self.path = path
        self.uptime = uptime
    }

    /// The uptime at which the next write is due, where something has changed.
    func due(_ world: World) -> Span? {
        world.screensChanged ? nextWrite : nil
    }

    /// Writes the file where something has changed and, unless `always`, where the last write is long enough ago.
    mutating func write(_ world: World, always: Bool, at now: Moment) throws(FileError) {
        let start = uptime()
        guard world.screensChanged, always || start >= nextWrite else { return }
        // Canonical JSON has its keys in the order of their UTF-16 code units.
        if world.orderChanged {
            order = world.phones.sorted { $0.id.utf16.lexicographicallyPrecedes($1.id.utf16) }
            world.orderChanged = false
        }
        var bytes = Array(#"{"devices":{"#.utf8)
        for (index, phone) in order.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: Screens.rendering(of: phone, at: now))
        }
        bytes.append(contentsOf: "}}\n".utf8)
        try Files.write(bytes, to: path, durably: false)
        world.screensChanged = false
        let end = uptime()
        nextWrite = end + (end - start) * Self.rest
    }

    /// The phone's key and value in the file.
    private static func rendering(of phone: Phone, at now: Moment) -> [UInt8] {
        if let rendered = phone.rendered { return rendered }
        var bytes: [UInt8] = []
        Text(phone.id).appendCanonical(to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value(of: phone, at: now).appendCanonical(to: &bytes)
        phone.rendered = bytes
        return bytes
    }

    /// The screens of all phones, as the file has them.
    static func value(of world: World, at now: Moment) -> Value {
        let devices = world.phones.map { Object.Member(key: Text($0.id), value: value(of: $0, at: now)) }
        return ["devices": .object(Object(devices))]
    }

    /// The screen of one phone.
    static func value(of phone: Phone, at now: Moment) -> Value {
        var apps = Object()
        for app in phone.apps {
            var widgets = Object()
            for (name, widget) in app.widgets {
                widgets[Text(name)] = [
                    "state": widget.state, "revision": widget.revision.map { .integer($0) } ?? .null,
                ]
            }
            apps[Text(app.bundle)] = [
                "subscriber": text(app.subscriber), "widgets": .object(widgets),
                "tiles": .array(app.tiles.map { value(of: $0, at: now) }),
            ]
        }
        return [
            "subscriber": text(phone.apps.lazy.compactMap(\.subscriber).first), "os": text(phone.os.description),
            "reachable": .bool(phone.isReachable), "apps": .object(apps),
        ]
    }

    private static func value(of tile: Tile, at now: Moment) -> Value {
        var object = Object()
        object["activityId"] = text(tile.activityID)
        object["launchRequestId"] = tile.launchRequestID.map { text($0) }
        object["name"] = tile.name.map { text($0) }
        object["attributesType"] = text(tile.attributesType)
        object["attributes"] = tile.attributes
        object["state"] = tile.state
        object["stale"] = .bool(tile.isStale(at: now))
        object["relevanceScore"] = tile.relevanceScore
        object["alert"] = tile.alert
        object["alertsRung"] = .integer(Int64(tile.alertsRung))
        object["startedAt"] = text(RFC3339.string(tile.startedAt))
        object["ended"] = .bool(tile.endedAt != nil)
        return .object(object)
    }

    private static func text(_ string: String?) -> Value {
        string.map { .string(Text($0)) } ?? .null
    }
}
