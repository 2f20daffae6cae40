/// A length of time to the millisecond, perhaps negative; what does not fit is the nearest that does.
public struct Span: Hashable, Sendable {
    /// The length in milliseconds.
    public var milliseconds: Int64

    /// A length by its milliseconds.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// No time at all.
    public static let zero = Span(milliseconds: 0)

    /// So many milliseconds.
    public static func milliseconds(_ count: Int64) -> Span { Span(milliseconds: count) }
    /// So many seconds.
    public static func seconds(_ count: Int64) -> Span { Span(milliseconds: 1000) * count }
    /// So many minutes.
    public static func minutes(_ count: Int64) -> Span { Span(milliseconds: 60_000) * count }
    /// So many hours.
    public static func hours(_ count: Int64) -> Span { Span(milliseconds: 3_600_000) * count }
    /// So many days of 24 hours.
    public static func days(_ count: Int64) -> Span { Span(milliseconds: 86_400_000) * count }

    /// Whole seconds; a fraction is cut off, towards zero.
    public var seconds: Int64 { milliseconds / 1000 }
}

extension Span: Comparable {
    /// Orders spans by length.
    public static func < (left: Span, right: Span) -> Bool { left.milliseconds < right.milliseconds }

    /// Both, one after the other.
    public static func + (left: Span, right: Span) -> Span {
        let (sum, overflows) = left.milliseconds.addingReportingOverflow(right.milliseconds)
        return Span(milliseconds: overflows ? (right.milliseconds < 0 ? .min : .max) : sum)
    }

    /// The time by which the left one is longer.
    public static func - (left: Span, right: Span) -> Span {
        let (difference, overflows) = left.milliseconds.subtractingReportingOverflow(right.milliseconds)
        return Span(milliseconds: overflows ? (right.milliseconds < 0 ? .max : .min) : difference)
    }

    /// So many times the length.
    public static func * (span: Span, count: Int64) -> Span {
        let (product, overflows) = span.milliseconds.multipliedReportingOverflow(by: count)
        return Span(milliseconds: overflows ? ((span.milliseconds < 0) == (count < 0) ? .max : .min) : product)
    }
}
