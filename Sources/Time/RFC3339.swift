/// Moments as text, as RFC 3339 spells them.
public enum RFC3339 {
    /// The fault of a text that is not a time that Lockstep takes.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// A bare number. Epoch times are refused: milliseconds sent for seconds is the commonest mistake of all.
        case epochNumber(String)
        /// A date without a time of day.
        case dateOnly(String)
        /// A time without `Z` or an offset.
        case offsetMissing(String)
        /// It has the right shape, but there is no such day, time or offset.
        case outOfRange(String)
        /// Anything else.
        case malformed(String)

        /// The problem, and what to write instead.
        public var description: String {
            switch self {
            case .epochNumber(let text): "\(text) is not an RFC 3339 date\(RFC3339.meaning(ofNumber: text))"
            case .dateOnly(let text): "'\(text)' has no time of day; write \(text)T00:00:00Z"
            case .offsetMissing(let text): "'\(text)' has no offset; write \(text)Z, or +02:00 for the local one"
            case .outOfRange(let text): "'\(text)' is not in the calendar, or not on the clock"
            case .malformed(let text): "'\(text)' is not an RFC 3339 date; write one like 2026-11-30T10:30:00Z"
            }
        }
    }

    /// The moment that a text such as `2026-11-30T10:30:00.25+01:00` names.
    ///
    /// The offset is required. Fractions beyond milliseconds are cut off. Second 60 is taken where a leap second can
    /// be, at the end of a month in UTC, and counts as the first moment of the next one.
    public static func moment(of text: String) throws(Failure) -> Moment {
        var reader = Reader(text)
        guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2), reader.take("-"),
            let day = reader.digits(2)
        else { throw text.isNumber ? .epochNumber(text) : .malformed(text) }
        if reader.isAtEnd { throw .dateOnly(text) }
        guard reader.take("T") || reader.take("t"), let hour = reader.digits(2), reader.take(":"),
            let minute = reader.digits(2), reader.take(":"), let second = reader.digits(2)
        else { throw .malformed(text) }
        var fraction: Int64 = 0
        if reader.take(".") {
            guard let milliseconds = reader.fraction() else { throw .malformed(text) }
            fraction = milliseconds
        }
        if reader.isAtEnd { throw .offsetMissing(text) }
        guard let offset = reader.offset(), reader.isAtEnd else { throw .malformed(text) }
        guard (1...12).contains(month), (1...length(ofMonth: month, year: year)).contains(day), hour < 24, minute < 60,
            offset.hours < 24, offset.minutes < 60
        else { throw .outOfRange(text) }
        let minutes = Int64(hour * 60 + minute) - offset.sign * Int64(offset.hours * 60 + offset.minutes)
        let start = dayNumber(year: year, month: month, day: day) * 86_400 + minutes * 60
        guard second < 60 || (second == 60 && isMonthStart(start + 60)) else { throw .outOfRange(text) }
        return Moment(seconds: start + Int64(second)) + .milliseconds(second == 60 ? 0 : fraction)
    }

    /// The time in UTC: seconds and `Z`, and milliseconds only where there are any.
    public static func string(_ moment: Moment) -> String {
        let (seconds, fraction) = floorDivide(moment.milliseconds, by: 1_000)
        let (days, time) = floorDivide(seconds, by: 86_400)
        let date = date(ofDay: days)
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2) + "T"
            + padded(time / 3_600, 2) + ":" + padded(time / 60 % 60, 2) + ":" + padded(time % 60, 2)
            + (fraction == 0 ? "" : "." + padded(fraction, 3)) + "Z"
    }
}

// MARK: - Numbers that were meant as times

extension RFC3339 {
    /// `"; 2025-05-05T20:11:00.808Z was probably meant"`, or what to write where the number is no likely time.
    ///
    /// Seconds, milliseconds, microseconds and nanoseconds since 1970 are told apart by their size: one of them gives a
    /// year from 2001 to 2099.
    static func meaning(ofNumber text: String) -> String {
        let number = Double(text) ?? 0
        for unit in [1, 1e3, 1e6, 1e9] where (978_307_200..<4_102_444_800).contains(number / unit) {
            let milliseconds = Int64((number / unit * 1_000).rounded(.down))
            return "; \"\(string(Moment(milliseconds: milliseconds)))\" was probably meant"
        }
        return "; write one like \"2026-11-30T10:30:00Z\""
    }
}

extension String {
    fileprivate var isNumber: Bool {
        utf8.first.map { $0 == 0x2D || (0x30...0x39).contains($0) } == true && Double(self) != nil
    }
}

// MARK: - The calendar

extension RFC3339 {
    private static func floorDivide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar.
    ///
    /// Years here begin in March, so that the leap day is
    /// the last of one.
    private static func dayNumber(year: Int, month: Int, day: Int) -> Int64 {
        let year = Int64(month > 2 ? year : year - 1)
        let month = Int64(month > 2 ? month - 3 : month + 9)
        let (era, yearOfEra) = floorDivide(year, by: 400)
        let dayOfYear = (153 * month + 2) / 5 + Int64(day) - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The inverse of ``dayNumber(year:month:day:)``.
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivide(day + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        return (
            era * 400 + yearOfEra + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    private static func isMonthStart(_ seconds: Int64) -> Bool {
        let (day, time) = floorDivide(seconds, by: 86_400)
        return time == 0 && date(ofDay: day).day == 1
    }
}

// MARK: - Reading

private struct Reader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Character) -> Bool {
        guard let first = rest.first, first == character.asciiValue else { return false }
        rest.removeFirst()
        return true
    }

    mutating func digits(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest.removeFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    mutating func fraction() -> Int64? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest.removeFirst(digits.count)
        let thousandths = digits.prefix(3).reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        return thousandths * [100, 10, 1][min(digits.count, 3) - 1]
    }

    mutating func offset() -> (sign: Int64, hours: Int, minutes: Int)? {
        if take("Z") || take("z") { return (1, 0, 0) }
        let isAhead = take("+")
        guard isAhead || take("-"), let hours = digits(2), take(":"), let minutes = digits(2) else { return nil }
        return (isAhead ? 1 : -1, hours, minutes)
    }
}
