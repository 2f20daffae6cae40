import Testing

/// What cannot work yet, each with its reason; a row that begins to work fails here, and its case becomes a test.
///
/// Lost answers, GOAWAY, expired provider tokens and adoption after a loss work already: see `ConnectionCasesTests`.
///
/// What has no key or command to be refused waits for the same step:
/// - a launch that nobody reported stays outstanding: there is no `unconfirmed` after its time and no `expired` 12 hours
///   later, so it blocks its device and name until the device reports;
/// - a report with neither `launchRequestId` nor `name` adopts nothing, for inference comes with its ambiguity;
/// - 10,000 pushes over one provider token are a benchmark; the tests send some hundred.
@Suite struct CasesOfLater {
    static let keys: [(key: String, reason: String)] = [
        (#""restart":"if-unconfirmed""#, "needs the timers of launches that nobody reported"),
        (#""renew":true"#, "needs a launch that follows the 8 hours"),
        (#""expiresAfter":"2h""#, "needs deliveries that expire while they wait"),
        (#""minInterval":"15m""#, "needs deliveries that wait for a time"),
    ]

    @Test(arguments: keys)
    func aKeyThatIsNotBuiltIsRefused(key: String, reason: String) throws {
        let world = try Workspace()
        try world.run("init")
        try world.write("state/user_42.json", Document.order("cooking", key).text)
        let outcome = try world.run("validate")
        #expect(outcome.status == 65)
        #expect(outcome.stderr.contains("is not built yet; remove it"), "\(reason): \(outcome.stderr)")
    }

    static let commands: [(command: String, reason: String)] = [
        ("pause", "needs deliveries that are held without being released"),
        ("resume", "follows pause"),
        ("revoke", "needs scopes"),
        ("reauthorize", "needs scopes"),
        ("quota", "needs reservations that survive a day's end"),
        ("adopt", "needs instances that were never launched from here"),
        ("show", "needs saved plans"),
    ]

    @Test(arguments: commands)
    func aCommandThatIsNotBuiltSaysSo(command: String, reason: String) throws {
        let outcome = try Workspace().run(command)
        #expect(outcome.status == 64)
        #expect(outcome.stderr.contains("'\(command)' is not built yet"), "\(reason): \(outcome.stderr)")
    }
}
