internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// Marking deliveries `dispatching`, with what they carry.
extension Ledger {
    /// What may be sent: what is queued, and again what is unknown; but a start never on a guess: its launch stays
    /// outstanding until the device reports it.
    private static let isSendable = "(status = 'queued' OR status = 'unknown' AND kind <> 'start')"

    /// The next deliveries of one app and environment that are due, after a place in the order of sending.
    func due(
        app: Text,
        environment: PushEnvironment,
        after place: SendingPlace,
        at now: Moment,
        limit: Int
    ) throws -> [QueuedDelivery] {
        var deliveries: [QueuedDelivery] = []
        try database.each(
            """
            SELECT d.id, d.kind, d.subscriber, d.device, d.target, d.registration, d.status, d.rank, d.commit_number,
                d.attempts, i.name, d.dispatched_at, d.expires_after, i.ending
            FROM deliveries AS d LEFT JOIN instances AS i ON i.id = d.target
            WHERE d.app = ? AND d.environment = ? AND d.open = 1
                AND (d.rank, d.commit_number, d.subscriber, d.id) > (?, ?, ?, ?)
                AND d.not_before <= ? AND \(Self.isSendable)
            ORDER BY d.rank, d.commit_number, d.subscriber, d.id LIMIT ?
            """,
            .text(app),
            .text(environment.rawValue),
            .integer(place.rank),
            .integer(place.step.number),
            .text(place.subscriber),
            .text(place.id),
            .moment(now),
            .integer(Int64(limit))
        ) { row in
            guard let kind = Action.Kind(rawValue: row.text(1)), let status = DeliveryStatus(rawValue: row.text(6))
            else { throw UnreadableRow(table: "deliveries", detail: row.text(0).string) }
            deliveries.append(
                QueuedDelivery(
                    id: DeliveryID(row.text(0)),
                    kind: kind,
                    owner: Owner(subscriber: row.text(2), app: app),
                    device: row.text(3),
                    target: row.optionalText(4).map { TargetID($0) },
                    registration: row.optionalText(5),
                    status: status,
                    dispatchedAt: row.optionalMoment(11),
                    expiresAfter: row.optionalSeconds(12),
                    place: SendingPlace(
                        rank: row.integer(7),
                        step: Step(row.integer(8)),
                        subscriber: row.text(2),
                        id: row.text(0)
                    ),
                    attempts: row.integer(9),
                    name: row.optionalText(10),
                    ending: row.optionalText(13).flatMap(Instance.Closure.init(rawValue:))
                )
            )
        }
        return deliveries
    }

    /// The apps and environments that have deliveries to send now.
    func lanes(at now: Moment) throws -> [(app: Text, environment: PushEnvironment)] {
        var lanes: [(Text, PushEnvironment)] = []
        try database.each(
            """
            SELECT DISTINCT app, environment FROM deliveries
            WHERE open = 1 AND not_before <= ? AND \(Self.isSendable) ORDER BY app, environment
            """,
            .moment(now)
        ) { lanes.append(($0.text(0), try $0.environment(1))) }
        return lanes
    }

    /// Makes the pushes of a batch of deliveries and marks them `dispatching`, durably, before a byte of them is sent.
    ///
    /// - Returns: The pushes; a delivery that turned out to be pointless, or whose scope was revoked meanwhile, is
    ///   cancelled and has none. Nor has one that is paused, was taken back since it was looked up, or has no room in the
    ///   quota of the day any more.
    func dispatch(_ deliveries: [QueuedDelivery], within quota: Quota? = nil, at now: Moment) throws -> [Outgoing] {
        try transaction {
            // A backup from before they were sent must show that it is one.
            if deliveries.contains(where: { $0.kind == .start }) { _ = try nextStep() }
            var pushes: [Outgoing] = []
            let scopes = try scopes()
            for delivery in deliveries where try isOpen(delivery) {
                let authority = try authority(over: delivery, scopes)
                // It stays queued: what resumes it sends the newest state.
                if authority == .paused { continue }
                guard authority != .revoked, let push = try outgoing(delivery, at: now) else {
                    try drop(
                        delivery,
                        authority == .revoked ? "its scope was revoked" : "nothing left to send",
                        at: now
                    )
                    continue
                }
                guard try quota.map({ try book(push, $0, at: now) }) ?? true else {
                    try takeBack(self.deliveries(where: "id = ?", .text(delivery.id.text)), at: now)
                    continue
                }
                try mark(push, at: now)
                pushes.append(push)
            }
            return pushes
        }
    }

