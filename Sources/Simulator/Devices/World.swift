internal import JSON
internal import Time

/// All simulated phones, the tokens that Apple gave them, and what they report.
///
/// Every change of a phone goes through here.
final class World {
    /// The phones in the order in which they were added.
    private(set) var phones: [Phone] = []
    private var phonesByID: [String: Phone] = [:]
    /// Every token that was ever given out.
    private(set) var tokens: [PushToken: TokenRecord] = [:]
    /// Reports that have not been collected yet.
    private var reports: [Report] = []
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

    // MARK: Tokens

    /// Gives out a new token: 64 digits, an activity's 160.
    func newToken(_ phone: Phone, _ app: InstalledApp, for purpose: TokenPurpose) -> PushToken {
        var count = 32
        if case .activity = purpose { count = 80 }
        let token = PushToken(bytes: random.bytes(count))
        tokens[token] = TokenRecord(phone: phone, app: app.bundle, purpose: purpose, environment: app.environment)
        return token
    }

    /// Lets a token die; Apple learns of it as soon as the phone is in reach.
    func kill(_ token: PushToken?, of phone: Phone, _ reason: Reason, at time: Moment) {
        guard let token else { return }
        let death = TokenRecord.Death(reason: reason, at: time)
        guard phone.isReachable else {
            phone.unknownDeaths.append((token, death))
            return
        }
        if tokens[token]?.death == nil { tokens[token]?.death = death }
    }

    /// Apple learns which tokens died while the phone was out of reach.
    func learnDeaths(of phone: Phone) {
        for (token, death) in phone.unknownDeaths where tokens[token]?.death == nil { tokens[token]?.death = death }
        phone.unknownDeaths = []
    }

    /// Takes the app's widget and push-to-start tokens out of use.
    ///
    /// Where that is `knownToApple` they answer 410 from now on; else they are accepted and show nothing.
    func retireTokens(_ app: InstalledApp, on phone: Phone, knownToApple: Bool, at now: Moment) {
        for token in [app.widgetToken].compactMap({ $0 }) + app.startTokens.values {
            retire(token, of: phone, knownToApple: knownToApple, at: now)
        }
        app.widgetToken = nil
        app.startTokens = [:]
    }

    /// Takes one token out of use.
    func retire(_ token: PushToken, of phone: Phone, knownToApple: Bool, at now: Moment) {
        if knownToApple { kill(token, of: phone, .unregistered, at: now) } else { tokens[token]?.isForgotten = true }
    }

    // MARK: Reports

    /// Tells the app's backend something; a phone out of reach tells it later, a signed-out app never.
    func report(
        _ kind: Report.Kind,
        from phone: Phone,
        in app: InstalledApp,
        at now: Moment,
        _ details: [Object.Member] = []
    ) {
        guard let subscriber = app.subscriber else { return }
        let report = Report(
            kind: kind,
            app: app.bundle,
            subscriber: subscriber,
            device: phone.id,
            at: now,
            details: details
        )
        if phone.isReachable { reports.append(report) } else { phone.unsentReports.append(report) }
    }

    /// Sends what the apps could not report while out of reach; the backend receives it now, one after the other.
    func sendWaitingReports(of phone: Phone, at now: Moment) {
        for (number, var waiting) in phone.unsentReports.enumerated() {
            waiting.at = now + .milliseconds(Int64(number))
            reports.append(waiting)
        }
        // States that were published meanwhile are older than these registrations, so the widgets have to show them.
        if phone.unsentReports.contains(where: { $0.kind == .widgetsRegistered }) {
            for app in phone.apps { reload(app, on: phone) }
        }
        phone.unsentReports = []
    }

    /// Hands over what was reported since the last call.
    func takeReports() -> [Report] {
        defer { reports = [] }
        return reports
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
                if app.reportsEnds { reportEnd(.activityEnded, of: app.tiles[index], in: app, phone, at: now) }
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
        kill(app.tiles[index].token, of: phone, .expiredToken, at: time)
        app.tiles[index].token = nil
    }

    /// Reports that an activity is over.
    func reportEnd(_ kind: Report.Kind, of tile: Tile, in app: InstalledApp, _ phone: Phone, at now: Moment) {
        var details = [Object.Member(key: "activityId", value: .string(Text(tile.activityID)))]
        if let launch = tile.launchRequestID {
            details.append(Object.Member(key: "launchRequestId", value: .string(Text(launch))))
        }
        report(kind, from: phone, in: app, at: now, details)
    }
}
