import Testing
import Time

@Suite struct DurationTextTests {
    @Test(
        arguments: [("90s", .seconds(90)), ("15m", .minutes(15)), ("8h", .hours(8)), ("0s", .zero)] as [(String, Span)]
    )
    func aNumberAndItsUnitIsALengthOfTime(text: String, span: Span) {
        #expect(DurationText.span(text) == span)
        #expect(DurationText.text(span) == text)
    }

    @Test(arguments: [
        "", "s", "90", "90 s", " 90s", "+9s", "-9s", "1.5h", "1h30m", "8d", "90S", "9999999999999999999s", "٣s",
    ])
    func anythingElseIsNone(text: String) {
        #expect(DurationText.span(text) == nil)
    }

    @Test func aLengthIsWrittenInTheLargestUnitThatDividesIt() {
        #expect(DurationText.text(.minutes(2)) == "2m")
        #expect(DurationText.text(.seconds(61)) == "61s")
        #expect(DurationText.text(.milliseconds(500)) == "0s")
    }
}
