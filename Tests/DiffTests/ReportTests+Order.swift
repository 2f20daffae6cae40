import Diff
import JSON
import TestSeeds
import Testing
import Time

/// Reports in any order.
extension ReportTests {
    /// Reports of two people, logouts among them, in any order: who owns the device and what is registered is the same
    /// as in the order of their times.
    @Test(arguments: 0..<(runsLongProofs ? 10_000 : 200) as Range<UInt64>)
    func whatIsRegisteredDoesNotDependOnTheOrderOfReports(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var reports: [Report] = []
        for at in 1...Int64.random(in: 2...7, using: &random) {
            let events: [Report.Event] = [
                hasWidgets(Text("w\(at)")), canStart(Text("s\(at)")), canStart(Text("f\(at)"), "Flight"),
                .widgetsUnregistered, .startUnregistered(attributesType: "Delivery"), .loggedOut,
            ]
            let subscriber: Text = Bool.random(using: &random) ? "anna" : "ben"
            reports.append(
                report(
                    Moment(milliseconds: at),
                    events[Int.random(in: 0..<events.count, using: &random)],
                    by: subscriber
                )
            )
        }
        var inOrder = Phone()
        for report in reports { inOrder.take(report) }
        var shuffled = Phone()
        let order = reports.shuffled(using: &random)
        for report in order + order.prefix(2) { shuffled.take(report) }
        #expect(shuffled.live == inOrder.live, "in order: \(order.map(\.at))")
    }
}

extension Phone {
    /// Who owns it, and the tokens that can be used.
    fileprivate var live: [String] {
        lines.filter { !$0.contains(" - ") && !$0.hasSuffix(" -") }
            .map { $0.replacing(" owes a reload", with: "") }.sorted()
    }
}
