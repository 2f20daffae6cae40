import Foundation
import Testing
import Time

struct RFC3339Tests {
    /// The examples of RFC 3339, section 5.8, and the edges around them; the milliseconds come from GNU date.
    static let times: [(text: String, milliseconds: Int64, printed: String)] = [
        ("1985-04-12T23:20:50.52Z", 482_196_050_520, "1985-04-12T23:20:50.520Z"),
        ("1996-12-19T16:39:57-08:00", 851_042_397_000, "1996-12-20T00:39:57Z"),
        ("1990-12-31T23:59:60Z", 662_688_000_000, "1991-01-01T00:00:00Z"),
        ("1990-12-31T15:59:60-08:00", 662_688_000_000, "1991-01-01T00:00:00Z"),
        ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130, "1937-01-01T11:40:27.870Z"),
        ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"),
        ("1969-12-31T23:59:59.999Z", -1, "1969-12-31T23:59:59.999Z"),
        ("2000-02-29T00:00:00Z", 951_782_400_000, "2000-02-29T00:00:00Z"),
        ("2026-11-30T10:30:00.1+01:00", 1_796_031_000_100, "2026-11-30T09:30:00.100Z"),
        ("2026-11-30T10:30:00.123456789Z", 1_796_034_600_123, "2026-11-30T10:30:00.123Z"),
        ("2026-11-30t10:30:00z", 1_796_034_600_000, "2026-11-30T10:30:00Z"),
        ("2026-11-30T10:30:00-00:00", 1_796_034_600_000, "2026-11-30T10:30:00Z"),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000, "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59Z", 253_402_300_799_000, "9999-12-31T23:59:59Z"),
    ]

    @Test(arguments: times)
    func readsAndWrites(_ row: (text: String, milliseconds: Int64, printed: String)) throws {
        #expect(try RFC3339.moment(of: row.text) == Moment(milliseconds: row.milliseconds))
        #expect(RFC3339.string(Moment(milliseconds: row.milliseconds)) == row.printed)
    }

    static let refused: [(text: String, failure: RFC3339.Failure)] = [
        ("2026-11-30T10:30:00", .offsetMissing("2026-11-30T10:30:00")),
        ("2026-11-30T10:30:00.5", .offsetMissing("2026-11-30T10:30:00.5")),
        ("2026-11-30", .dateOnly("2026-11-30")),
        ("2026-02-29T00:00:00Z", .outOfRange("2026-02-29T00:00:00Z")),
        ("2026-13-01T00:00:00Z", .outOfRange("2026-13-01T00:00:00Z")),
        ("2026-00-01T00:00:00Z", .outOfRange("2026-00-01T00:00:00Z")),
        ("2026-04-31T00:00:00Z", .outOfRange("2026-04-31T00:00:00Z")),
        ("2026-11-30T24:00:00Z", .outOfRange("2026-11-30T24:00:00Z")),
        ("2026-11-30T10:60:00Z", .outOfRange("2026-11-30T10:60:00Z")),
        ("2026-11-30T10:30:61Z", .outOfRange("2026-11-30T10:30:61Z")),
        ("2026-11-30T10:30:60Z", .outOfRange("2026-11-30T10:30:60Z")),
        ("2026-11-29T23:59:60Z", .outOfRange("2026-11-29T23:59:60Z")),
        ("2026-11-30T10:30:00+24:00", .outOfRange("2026-11-30T10:30:00+24:00")),
        ("1746475860808", .epochNumber("1746475860808")),
        ("1746475860", .epochNumber("1746475860")),
        ("17464758600", .epochNumber("17464758600")),
        ("", .malformed("")),
        ("now", .malformed("now")),
        ("2026-11-30 10:30:00Z", .malformed("2026-11-30 10:30:00Z")),
        ("2026-11-30T10:30Z", .malformed("2026-11-30T10:30Z")),
        ("2026-11-30T10:30:00.Z", .malformed("2026-11-30T10:30:00.Z")),
        ("2026-11-30T10:30:00+0100", .malformed("2026-11-30T10:30:00+0100")),
        ("2026-11-30T10:30:00Z ", .malformed("2026-11-30T10:30:00Z ")),
        ("٢٠٢٦-11-30T10:30:00Z", .malformed("٢٠٢٦-11-30T10:30:00Z")),
    ]

    @Test(arguments: refused)
    func refusesWhatIsNoTime(_ row: (text: String, failure: RFC3339.Failure)) {
        #expect(throws: row.failure) { try RFC3339.moment(of: row.text) }
    }

    @Test(arguments: [
        ("1746475860808", "2025-05-05T20:11:00.808Z"), ("1746475860", "2025-05-05T20:11:00Z"),
        ("1746475860808000", "2025-05-05T20:11:00.808Z"), ("1746475860.5", "2025-05-05T20:11:00.500Z"),
    ])
    func showsTheDateThatANumberProbablyMeans(_ number: String, _ date: String) {
        let text = RFC3339.Failure.epochNumber(number).description
        #expect(text == "\(number) is not an RFC 3339 date; \"\(date)\" was probably meant")
    }

    @Test func agreesWithFoundationOnEveryDay() throws {
        let style = Date.ISO8601FormatStyle()
        for day in stride(from: -25_000, through: 60_000, by: 5) {
            let seconds = Int64(day) * 86_400 + Int64(day & 0xFFFF)
            let text = RFC3339.string(Moment(seconds: seconds))
            #expect(text == Date(timeIntervalSince1970: Double(seconds)).formatted(style))
            #expect(try RFC3339.moment(of: text) == Moment(seconds: seconds))
        }
    }
}
