import Foundation
import Testing

/// The phones answer as iOS does.
@Suite struct PhoneTests {
    private let simulator: RunningSimulator
    private let provider: String

    init() throws {
        simulator = try RunningSimulator(commands: [
            PhoneTests.add("d26", os: "26.0"), PhoneTests.add("d18", os: "18.1"), PhoneTests.add("d17", os: "17.4"),
            PhoneTests.add("d16", os: "16.4"),
        ])
        provider = try ProviderTokens.good(simulator)
    }

    private static func add(_ device: String, os: String, more: String = "") -> String {
        """
        {"do":"add","device":"\(device)","subscriber":"user_42","os":"\(os)","widgets":["Stats","Steps"],\
        "attributesTypes":["DeliveryAttributes"]\(more)}
        """
    }

    /// Sends an activity push to a token.
    @discardableResult
    private func send(_ token: String, _ aps: String) throws -> CurlAnswer {
        try #require(try curl(simulator, [Pushes.activity(token, provider, aps)]).first)
    }

    /// Starts an activity on a phone.
    ///
    /// - Returns: Its update token.
    private func start(_ device: String, launch: String = "lrq_1") throws -> String {
        let answer = try send(try simulator.token(device, "start.registered"), Pushes.start(launch: launch))
        #expect(answer.status == 200)
        return try simulator.token(device, "activity.registered")
    }

