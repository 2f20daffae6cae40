import Testing

/// What cannot work yet, each with its reason; a row that begins to work fails here, and its case becomes a test.
///
/// Lost answers, GOAWAY, expired provider tokens and adoption after a loss work already: see `ConnectionCasesTests`.
///
/// 10,000 pushes over one provider token are a benchmark; the tests send some hundred.
@Suite struct CasesOfLater {
    static let commands: [(command: String, reason: String)] = [
        ("doctor", "needs checks of keys, endpoints and clocks")
    ]

    @Test(arguments: commands)
    func aCommandThatIsNotBuiltSaysSo(command: String, reason: String) throws {
        let outcome = try Workspace().run(command)
        #expect(outcome.status == 64)
        #expect(outcome.stderr.contains("'\(command)' is not built yet"), "\(reason): \(outcome.stderr)")
    }
}
