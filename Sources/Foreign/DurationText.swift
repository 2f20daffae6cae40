/// Lengths of time as people write them: `90s`, `15m`, `8h`.
public enum DurationText {
    private static let units: [(suffix: Character, milliseconds: Int64)] = [
        ("h", 3_600_000), ("m", 60_000), ("s", 1_000),
    ]

    /// Reads one.
    ///
    /// - Parameter text: A whole number and its unit, with nothing before, between or after.
    /// - Returns: Milliseconds; `nil` where it is no such length, or one that does not fit.
    public static func milliseconds(_ text: String) -> Int64? {
        let digits = text.dropLast()
        guard let unit = units.first(where: { $0.suffix == text.last }), !digits.isEmpty,
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let count = Int64(digits)
        else { return nil }
        let (milliseconds, overflows) = count.multipliedReportingOverflow(by: unit.milliseconds)
        return overflows ? nil : milliseconds
    }

    /// Writes one, in the largest unit that divides it: `90s`, `15m`, `8h`.
    ///
    /// - Parameter milliseconds: What is left of a second is not shown.
    /// - Returns: What ``milliseconds(_:)`` reads back.
    public static func text(milliseconds: Int64) -> String {
        let unit = units.first { milliseconds > 0 && milliseconds.isMultiple(of: $0.milliseconds) } ?? ("s", 1_000)
        return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }
}
