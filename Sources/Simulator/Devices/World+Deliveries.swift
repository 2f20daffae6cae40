internal import JSON
internal import Time

/// The effect of a push, in the words of the request log and the counters.
enum Effect: Hashable {
    case reloaded, started, updated, ended
    /// Apple keeps it until the phone is back in reach.
    case stored
    /// The phone is out of reach and the push was not to be kept.
    case lost
    /// The phone or Apple let it fall; why.
    case dropped(String)

    /// The word for it.
    var word: String {
        switch self {
        case .reloaded: "reloaded"
        case .started: "started"
        case .updated: "updated"
        case .ended: "ended"
        case .stored: "stored"
        case .lost: "lost"
        case .dropped: "dropped"
        }
    }

    /// The reason that it was dropped.
    var why: String? {
        if case .dropped(let why) = self { why } else { nil }
    }
}

/// Accepted pushes on their phones.
extension World {
    /// Carries a push to the phone, or keeps it while the phone is out of reach.
    ///
    /// Apple keeps it until `expires`; without that not at all.
    func accept(_ push: Push, for token: PushToken, _ record: TokenRecord, expires: Moment?, at now: Moment) -> Effect {
        guard !record.isForgotten else { return .dropped("the phone has replaced this token") }
        guard record.phone.isReachable else {
            guard let expires, expires > now else { return .lost }
            record.phone.stored[record.app] = StoredPush(token: token, push: push, expires: expires)
            return .stored
        }
        return deliver(push, record, at: now)
    }

    /// The phone receives a push.
    func deliver(_ push: Push, _ record: TokenRecord, at now: Moment) -> Effect {
        let phone = record.phone
        guard let app = phone.app(record.app) else { return .dropped("the app is not installed") }
        settle(phone, at: now)
        defer { schedule(phone, at: now) }
        switch (push, record.purpose) {
        case (.unusable(let reason), _):
            return .dropped(reason)
        case (.reload, .widgets):
            reload(app, on: phone)
            return .reloaded
        case (.activity(let push), .start(let type)) where push.event == .start:
            return start(push, attributesType: type, app, on: phone, at: now)
        case (.activity(let push), .activity(let id)) where push.event != .start:
            guard let index = app.tiles.firstIndex(where: { $0.activityID == id && $0.endedAt == nil }) else {
                return .dropped("the activity has ended")
            }
            return apply(push, to: index, app, on: phone, at: now)
        default:
            return .dropped("the token is not for a push with this event")
        }
    }

    private func start(
        _ push: ActivityPush,
        attributesType: String,
        _ app: InstalledApp,
        on phone: Phone,
        at now: Moment
    ) -> Effect {
        guard phone.os >= .pushToStart else { return .dropped("iOS \(phone.os) starts no activities by push") }
        guard push.attributesType == attributesType, let attributes = push.attributes, let state = push.state else {
            return .dropped("the token starts activities of the type '\(attributesType)' only")
        }
        let asksFirst = phone.os >= .asksForToken
        guard asksFirst || !push.asksForChannel else { return .dropped("iOS \(phone.os) has no broadcast channels") }
        var tile = Tile(
            activityID: random.uuid().uppercased(),
            launchRequestID: attributes["launchRequestId"]?.text?.string,
            name: nil,
            attributesType: attributesType,
            attributes: attributes,
            state: state,
            startedAt: now,
            timestamp: push.timestamp,
            staleDate: push.staleDate,
            relevanceScore: push.relevanceScore,
            alert: push.alert,
            alertsRung: push.rings ? 1 : 0
        )
        if !asksFirst || push.asksForToken {
            tile.token = tokens.give(to: app, on: phone, for: .activity(id: tile.activityID), from: &random)
        }
        app.tiles.append(tile)
        registerActivity(tile, app, on: phone, at: now)
        touch(phone)
        return .started
    }

    private func apply(
        _ push: ActivityPush,
        to index: Int,
        _ app: InstalledApp,
        on phone: Phone,
        at now: Moment
    ) -> Effect {
        guard push.timestamp > app.tiles[index].timestamp else {
            return .dropped("the phone shows a push with the same or a newer timestamp")
        }
        app.tiles[index].timestamp = push.timestamp
        if let state = push.state { app.tiles[index].state = state }
        app.tiles[index].staleDate = push.staleDate
        app.tiles[index].relevanceScore = push.relevanceScore
        app.tiles[index].alert = push.alert ?? app.tiles[index].alert
        app.tiles[index].alertsRung += push.rings ? 1 : 0
        touch(phone)
        guard push.event == .end else { return .updated }
        finish(index, of: app, on: phone, at: now, dismissal: push.dismissalDate)
        if app.reportsEnds { reports.send(.activityEnded, from: phone, in: app, at: now, app.tiles[index].identity) }
        app.tiles.removeAll { ($0.leavesAt ?? .distantFuture) <= now }
        return .ended
    }
}
