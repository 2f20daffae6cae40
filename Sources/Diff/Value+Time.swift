internal import JSON
internal import Time

/// Times in stored values, which count whole seconds: moments since 1970, and lengths of time.
extension Value {
    static func seconds(_ moment: Moment) -> Value { .integer(moment.seconds) }
    static func seconds(_ span: Span) -> Value { .integer(span.seconds) }

    var moment: Moment? { integer.map(Moment.init(seconds:)) }
    var span: Span? { integer.map(Span.seconds) }
}
