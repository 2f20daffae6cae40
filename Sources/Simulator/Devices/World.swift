internal import Time

/// All simulated phones, the tokens that Apple gave them, and what they report.
///
/// Every change of a phone goes through here.
final class World {
    /// The phones in the order in which they were added.
    private(set) var phones: [Phone] = []
    private var phonesByID: [String: Phone] = [:]
    /// The tokens of all phones.
    var tokens = PushTokens()
    /// The reports of all phones.
    var reports = Reports()
    private var deadlines = Deadlines<Moment, Phone>()
    /// True where a phone looks different since this was last set to `false`.
    var screensChanged = true
    /// True where a phone was added or renamed since this was last set to `false`.
    var orderChanged = true
    var random: Random
    let published: Published

    init(random: Random, published: Published) {
        self.random = random
        self.published = published
    }

    // MARK: Phones

    /// The phone with this id.
    func phone(_ id: String) -> Phone? { phonesByID[id] }

    func insert(_ phone: Phone) {
        phones.append(phone)
        phonesByID[phone.id] = phone
        orderChanged = true
        touch(phone)
    }

    func rename(_ phone: Phone, to id: String) {
        phonesByID[phone.id] = nil
        phone.id = id
        phonesByID[id] = phone
        orderChanged = true
        touch(phone)
    }

    /// Notes that the phone's screen has to be drawn again.
    func touch(_ phone: Phone) {
        phone.rendered = nil
        screensChanged = true
    }

    // MARK: Time

    /// The moment at which the next phone looks different by itself.
    var nextChange: Moment? { deadlines.next }

    /// Lets the time pass: activities go stale, reach their 8 hours, leave the lock screen.
    func settle(at now: Moment) {
        while let (time, phone) = deadlines.popDue(at: now) {
            // An earlier deadline was set in the meantime, and has been seen to.
            if phone.nextChange == time { settle(phone, at: now) }
        }
    }

    /// Brings one phone's activities up to the present.
    func settle(_ phone: Phone, at now: Moment) {
        guard phone.nextChange <= now else { return }
        phone.nextChange = .distantFuture
        for app in phone.apps where !app.tiles.isEmpty {
            for index in app.tiles.indices where app.tiles[index].endedAt == nil {
                let limit = app.tiles[index].startedAt + Tile.longestRun
                guard limit <= now else { continue }
                finish(index, of: app, on: phone, at: limit, dismissal: nil)
                if app.reportsEnds {
                    reports.send(.activityEnded, from: phone, in: app, at: now, app.tiles[index].identity)
                }
            }
            app.tiles.removeAll { ($0.leavesAt ?? .distantFuture) <= now }
        }
        touch(phone)
        schedule(phone, at: now)
    }

    /// Sees to it that ``settle(at:)`` comes back when the phone next changes by itself.
    func schedule(_ phone: Phone, at now: Moment) {
        let next = phone.apps.lazy.flatMap(\.tiles).map { $0.nextChange(after: now) }.min() ?? .distantFuture
        guard next < phone.nextChange else { return }
        phone.nextChange = next
        deadlines.add(phone, at: next)
    }

    /// Ends an activity: its token expires, and its tile leaves the lock screen at `dismissal` or after 4 hours.
    func finish(_ index: Int, of app: InstalledApp, on phone: Phone, at time: Moment, dismissal: Moment?) {
        app.tiles[index].end(at: time, dismissal: dismissal)
        tokens.kill(app.tiles[index].token, of: phone, .expiredToken, at: time)
        app.tiles[index].token = nil
    }
}