    private func isOpen(_ delivery: QueuedDelivery) throws -> Bool {
        try database.first("SELECT open FROM deliveries WHERE id = ?", .text(delivery.id.text)) {
            $0.integer(0) != 0
        } ?? false
    }

    private func outgoing(_ delivery: QueuedDelivery, at now: Moment) throws -> Outgoing? {
        switch delivery.kind {
        case .reload: try reload(delivery, at: now)
        case .start: try start(delivery, at: now)
        case .update: try update(delivery, at: now)
        case .end: try end(delivery, at: now)
        }
    }

    private func reload(_ delivery: QueuedDelivery, at now: Moment) throws -> Outgoing? {
        guard let id = delivery.registration else { return nil }
        let step = try lastStep()
        return try database.first(
            "SELECT token, at FROM widget_registrations WHERE id = ? AND token IS NOT NULL",
            .text(id)
        ) { row in
            Outgoing(
                delivery: delivery,
                token: row.text(0),
                tokenAt: row.moment(1),
                content: .reload,
                revision: step.number,
                timestamp: now.wholeSecond,
                expiration: delivery.expiration(at: now)
            )
        }
    }

    /// The instance and the committed declaration of a delivery.
    private struct Subject {
        var instance: Instance
        var lastTimestamp: Moment
        /// As last committed, removed or not.
        var committed: ActivityDeclaration?
        var isRemoved: Bool
        var alertAt: Moment

        /// What is to be shown; `nil` where the files do not declare it any more, or declare its end.
        var declaration: ActivityDeclaration? { isRemoved || committed?.end != nil ? nil : committed }
    }

    private func subject(_ delivery: QueuedDelivery) throws -> Subject? {
        guard let target = delivery.target else { return nil }
        let found = try database.first(
            "SELECT last_timestamp, \(Instance.columns) FROM instances WHERE id = ?",
            .text(target.text)
        ) { (try Instance(row: $0, from: 1), Moment(seconds: $0.integer(0))) }
        guard let (instance, lastTimestamp) = found else { return nil }
        let declared = try database.first(
            "SELECT alert_at, \(RecordedActivity.columns) FROM activities WHERE subscriber = ? AND app = ? AND name = ?",
            .text(delivery.owner.subscriber),
            .text(delivery.owner.app),
            .text(instance.name)
        ) { (try RecordedActivity(row: $0, from: 1), $0.moment(0)) }
        return Subject(
            instance: instance,
            lastTimestamp: lastTimestamp,
            committed: declared?.0.declaration,
            isRemoved: declared?.0.isRemoved ?? true,
            alertAt: declared?.1 ?? .never
        )
    }

    private func start(_ delivery: QueuedDelivery, at now: Moment) throws -> Outgoing? {
        guard let subject = try subject(delivery), subject.instance.phase == .queued,
            let launch = subject.instance.launch, let declaration = subject.declaration,
            declaration.staleAt.map({ $0 > now }) ?? true, let id = delivery.registration
        else { return nil }
        let instance = subject.instance
        guard try takes(declaration, instance) else { return nil }
        let template = try template(instance.template)
        let isSilent = try instance.replaces != nil || hasRung(declaration, for: subject, delivery, at: now)
        return try database.first(
            "SELECT token, at, os FROM start_targets WHERE id = ? AND token IS NOT NULL",
            .text(id)
        ) { row in
            let os = row.os(2)
            return Outgoing(
                delivery: delivery,
                token: row.text(0),
                tokenAt: row.moment(1),
                content: .start(
                    attributesType: instance.attributesType,
                    attributes: instance.attributes ?? .object(Object()),
                    launch: launch,
                    content: declaration.content,
                    isSilent: isSilent,
                    asksForToken: os.map { $0 >= .inputPushToken } ?? true
                ),
                revision: instance.revision,
                timestamp: now.wholeSecond,
                expiration: delivery.expiration(at: now),
                template: template
            )
        }
    }

