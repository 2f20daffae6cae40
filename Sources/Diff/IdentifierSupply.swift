public import JSON
public import Time

/// Ids for what one transaction creates, in the order in which they are asked for.
///
/// Each is a ULID (https://github.com/ulid/spec): 48 bits of time, 80 bits of chance. Within one supply the chance counts up
/// from where it began, as the ULID specification has it for ids of one millisecond, so that a decision that takes ids stays a
/// function of its arguments.
public struct IdentifierSupply: Hashable, Sendable {
    private let milliseconds: UInt64
    /// The upper 16 bits of the chance of the next id.
    private var upper: UInt16
    /// The lower 64 bits of the chance of the next id.
    private var lower: UInt64

    /// A supply for one moment.
    ///
    /// - Parameters:
    ///   - now: The moment that its ids name; one before 1970 counts as 1970.
    ///   - entropy: 10 bytes that nobody can foretell; those that are missing count as 0.
    public init(at now: Moment, entropy: [UInt8]) {
        milliseconds = UInt64(max(now.milliseconds, 0))
        let bytes = entropy.prefix(10) + Array(repeating: 0, count: max(0, 10 - entropy.count))
        upper = bytes.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
        lower = bytes.dropFirst(2).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The next id.
    public mutating func next<Kind>() -> Identifier<Kind> { Identifier(next(Kind.prefix)) }

    /// The next id, under a prefix that no kind has.
    public mutating func next(_ prefix: String) -> Text {
        defer {
            lower &+= 1
            if lower == 0 { upper &+= 1 }
        }
        return Text(prefix + ULID(high: milliseconds << 16 | UInt64(upper), low: lower).text)
    }
}
