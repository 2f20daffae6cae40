import Diff
import Foreign
import Foundation
import JSON
import Ledger
import Reconcile
import Simulator
import Source
import Time

@testable import APNs

/// The end of a history: the troubles are over, and everything comes to rest.
extension History {
    /// Every push that waits is booked, and a unit that books more to a day finds room for them beside what was recorded of
    /// elsewhere until then.
    func judgeBookings() throws {
        guard house.configuration.quota != nil, !sent.isLenient else { return }
        let unbooked = try house.store.snapshot().unbooked(on: UTCDay(at: now), after: .start, limit: .max)
        try expect(!unbooked.contains { $0.quotaDay == nil }, "a push waits that is booked to no day")
        try house.aside { pipeline in
            let (day, sums) = try QuotaUse(pipeline).today()
            let count = sums.reserved + sums.uncertain + sums.consumed
            let isMore = count > (day == booked.day ? booked.count : 0)
            booked = (day, count)
            // What is recorded of elsewhere after pushes were booked takes no room back.
            let words = "\(count) pushes are booked to a day with a quota of \(sums.limit), \(sums.elsewhere) elsewhere"
            try expect(!isMore || count + sums.elsewhere <= sums.limit, words)
        }
    }

    func endTroubles() throws {
        hasTroubles = false
        if latest > now { house.time.pass(latest - now + .seconds(1)) }
        let troubles = script.troubles
        if let quota = troubles.quota, troubles.faults.isEmpty, troubles.kills == 0, !sent.isLenient {
            let most = sent.accepted.values.max() ?? 0
            try expect(most <= quota, "\(most) pushes in a day with a quota of \(quota)")
        }
        if troubles.quota != nil { try house.configure(quota: 1_000_000) }
        for subject in sent.paused.keys.sorted(by: { $0.name < $1.name }) { try authorize("resume", subject) }
        for subject in sent.revoked.keys.sorted(by: { $0.name < $1.name }) { try authorize("reauthorize", subject) }
        try house.send(["do": "clear-faults"])
        for phone in script.phones { try house.send(["do": "in-reach", "device": .string(Text(phone.device))]) }
        catchUp()
        late = late.map { (.distantPast, $0.line) }
        deliver()
        say("troubles end")
        if troubles.restores, house.store.exists() { try run(.apply, nil, acceptsRestored: true) }
    }

    func comeToRest() throws -> [PlanEntry] {
        for number in 0..<Self.patience {
            let seen = try run(.apply)
            house.time.pass(number < Self.patience / 3 ? .seconds(1_300) : .hours(2))
            deliver()
            closures.noteExpired(sent, declared, at: now)
            guard seen.isEmpty else { continue }
            sent.beforeRun(declared)
            let (entries, summary, _) = try plan()
            let passes = entries.contains { $0.push.map { Shown.passing.contains($0.reason.rawValue) } ?? false }
            if !summary.hasChanges, summary.waiting == 0, !passes, !sent.awaitsReports(at: now) { return entries }
        }
        throw Wrong("not quiet after \(Self.patience) runs")
    }

    func judgeScreens(_ plan: [PlanEntry], isStrict: Bool) throws {
        try Shown(declared, sent, closures, plan: plan, lost: lost, isStrict: isStrict, at: now).check(house.screens())
    }

    /// Every app reports all it knows, and every activity starts a new life.
    func heal() throws {
        // What nobody can name any more is gone by then.
        house.time.pass(script.troubles.restores || script.troubles.isByHand ? .hours(26) : .seconds(60))
        for phone in script.phones {
            for app in phone.apps {
                let place = Place(device: phone.device, app: app.app)
                guard let owner = owners[place], owner == nil else { continue }
                try self.phone("sign-in", place, as: script.people[0], 0)
            }
            systems[phone.device] = Script.systems[0]
            house.time.pass(.seconds(1))
            let device = Value.string(Text(phone.device))
            try house.send(["do": "update-os", "device": device, "os": .string(Text(Script.systems[0]))])
            house.time.pass(.seconds(1))
            try house.send(["do": "rotate", "device": device])
        }
        deliver()
        for key in declared.activities.keys.sorted(by: { "\($0)\($0.app)" < "\($1)\($1.app)" }) {
            for edit in [Edit.generation, .stale, .renew, .interval] {
                try play(.edit(edit, key, widget: "", value: 0), isBeside: false)
            }
        }
        say("everything is reported anew, and every activity has a new generation")
    }
}
