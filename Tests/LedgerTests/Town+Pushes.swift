import Diff
import JSON
import TestDeclarations
import Time

/// The pushes of the town: sent, being sent, and waiting.
extension Town {
    static func operation(_ end: String, _ kind: Action.Kind, _ owner: Owner) -> Diff.Operation {
        Operation(id: id(end), kind: kind, owner: owner, run: run.id, step: Step(4), createdAt: noon)
    }

    static let operations = [
        operation("E1", .start, anna), operation("E2", .reload, anna), operation("E3", .update, anna),
        operation("E4", .start, bert), operation("E5", .reload, annaInTram), operation("E6", .reload, bert),
    ]

    static func push(
        _ end: String,
        of operation: String,
        _ kind: Action.Kind,
        _ owner: Owner,
        on device: Text,
        _ state: DeliveryState,
        rank: Int64,
        target: TargetID? = nil,
        over registration: Text? = nil
    ) -> Delivery {
        Delivery(
            id: id(end),
            operation: id(operation),
            kind: kind,
            owner: owner,
            device: device,
            target: target,
            registration: registration,
            state: state,
            rank: rank,
            step: Step(4),
            revision: 4,
            createdAt: noon,
            expiresAfter: .minutes(30)
        )
    }

    static let startOfOrder = push(
        "F1",
        of: "E1",
        .start,
        anna,
        on: "anna-phone",
        .queued,
        rank: 2,
        target: annasQueued.row.id,
        over: phoneDelivery.row.id.text
    )
    static let reloadOfPhone = push(
        "F2",
        of: "E2",
        .reload,
        anna,
        on: "anna-phone",
        .queued,
        rank: 3,
        over: phoneWidgets.row.id.text
    )
    /// Perhaps arrived, and is sent again.
    static let updateOfOrder: Delivery = {
        var made = push(
            "F3",
            of: "E3",
            .update,
            anna,
            on: "anna-pad",
            .unknown,
            rank: 1,
            target: annasRunning.row.id
        )
        made.attempts = 1
        made.dispatchedAt = noon
        made.quotaDay = day
        made.content = ["state": ["status": "ready"]]
        return made
    }()
    /// Is being sent.
    static let startOfBertsOrder: Delivery = {
        var made = push(
            "F4",
            of: "E4",
            .start,
            bert,
            on: "bert-phone",
            .dispatching(again: true),
            rank: 2,
            target: bertsOutstanding.row.id,
            over: bertsDelivery.row.id.text
        )
        made.dispatchedAt = noon
        made.quotaDay = day
        return made
    }()
    /// Waits for a moment, in an environment of its own.
    static let reloadOfTram: Delivery = {
        var made = push(
            "F5",
            of: "E5",
            .reload,
            annaInTram,
            on: "anna-phone",
            .queued,
            rank: 3,
            over: tramWidgets.row.id.text
        )
        made.environment = .sandbox
        made.notBefore = noon + .minutes(10)
        made.cost = 0
        return made
    }()
    /// May have arrived, and is not sent again.
    static let startOfRide: Delivery = {
        var made = push(
            "F6",
            of: "E1",
            .start,
            anna,
            on: "anna-phone",
            .lost,
            rank: 2,
            target: annasClosed.row.id,
            over: phoneRide.row.id.text
        )
        made.quotaDay = day
        made.answer = DeliveryAnswer(note: "no answer", at: noon)
        return made
    }()
    /// Was taken by APNs.
    static let reloadOfBerts: Delivery = {
        var made = push(
            "F7",
            of: "E6",
            .reload,
            bert,
            on: "bert-phone",
            .accepted,
            rank: 3,
            over: bertsWidgets.row.id.text
        )
        made.quotaDay = day
        made.answer = DeliveryAnswer(status: 200, id: "9F2B7C1E-0000-4000-8000-000000000007", at: noon)
        return made
    }()
    static let pushes = [
        startOfOrder, reloadOfPhone, updateOfOrder, startOfBertsOrder, reloadOfTram, startOfRide, reloadOfBerts,
    ]
}
