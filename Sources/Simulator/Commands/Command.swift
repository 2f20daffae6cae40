/// One command, as it stands on a line of standard input.
enum Command: Equatable {
    case add(AddPhones)
    case signIn(Selection, subscriber: String)
    case signOut(Selection)
    case identify(Selection, subscriber: String)
    case dismiss(Selection, TileChoice)
    case end(Selection, TileChoice, atOnce: Bool)
    case start(Selection, ActivityByApp)
    case reinstall(Selection, newDevice: String?)
    case rotate(Selection, knownToApple: Bool)
    case widgets(Selection, add: [String], remove: [String])
    case updateOS(Selection, OSVersion)
    case reach(Selection, Bool)
    case fault(Fault, seed: UInt64?)
    case clearFaults(Int?)
    case streams(UInt32)
    case goAway(reason: String?)
    case cut
    case tokens(Selection)
    case show(Selection)
    case screens
    case counters
    case stop
}

/// The phones, and the app on each, that a command is about.
struct Selection: Equatable {
    enum Phones: Equatable {
        case devices([String])
        case subscriber(String)
        case all
    }

    var phones: Phones
    /// Only this app; every app where it is `nil`.
    var app: String?
}

/// The tiles that a command is about; every one where all are `nil`.
struct TileChoice: Equatable {
    var activityID: String?
    var launchRequestID: String?
    var name: String?

    func includes(_ tile: Tile) -> Bool {
        (activityID ?? tile.activityID) == tile.activityID
            && (launchRequestID == nil || launchRequestID == tile.launchRequestID)
            && (name == nil || name == tile.name)
    }
}

/// Phones to add: one, or many made by counting.
struct AddPhones: Equatable {
    /// The phone; `{n}` in its names stands for the number, `{n:6}` for the number with six digits.
    var setup: PhoneSetup
    var first: Int
    var count: Int

    /// The phones, one after the other.
    var setups: some Sequence<PhoneSetup> {
        (first..<first + count).lazy.map { number in
            var setup = setup
            setup.device = AddPhones.fill(setup.device, number)
            setup.subscriber = setup.subscriber.map { AddPhones.fill($0, number) }
            return setup
        }
    }

    private static func fill(_ pattern: String, _ number: Int) -> String {
        guard let open = pattern.firstIndex(of: "{"), let close = pattern[open...].firstIndex(of: "}") else {
            return pattern
        }
        let parts = pattern[pattern.index(after: open)..<close].split(separator: ":", omittingEmptySubsequences: false)
        guard parts.first == "n", parts.count <= 2, let width = parts.count == 1 ? 1 : Int(parts[1]) else {
            return pattern
        }
        let digits = String(number)
        let zeros = String(repeating: "0", count: max(0, min(width, 20) - digits.count))
        return pattern[..<open] + zeros + digits + pattern[pattern.index(after: close)...]
    }
}
