import Testing

@testable import Foreign

@Suite struct DurationTextTests {
    @Test(arguments: [("90s", 90_000), ("15m", 900_000), ("8h", 28_800_000), ("0s", 0)] as [(String, Int64)])
    func aNumberAndItsUnitIsALengthOfTime(text: String, milliseconds: Int64) {
        #expect(DurationText.milliseconds(text) == milliseconds)
        #expect(DurationText.text(milliseconds: milliseconds) == text)
    }

    @Test(arguments: [
        "", "s", "90", "90 s", " 90s", "+9s", "-9s", "1.5h", "1h30m", "8d", "90S", "9999999999999999999s", "٣s",
    ])
    func anythingElseIsNone(text: String) {
        #expect(DurationText.milliseconds(text) == nil)
    }

    @Test func aLengthIsWrittenInTheLargestUnitThatDividesIt() {
        #expect(DurationText.text(milliseconds: 120_000) == "2m")
        #expect(DurationText.text(milliseconds: 61_000) == "61s")
        #expect(DurationText.text(milliseconds: 500) == "0s")
    }
}