    /// Whether the version that an instance runs with takes what is declared, possibly for another one.
    private func takes(_ declaration: ActivityDeclaration, _ instance: Instance) throws -> Bool {
        guard instance.template != declaration.template, let template = try template(instance.template) else {
            return true
        }
        return template.takes(declaration)
    }

    /// Whether the declared alert rang on the device before, in this life, or waited for too long to ring now.
    private func hasRung(
        _ declaration: ActivityDeclaration,
        for subject: Subject,
        _ delivery: QueuedDelivery,
        at now: Moment
    ) throws -> Bool {
        if isLate(declaration, subject, at: now) { return true }
        let instance = subject.instance
        let earlier = try database.first(
            """
            SELECT 1 FROM instances WHERE subscriber = ? AND app = ? AND name = ? AND device = ? AND life = ? AND id <> ?
                AND started_at > 0 AND shown IS NOT NULL AND json_extract(shown, '$.alert') IS json_extract(?, '$.alert')
            LIMIT 1
            """,
            .text(delivery.owner.subscriber),
            .text(delivery.owner.app),
            .text(instance.name),
            .text(instance.device),
            .integer(instance.life),
            .text(instance.id.text),
            SQLiteValue(json: declaration.content.value)
        ) { _ in true }
        return earlier ?? false
    }

    /// Whether an alert waited longer than its `expiresAfter`: it goes out silently then.
    private func isLate(_ declaration: ActivityDeclaration, _ subject: Subject, at now: Moment) -> Bool {
        declaration.expiresAfter.map { now - subject.alertAt > $0 } ?? false
    }

    private func update(_ delivery: QueuedDelivery, at now: Moment) throws -> Outgoing? {
        guard let subject = try subject(delivery), subject.instance.phase == .running,
            !subject.instance.isExpired(at: now), subject.instance.ending == nil, let token = subject.instance.token,
            let declaration = subject.declaration
        else { return nil }
        let instance = subject.instance
        guard try takes(declaration, instance) else { return nil }
        let content = declaration.content
        // What may have arrived is sent again as it was, silently, and not once it is no longer the newest; what is shown
        // needs no push.
        guard (content == instance.shown) == (delivery.status == .unknown) else { return nil }
        // Of a restored ledger nobody knows whether it rang before.
        let isNews = !isRestored && (instance.shown.map { content.alert != nil && content.alert != $0.alert } ?? false)
        let expiration = Expiry.time(
            of: .update,
            since: delivery.dispatchedAt ?? now,
            expiresAfter: delivery.expiresAfter,
            staleAt: content.staleAt.flatMap { $0 > now ? $0 : nil },
            startedAt: instance.startedAt
        )
        return Outgoing(
            delivery: delivery,
            token: token,
            tokenAt: instance.tokenAt,
            content: .update(
                content,
                rings: isNews && !isLate(declaration, subject, at: now),
                isHigh: try isHigh(declaration, instance, delivery)
            ),
            revision: instance.revision,
            timestamp: max(now.wholeSecond, subject.lastTimestamp + .seconds(1)),
            expiration: expiration.wholeSecond,
            template: try template(instance.template)
        )
    }

    /// Whether silent updates go at priority 10: declared so, and the person did not switch frequent pushes off.
    private func isHigh(
        _ declaration: ActivityDeclaration,
        _ instance: Instance,
        _ delivery: QueuedDelivery
    ) throws -> Bool {
        guard declaration.priority == .high else { return false }
        let allowed = try database.first(
            "SELECT frequent_pushes FROM start_targets WHERE app = ? AND device = ? AND attributes_type = ?",
            .text(delivery.owner.app),
            .text(instance.device),
            .text(instance.attributesType)
        ) { $0.optionalInteger(0) }
        return allowed != .some(.some(0))
    }

