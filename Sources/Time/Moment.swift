/// A moment to the millisecond, counted from 1970-01-01T00:00:00Z; leap seconds are not counted.
public struct Moment: Hashable, Sendable {
    /// Milliseconds since 1970.
    public var milliseconds: Int64

    /// A moment by its milliseconds since 1970.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// A moment by its seconds since 1970, as APNs and JSON Web Tokens count them; one too far off is the nearest there is.
    public init(seconds: Int64) {
        milliseconds = Span.seconds(seconds).milliseconds
    }

    /// Whole seconds since 1970; a fraction is cut off, towards the past.
    public var seconds: Int64 {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The moment cut to whole seconds, as APNs and the state files count.
    public var wholeSecond: Moment { Moment(seconds: seconds) }

    /// Stands in records for what has not happened: the 0 of their columns.
    public static let never = Moment(milliseconds: 0)
    /// Before every other moment.
    public static let distantPast = Moment(milliseconds: .min)
    /// After every other moment.
    public static let distantFuture = Moment(milliseconds: .max)
}

extension Moment: Comparable {
    /// Orders moments by time.
    public static func < (left: Moment, right: Moment) -> Bool { left.milliseconds < right.milliseconds }

    /// The moment a span later; one too far off is the nearest there is.
    public static func + (moment: Moment, span: Span) -> Moment {
        Moment(milliseconds: (Span(milliseconds: moment.milliseconds) + span).milliseconds)
    }

    /// The moment a span earlier; one too far off is the nearest there is.
    public static func - (moment: Moment, span: Span) -> Moment {
        Moment(milliseconds: (Span(milliseconds: moment.milliseconds) - span).milliseconds)
    }

    /// From the right moment to the left one.
    public static func - (left: Moment, right: Moment) -> Span {
        Span(milliseconds: left.milliseconds) - Span(milliseconds: right.milliseconds)
    }

    /// Moves the moment on by a span.
    public static func += (moment: inout Moment, span: Span) {
        moment = moment + span
    }
}
