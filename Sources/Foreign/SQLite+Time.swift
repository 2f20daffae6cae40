public import Time

/// Moments in rows, in milliseconds since 1970, and lengths of time, in seconds.
extension SQLiteValue {
    /// The milliseconds of a moment.
    public static func moment(_ moment: Moment) -> SQLiteValue { .integer(moment.milliseconds) }

    /// The milliseconds of a moment, or NULL for `nil`.
    public init(_ moment: Moment?) { self.init(moment?.milliseconds) }

    /// The seconds of a length of time, or NULL for `nil`.
    public init(seconds span: Span?) { self.init(span?.seconds) }
}

extension Statement {
    /// A column that holds milliseconds since 1970; 1970 for NULL.
    public func moment(_ column: Int32) -> Moment { Moment(milliseconds: integer(column)) }

    /// A column that holds milliseconds since 1970, `nil` for NULL.
    public func optionalMoment(_ column: Int32) -> Moment? { optionalInteger(column).map(Moment.init(milliseconds:)) }

    /// A column that holds milliseconds since 1970; `nil` for NULL, and for 0, which says that it has not come.
    public func momentIfAny(_ column: Int32) -> Moment? { integer(column) == 0 ? nil : moment(column) }

    /// A column that holds the seconds of a length of time, `nil` for NULL.
    public func optionalSeconds(_ column: Int32) -> Span? { optionalInteger(column).map(Span.seconds) }
}