    private func end(_ delivery: QueuedDelivery, at now: Moment) throws -> Outgoing? {
        guard let subject = try subject(delivery), subject.instance.phase == .running,
            !subject.instance.isExpired(at: now),
            let cause = subject.instance.ending, let token = subject.instance.token
        else { return nil }
        let instance = subject.instance
        let timestamp = max(now.wholeSecond, subject.lastTimestamp + .seconds(1))
        let declaration = subject.committed
        let declaredEnd = cause == .declaredEnd ? declaration?.end : nil
        if declaredEnd != nil, let declaration, try !takes(declaration, instance) { return nil }
        let state = declaredEnd?.state ?? (declaredEnd == nil ? instance.shown?.state : nil) ?? declaration?.state
        // Certainly past, whatever the device's clock.
        let gone = now.wholeSecond - .hours(1)
        let dismissAt: Moment? =
            switch (cause, declaredEnd?.dismissAt) {
            case (.declaredEnd, .at(let moment)): moment
            case (.declaredEnd, .now): gone
            case (.declaredEnd, nil): nil
            default: gone
            }
        return Outgoing(
            delivery: delivery,
            token: token,
            tokenAt: instance.tokenAt,
            content: .end(state: state ?? .object(Object()), dismissAt: dismissAt),
            revision: instance.revision,
            timestamp: timestamp,
            expiration: delivery.expiration(at: now, startedAt: instance.startedAt),
            template: try template(instance.template),
            cost: declaredEnd == nil || state == instance.shown?.state ? 0 : 1
        )
    }

    // MARK: - Marks

    private func mark(_ push: Outgoing, at now: Moment) throws {
        let content: Value? =
            switch push.content {
            case .reload: nil
            case .start(_, _, _, let content, _, _): content.value
            case .update(let content, _, _): content.value
            case .end(let state, _): ActivityContent(state: state).value
            }
        let state = DeliveryState(push.delivery.status, isOpen: true)
        try database.run(
            """
            UPDATE deliveries SET status = ?, revision = ?, content = ?, attempts = attempts + 1,
                dispatched_at = coalesce(dispatched_at, ?), note = NULL WHERE id = ?
            """,
            .text(try state.after(.dispatch, of: push.delivery.kind).status.rawValue),
            .integer(push.revision),
            SQLiteValue(json: content),
            .moment(now),
            .text(push.delivery.id.text)
        )
        guard let target = push.delivery.target else { return }
        try database.run(
            "UPDATE instances SET last_timestamp = ? WHERE id = ?",
            .integer(push.timestamp.seconds),
            .text(target.text)
        )
        if push.delivery.kind == .start {
            try move(target, .dispatch, run: nil, at: now)
            try database.run(
                "UPDATE instances SET started_at = ?, start_expires_at = ?, shown = ? WHERE id = ?",
                .moment(now),
                .moment(push.expiration),
                SQLiteValue(json: content),
                .text(target.text)
            )
        }
    }

    /// A delivery that has nothing to do any more: what is unknown stays so, what is queued is cancelled.
    private func drop(_ delivery: QueuedDelivery, _ note: Text, at now: Moment) throws {
        let open = try deliveries(where: "id = ? AND open = 1", .text(delivery.id.text))
        try move(open, .cancel, note: note, at: now)
        guard delivery.kind == .start, let target = delivery.target else { return }
        try move(target, .cancel, run: nil, at: now)
    }
}

extension QueuedDelivery {
    /// `apns-expiration`, to the second, counted from its first dispatch.
    fileprivate func expiration(at now: Moment, startedAt: Moment = .never) -> Moment {
        Expiry.time(of: kind, since: dispatchedAt ?? now, expiresAfter: expiresAfter, startedAt: startedAt)
            .wholeSecond
    }
}
