import Foundation
import Testing

/// What happens on the way to Apple, and that nothing is lost or doubled there.
@Suite struct ConnectionCasesTests {
    private static let phones = 30

    /// A world with phones that wait for an activity each.
    private func waiting(_ options: String...) throws -> World {
        let world = try World(options)
        try world.simulator.send(
            #"{"do":"add","device":"d{n}","subscriber":"u{n}","count":\#(Self.phones),"#
                + #""attributesTypes":["DeliveryAttributes"]}"#
        )
        let documents = (1...Self.phones).map { Document.order("cooking", of: "u\($0)").text }
        try world.workspace.write("state/all.ndjson", documents.joined(separator: "\n"))
        return world
    }

    /// Expects that every phone shows its activity once.
    private func everyPhoneShowsOneTile(_ world: World) throws {
        let screens = try world.simulator.screens()
        #expect(screens.count == Self.phones)
        for device in screens.keys { #expect(try world.tilesEver(device) == 1, "\(device)") }
        try world.settles()
    }

    /// From ninenines/gun#246.
    @Test func onlyOneStreamIsUsedUntilTheFirstAnswer() throws {
        let world = try waiting()
        try world.apply()
        let pushes = try world.pushes()
        #expect(pushes.count == Self.phones)
        #expect(pushes.allSatisfy { $0.status == 200 })
        #expect(Set(pushes.map(\.connection)).count == 1)
        try everyPhoneShowsOneTile(world)
    }

    /// From jchambers/pushy#865.
    @Test(.long, arguments: [#""goaway":{"reason":"Shutdown"}"#, #""goaway":{"processed":true}"#])
    func whatGoawayDidNotProcessGoesOutAgainOnce(_ effect: String) throws {
        let world = try waiting()
        try world.fault(effect, #""after":5"#)
        try world.apply()
        let pushes = try world.pushes().filter { $0.status == 200 }
        #expect(Set(pushes.map(\.device)).count == Self.phones)
        #expect(Set(pushes.map(\.connection)).count == 2)
        try everyPhoneShowsOneTile(world)
    }

    @Test func aRefusedStreamGoesOutAgain() throws {
        let world = try waiting()
        try world.fault(#""reset":"REFUSED_STREAM""#, #""after":3,"times":4"#)
        try world.apply()
        try everyPhoneShowsOneTile(world)
    }

    /// jchambers/pushy: a token that expires while it is in use.
    @Test func anExpiredProviderTokenIsReplacedOnANewConnection() throws {
        let world = try waiting()
        try world.fault(#""answer":{"reason":"ExpiredProviderToken"}"#, #""after":5"#)
        try world.apply()
        let pushes = try world.pushes()
        #expect(pushes.filter { $0.status == 403 }.count == 1)
        #expect(Set(pushes.map(\.connection)).count == 2)
        try everyPhoneShowsOneTile(world)
    }

    /// From istornz/flutter_live_activities#174, loopandlearn/LoopFollow#625.
    @Test func aStartWhoseAnswerIsLostIsAdoptedAndNotRepeated() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.fault(#""cut":"after""#)
        let outcome = try world.apply(status: 3)
        #expect(outcome.lines.last?.contains("1 unknown") == true, "\(outcome.stdout)")
        try world.declare(.order("riding"))
        try world.apply()
        #expect(try world.events() == ["start d1 0", "update d1"])
        #expect(try world.statuses("d1") == ["riding"])
        #expect(try world.tilesEver("d1") == 1)
        try world.settles()
    }

    /// The same, where the start never arrived: only a report, a new generation or time can tell.
    @Test func aStartThatMayHaveArrivedIsNeverSentAgain() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.fault(#""cut":"before""#)
        try world.apply(status: 3)
        try world.declare(.order("riding"))
        try world.apply()
        try world.apply(launcher: FakeTime.from("+30m"))
        #expect(try world.events() == ["start d1 0"])
        try world.settles("Nothing to send; 1 held, 0 blocked.")
    }

    @Test func anUpdateWhoseAnswerIsLostIsSentAgainWithALaterTimestamp() throws {
        let world = try World(hasMovableClock: true)
        try world.set(minutes: 0)
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.apply()
        let lost = try #require(
            try {
                try world.fault(#""cut":"before""#)
                try world.declare(.order("riding"))
                try world.apply(status: 3)
                return try world.pushes().last
            }()
        )
        #expect(try world.statuses("d1") == ["cooking"])
        try world.set(minutes: 2)
        try world.apply()
        let again = try #require(try world.pushes().last)
        #expect(again.event == "update" && again.timestamp > lost.timestamp)
        #expect(try world.statuses("d1") == ["riding"])
    }

    @Test func anUpdateThatANewerOneOvertookIsNotSent() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.apply()
        try world.fault(#""answer":{"reason":"ServiceUnavailable"}"#)
        try world.declare(.order("older"))
        try world.apply(status: 3)
        #expect(try world.plan("--detailed-exitcode").stdout.contains("waits until"))
        try world.declare(.order("newer"))
        try world.apply()
        #expect(try world.events() == ["start d1", "update d1", "update d1 503"])
        // When the retry would have been due.
        let later = try world.apply(launcher: FakeTime.from("+20m"))
        #expect(later.lines.last == "No changes. Every target is in step with the files.")
        #expect(try world.events().isEmpty)
        #expect(try world.statuses("d1") == ["newer"])
    }

    /// From kylebrowning/APNSwift#34.
    @Test func runsShareOneProviderTokenForFiftyMinutes() throws {
        let world = try World(hasMovableClock: true)
        try world.phone("d1")
        var tokens: [String] = []
        for (number, minute) in [0, 1, 19, 49, 51, 52, 99].enumerated() {
            try world.set(minutes: minute)
            try world.declare(.steps(number))
            try world.apply()
            #expect(try world.events() == ["reload d1"], "at minute \(minute)")
            tokens.append(try world.providerTokens().joined())
        }
        #expect(Set(tokens).count == 2)
        #expect(tokens[0] == tokens[3] && tokens[3] != tokens[4] && tokens[4] == tokens[6])
    }

    /// From Pr0Ger/PyAPNs2#76.
    @Test func eachKeyHasItsConnectionAndToken() throws {
        let world = try World(["--app", "com.example.courier=ABCDE12345", "--app", "com.example.rider=RIDER12345"])
        let bundles = ["com.example.courier", "com.example.rider"]
        for (bundle, environment) in bundles.flatMap({ [($0, "production"), ($0, "sandbox")] }) {
            try world.simulator.send(
                #"{"do":"add","device":"\#(bundle)-\#(environment)","subscriber":"A","app":"\#(bundle)","#
                    + #""environment":"\#(environment)","widgets":["Stats"]}"#
            )
        }
        for bundle in bundles {
            var document = Document.steps(7, of: "A")
            document.app = bundle
            try world.workspace.write("state/\(bundle).json", document.text)
        }
        try world.apply()
        let pushes = try world.pushes()
        #expect(pushes.count == 4 && pushes.allSatisfy { $0.status == 200 })
        let lanes = pushes.map { "\($0.fields["environment"] ?? "") \($0.connection)" }
        #expect(Set(lanes).count == 4)
        #expect(Set(try world.providerTokens()).count == 4)
        try world.settles()
    }
}

extension World {
    /// How many tiles a phone shows or showed.
    func tilesEver(_ device: String) throws -> Int {
        (try simulator.screen(device)["tiles"] as? [Any])?.count ?? 0
    }

    /// The provider tokens that are kept beside the ledger.
    func providerTokens() throws -> [String] {
        let directory = workspace.url.appending(path: "lockstep.db.tokens")
        return try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted().map {
            try workspace.text("lockstep.db.tokens/\($0)")
        }
    }
}
