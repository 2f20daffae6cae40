/// Lengths of time as people write them: `90s`, `15m`, `8h`.
public enum DurationText {
    private static let units: [(suffix: Character, length: Span)] = [
        ("h", .hours(1)), ("m", .minutes(1)), ("s", .seconds(1)),
    ]

    /// Reads one.
    ///
    /// - Parameter text: A whole number and its unit, with nothing before, between or after.
    /// - Returns: The length; `nil` where it is no such length, or one that does not fit.
    public static func span(_ text: String) -> Span? {
        let digits = text.dropLast()
        guard let unit = units.first(where: { $0.suffix == text.last }), !digits.isEmpty,
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let count = Int64(digits)
        else { return nil }
        let (milliseconds, overflows) = count.multipliedReportingOverflow(by: unit.length.milliseconds)
        return overflows ? nil : Span(milliseconds: milliseconds)
    }

    /// Writes one, in the largest unit that divides it: `90s`, `15m`, `8h`.
    ///
    /// - Parameter span: The span; the rest of a second is not shown.
    /// - Returns: The text that ``span(_:)`` reads back.
    public static func text(_ span: Span) -> String {
        let milliseconds = span.milliseconds
        let unit = units.first { milliseconds > 0 && milliseconds.isMultiple(of: $0.length.milliseconds) }
        guard let unit else { return "\(span.seconds)s" }
        return "\(milliseconds / unit.length.milliseconds)\(unit.suffix)"
    }
}
