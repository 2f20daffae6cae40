internal import Foreign
internal import JSON
internal import Time

/// A `format` of a template's schema for times: RFC 3339 in the files, a number on the wire.
enum DateFormat: Text, CaseIterable {
    /// Seconds since 2001-01-01T00:00:00Z, as ActivityKit decodes a `Date` and `Date`'s own `Codable` does.
    case swiftDate = "swift-date"
    /// Seconds since 1970-01-01T00:00:00Z.
    case unixSeconds = "unix-seconds"
    /// Milliseconds since 1970-01-01T00:00:00Z.
    case unixMilliseconds = "unix-milliseconds"

    private static let referenceDate = Moment(seconds: 978_307_200)
    private static let year1970 = Moment(milliseconds: 0)

    /// The number on the wire; the time itself where it is not a time as the files write one.
    func wire(_ time: Value) -> Value {
        guard let text = time.text, let moment = try? RFC3339.moment(of: text.string) else { return time }
        return switch self {
        case .swiftDate: Self.seconds(moment - Self.referenceDate)
        case .unixSeconds: Self.seconds(moment - Self.year1970)
        case .unixMilliseconds: .integer(moment.milliseconds)
        }
    }

    /// The problem with a time in a file; `nil` where there is none, or where the schema has to say so.
    static func problem(with time: Value) -> String? {
        do throws(RFC3339.Failure) {
            switch time {
            case .string(let text): _ = try RFC3339.moment(of: text.string)
            case .integer, .real: throw .epochNumber(time.canonical)
            case .null, .bool, .array, .object: break
            }
            return nil
        } catch {
            return error.description
        }
    }

    private static func seconds(_ span: Span) -> Value {
        span == .seconds(span.seconds) ? .integer(span.seconds) : .number(Double(span.milliseconds) / 1000)
    }
}