    private func dropped() throws -> [String: Int] {
        try simulator.tell(#"{"do":"counters"}"#)["dropped"] as? [String: Int] ?? [:]
    }

    // MARK: Registration

    @Test func eachPhoneRegistersWhatItsVersionOffers() throws {
        let kinds = try Dictionary(grouping: simulator.reports()) { try #require($0["device"] as? String) }
            .mapValues { $0.compactMap { $0["type"] as? String } }
        #expect(kinds["d26"] == ["widgets.registered", "start.registered"])
        #expect(kinds["d18"] == ["start.registered"])
        #expect(kinds["d17"] == ["start.registered"])
        #expect(kinds["d16"] == nil)
        let report = try #require(try simulator.reports("start.registered").first)
        #expect((report["token"] as? String)?.count == 64)
        #expect(report["os"] as? String == "26.0")
        #expect((report["at"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/) != nil)
    }

    @Test func manyPhonesAreAddedAtOnceInFewFiles() throws {
        try simulator.tell(
            #"{"do":"add","device":"p{n:5}","subscriber":"s{n}","count":2000,"from":7,"widgets":["W"]}"#
        )
        let reports = try simulator.reports("widgets.registered").filter {
            ($0["device"] as? String)?.hasPrefix("p") == true
        }
        #expect(reports.count == 2000)
        #expect(reports.first?["device"] as? String == "p00007")
        #expect(reports.last?["subscriber"] as? String == "s2006")
        #expect(Set(reports.compactMap { $0["token"] as? String }).count == 2000)
        let spool = simulator.directory.appending(path: "reports")
        #expect(try FileManager.default.contentsOfDirectory(atPath: spool.path).count == 2)
    }

    // MARK: Activities

    @Test(arguments: [
        ("d26", true, true), ("d26", false, false), ("d18", true, true), ("d18", false, false), ("d17", true, true),
        ("d17", false, true),
    ])
    func aStartGivesATokenAsTheVersionDoes(_ device: String, asks: Bool, reports: Bool) throws {
        let token = try simulator.token(device, "start.registered")
        #expect(try send(token, Pushes.start(launch: "lrq_7", asksForToken: asks)).status == 200)
        let tile = try #require(try simulator.tiles(device).first)
        #expect(tile["launchRequestId"] as? String == "lrq_7")
        #expect(tile["state"] as? [String: String] == ["status": "cooking"])
        #expect(tile["attributesType"] as? String == "DeliveryAttributes")
        #expect(tile["alertsRung"] as? Int == 1)
        #expect(tile["ended"] as? Bool == false)
        let report = try simulator.reports("activity.registered").first
        #expect((report != nil) == reports)
        guard let report else { return }
        #expect((report["token"] as? String)?.count == 160)
        #expect(report["launchRequestId"] as? String == "lrq_7")
        #expect(report["activityId"] as? String == tile["activityId"] as? String)
        #expect(report["attributesType"] as? String == "DeliveryAttributes")
        #expect(report["subscriber"] as? String == "user_42")
    }

    @Test func aStartSentTwiceMakesTwoTiles() throws {
        let token = try simulator.token("d26", "start.registered")
        try send(token, Pushes.start())
        try send(token, Pushes.start())
        #expect(try simulator.tiles("d26").count == 2)
    }

    @Test(arguments: [
        (#""alert":{"#, #""alarm":{"#, "a start needs an 'alert' with a title and a body"),
        (#""body":"#, #""text":"#, "a start needs an 'alert' with a title and a body"),
        (#""content-state":{"#, #""contentState":{"#, "'content-state' is missing"),
        (#"{"status":"cooking"}"#, #""cooking""#, "'content-state' is not a dictionary"),
        (#""event":"start""#, #""event":"begin""#, "'event' is not start, update or end"),
        (#""event":"start""#, #""event":"update""#, "the token is not for a push with this event"),
        (#""attributes":{"#, #""attribute":{"#, "a start needs 'attributes-type' and 'attributes'"),
        ("DeliveryAttributes", "OtherAttributes", "the token starts activities of the type 'DeliveryAttributes' only"),
        (#""timestamp":"#, #""timestamp":1000"#, "'timestamp' is in milliseconds, not seconds"),
        (#""timestamp":"#, #""timestamp":0.5,"was":"#, "'timestamp' is not a whole number of seconds"),
        (#""alert":{"#, #""stale-date":"soon","alert":{"#, "'stale-date' is not a number of seconds"),
    ])
    func appleAcceptsWhatThePhoneCannotUse(_ part: String, replacement: String, why: String) throws {
        let aps = Pushes.start().replacingOccurrences(of: part, with: replacement)
        #expect(try send(try simulator.token("d26", "start.registered"), aps).status == 200)
        #expect(try simulator.tiles("d26").isEmpty)
        #expect(try dropped() == [why: 1])
    }

    @Test func updatesShowUnlessTheyAreOlder() throws {
        let token = try start("d26")
        let now = Pushes.now
        try send(token, Pushes.change("update", "riding", timestamp: now + 10, more: #","stale-date":\#(now - 5)"#))
        try send(token, Pushes.change("update", "late", timestamp: now + 9))
        try send(token, Pushes.change("update", "equal", timestamp: now + 10))
        var tile = try #require(try simulator.tiles("d26").first)
        #expect(tile["state"] as? [String: String] == ["status": "riding"])
        #expect(tile["stale"] as? Bool == true)
        #expect(tile["alertsRung"] as? Int == 1)
        #expect(try dropped().values.reduce(0, +) == 2)
        let alert = #","alert":{"title":"t","body":"b"}"#
        try send(token, Pushes.change("update", "there", timestamp: now + 11, more: alert))
        tile = try #require(try simulator.tiles("d26").first)
        #expect(tile["state"] as? [String: String] == ["status": "there"])
        #expect(tile["stale"] as? Bool == false)
        #expect(tile["alertsRung"] as? Int == 2)
    }

    @Test func aSilentStartDoesNotRing() throws {
        try send(try simulator.token("d26", "start.registered"), Pushes.start(sound: false))
        #expect(try simulator.tiles("d26").first?["alertsRung"] as? Int == 0)
    }

    @Test(arguments: [(Int64(-10), 0), (3_600, 1), (nil, 1)] as [(Int64?, Int)])
    func anEndLeavesTheTileAsItsDismissalDateSays(_ dismissal: Int64?, tiles: Int) throws {
        let token = try start("d26")
        let more = dismissal.map { #","dismissal-date":\#(Pushes.now + $0)"# } ?? ""
        let end = Pushes.change("end", "delivered", timestamp: Pushes.now + 10, more: more)
        #expect(try send(token, end).status == 200)
        let shown = try simulator.tiles("d26")
        #expect(shown.count == tiles)
        #expect(shown.allSatisfy { $0["ended"] as? Bool == true })
        #expect(shown.allSatisfy { $0["state"] as? [String: String] == ["status": "delivered"] })
        let after = try send(token, Pushes.change("update", "again", timestamp: Pushes.now + 20))
        #expect(after.status == 410)
        #expect(after.reason == "ExpiredToken")
        #expect(after.timestamp != nil)
        #expect(try simulator.reports("activity.ended").isEmpty)
    }

    @Test func anAppThatWatchesReportsTheEnd() throws {
        try simulator.tell(Self.add("dw", os: "26.0", more: #","reportsEnds":true"#))
        let token = try start("dw", launch: "lrq_9")
        try send(token, Pushes.change("end", "delivered", timestamp: Pushes.now + 10))
        let report = try #require(try simulator.reports("activity.ended").first)
        #expect(report["launchRequestId"] as? String == "lrq_9")
    }

    @Test func dismissedTilesAreReportedAndTheirTokensDead() throws {
        let token = try start("d26")
        #expect(try simulator.tell(#"{"do":"dismiss","device":"d26"}"#)["count"] as? Int == 1)
        #expect(try simulator.tiles("d26").isEmpty)
        #expect(try simulator.reports("activity.dismissed").count == 1)
        #expect(try send(token, Pushes.change("update", "again", timestamp: Pushes.now + 20)).status == 410)
    }

    @Test func theAppStartsAndEndsActivitiesItself() throws {
        let answer = try simulator.tell(
            #"{"do":"start","device":"d16","name":"order-7","attributesType":"DeliveryAttributes","state":{"a":1}}"#
        )
        let id = try #require((answer["activityIds"] as? [String])?.first)
        let report = try #require(try simulator.reports("activity.registered").first)
        #expect(report["name"] as? String == "order-7")
        #expect(report["launchRequestId"] == nil)
        let token = try #require(report["token"] as? String)
        #expect(try send(token, Pushes.change("update", "riding", timestamp: Pushes.now)).status == 200)
        #expect(try simulator.tiles("d16").first?["state"] as? [String: String] == ["status": "riding"])
        try simulator.tell(#"{"do":"end","device":"d16","name":"order-7","atOnce":true}"#)
        #expect(try simulator.tiles("d16").isEmpty)
        #expect(try simulator.reports("activity.ended").first?["activityId"] as? String == id)
    }

    // MARK: Phones and people

    @Test func signingInAndOutMovesTheRegistrations() throws {
        let token = try simulator.token("d26", "widgets.registered")
        try simulator.tell(#"{"do":"sign-out","device":"d26"}"#)
        try simulator.tell(#"{"do":"sign-in","device":"d26","as":"user_7"}"#)
        let reports = try simulator.reports().filter { $0["device"] as? String == "d26" }.dropFirst(2)
        #expect(
            reports.map { $0["type"] as? String }
                == ["subscriber.loggedOut", "widgets.registered", "start.registered"]
        )
        #expect(reports.map { $0["subscriber"] as? String } == ["user_42", "user_7", "user_7"])
        #expect(try simulator.token("d26", "widgets.registered") == token)
    }

    @Test func anAnonymousUserIsIdentified() throws {
        try simulator.tell(#"{"do":"add","device":"da","widgets":["Stats"]}"#)
        try simulator.tell(#"{"do":"identify","device":"da","as":"user_8"}"#)
        let report = try #require(try simulator.reports("subscriber.identified").first)
        #expect(report["anonymous"] as? String == "anon_da")
        #expect(report["subscriber"] as? String == "user_8")
    }

    @Test func rotatedTokensAreReportedAndTheOldOnesDeadOrSilent() throws {
        let old = try start("d26")
        try simulator.tell(#"{"do":"rotate","device":"d26"}"#)
        let new = try simulator.token("d26", "activity.registered")
        #expect(try send(old, Pushes.change("update", "old", timestamp: Pushes.now + 10)).reason == "Unregistered")
        #expect(try send(new, Pushes.change("update", "new", timestamp: Pushes.now + 10)).status == 200)
        try simulator.tell(#"{"do":"rotate","device":"d26","silently":true}"#)
        #expect(try send(new, Pushes.change("update", "lost", timestamp: Pushes.now + 20)).status == 200)
        #expect(try simulator.tiles("d26").first?["state"] as? [String: String] == ["status": "new"])
    }

    @Test func outOfReachAppleKeepsTheLatestPushUnlessItExpires() throws {
        let token = try start("d26")
        try simulator.tell(#"{"do":"out-of-reach","device":"d26"}"#)
        for (index, status) in ["one", "two", "three"].enumerated() {
            var push = Pushes.activity(
                token,
                provider,
                Pushes.change("update", status, timestamp: Pushes.now + 10 + Int64(index))
            )
            push.headers["apns-expiration"] = status == "three" ? "0" : "4102444800"
            #expect(try curl(simulator, [push]).map(\.status) == [200])
        }
        try simulator.tell(#"{"do":"sign-in","device":"d26","as":"user_7"}"#)
        #expect(try simulator.tiles("d26").first?["state"] as? [String: String] == ["status": "cooking"])
        #expect(try simulator.reports().allSatisfy { $0["subscriber"] as? String == "user_42" })
        try simulator.tell(#"{"do":"in-reach","device":"d26"}"#)
        #expect(try simulator.tiles("d26").first?["state"] as? [String: String] == ["status": "two"])
        #expect(try simulator.reports().last?["subscriber"] as? String == "user_7")
    }

    @Test func anUpdateOfIOSBringsWidgetPushes() throws {
        try simulator.tell(#"{"do":"update-os","device":"d18","os":"26.0"}"#)
        #expect(try simulator.reports("widgets.registered").last?["device"] as? String == "d18")
        #expect(try simulator.screen("d18")["os"] as? String == "26.0")
    }

    @Test func placingAndRemovingWidgetsIsReported() throws {
        try simulator.tell(#"{"do":"widgets","device":"d26","add":["Map"],"remove":["Stats"]}"#)
        #expect(try simulator.reports("widgets.registered").last?["widgets"] as? [String] == ["Map", "Steps"])
        let token = try simulator.token("d26", "widgets.registered")
        try simulator.tell(#"{"do":"widgets","device":"d26","remove":["Map","Steps"]}"#)
        #expect(try simulator.reports("widgets.unregistered").count == 1)
        #expect(try curl(simulator, [Pushes.reload(token, provider)]).map(\.status) == [410])
    }

    // MARK: Widgets

    @Test func aReloadShowsWhatIsPublished() throws {
        let key = try Data(contentsOf: simulator.directory.appending(path: "apple/publish.key"))
        // The path by Python's hmac, not by ours.
        let digits = try python(
            """
            import hashlib, hmac, sys
            print(hmac.new(sys.argv[1].encode(), b"com.example.courier\\0user_42", hashlib.sha256).hexdigest(), end="")
            """,
            [String(decoding: key, as: UTF8.self)]
        )
        let file = simulator.directory.appending(path: "public/\(digits.prefix(2))/\(digits).json")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(
            #"{"version":1,"app":"com.example.courier","widgets":{"Stats":{"state":{"n":9},"revision":3}}}"#.utf8
        ).write(to: file)
        let token = try simulator.token("d26", "widgets.registered")
        #expect(try curl(simulator, [Pushes.reload(token, provider)]).map(\.status) == [200])
        let apps = try #require(try simulator.screen("d26")["apps"] as? [String: [String: Any]])
        let widgets = try #require(apps["com.example.courier"]?["widgets"] as? [String: [String: Any]])
        #expect(widgets["Stats"]?["state"] as? [String: Int] == ["n": 9])
        #expect(widgets["Stats"]?["revision"] as? Int == 3)
        #expect(widgets["Steps"]?["state"] is NSNull)
    }

    // MARK: Commands

    @Test(arguments: [
        ("nonsense", "not a JSON text"), ("[]", "not a JSON object"), (#"{"do":"fly"}"#, "name the phones"),
        (#"{"do":"fly","all":true}"#, "no command 'fly'"), (#"{"do":"dismiss","device":"d0"}"#, "no device 'd0'"),
        (#"{"do":"add","device":"d26"}"#, "'d26' already"), (#"{"do":"add"}"#, "needs 'device'"),
        (#"{"do":"add","device":"x","os":"new"}"#, "iOS version"),
        (#"{"do":"add","device":"x","colour":"red"}"#, "no key 'colour'"),
        (#"{"do":"sign-in","device":"d26"}"#, "needs 'as'"), (#"{"do":"rotate"}"#, "name the phones"),
    ])
    func aWrongCommandIsAnsweredWithTheReason(_ command: String, part: String) throws {
        let answer = try simulator.ask(command)
        #expect(answer["ok"] as? Bool == false)
        #expect((answer["error"] as? String)?.contains(part) == true, "\(answer)")
    }
}
