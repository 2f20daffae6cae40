internal import Diff
internal import Foreign
internal import JSON

/// Ids, device ids and tokens in rows: as bytes where they have the canonical form, else as the text that they are.
///
/// A text never equals a blob, so what is looked up is packed in the same way.
extension Identifier: Storable {
    /// 16 bytes where the id is a canonical ULID under its prefix, else the whole id.
    var stored: SQLiteValue { ulid.map { .octets($0.high, $0.low) } ?? .text(text) }
}

extension Statement {
    /// A column that holds an id.
    func id<Kind>(_ column: Int32, _ kind: Identifier<Kind>.Type = Identifier<Kind>.self) -> Identifier<Kind> {
        octets(column).map { Identifier(ULID(high: $0.high, low: $0.low)) } ?? Identifier(text(column))
    }

    /// A column that holds an id, `nil` for NULL.
    func optionalID<Kind>(_ column: Int32, _ kind: Identifier<Kind>.Type = Identifier<Kind>.self) -> Identifier<Kind>? {
        isNull(column) ? nil : id(column)
    }
}

/// A text that phones or APNs choose, most often a UUID.
struct Name: Storable, Equatable {
    var text: Text

    /// 16 bytes of a UUID in capitals, 17 of one in small letters, the last of them 0, else the text.
    var stored: SQLiteValue {
        let digits = text.string.utf8Span.span
        guard digits.count == 36, Self.dashes.allSatisfy({ digits[$0] == UInt8(ascii: "-") }) else {
            return .text(text)
        }
        var (bytes, half): ([UInt8], UInt8?) = ([], nil)
        var (hasCapitals, hasSmall) = (false, false)
        for place in digits.indices where !Self.dashes.contains(place) {
            let digit = digits[place]
            guard let value = Hex.value(of: digit) else { return .text(text) }
            if value > 9 { if digit < UInt8(ascii: "a") { hasCapitals = true } else { hasSmall = true } }
            if let high = half { bytes.append(high << 4 | value) }
            half = half == nil ? value : nil
        }
        if hasCapitals, hasSmall { return .text(text) }
        return .blob(hasSmall ? bytes + [0] : bytes)
    }

    private static let dashes = [8, 13, 18, 23]

    /// The text of packed bytes.
    fileprivate static func text(_ bytes: [UInt8]) -> Text {
        let isCapital = bytes.count == 16
        var characters: [UInt8] = []
        characters.reserveCapacity(36)
        for byte in bytes.prefix(16) {
            if dashes.contains(characters.count) { characters.append(UInt8(ascii: "-")) }
            characters.append(Hex.digit(byte >> 4, isCapital: isCapital))
            characters.append(Hex.digit(byte & 0x0F, isCapital: isCapital))
        }
        return Text(String(decoding: characters, as: UTF8.self))
    }
}

extension Statement {
    /// A column that holds a text of phones or APNs.
    func name(_ column: Int32) -> Text { isBlob(column) ? Name.text(blob(column)) : text(column) }

    /// A column that holds a text of phones or APNs, `nil` for NULL.
    func optionalName(_ column: Int32) -> Text? { isNull(column) ? nil : name(column) }
}

/// Hexadecimal digits: a push token, or a digest.
struct Digits: Storable, Equatable {
    var text: Text

    /// The bytes of small digits of an even number, else the text.
    var stored: SQLiteValue {
        let isCanonical = text.string.utf8.allSatisfy { Hex.isDigit($0) && !(0x41...0x46).contains($0) }
        guard isCanonical, !text.string.isEmpty, let bytes = Hex.bytes(Substring(text.string)) else {
            return .text(text)
        }
        return .blob(bytes)
    }
}

extension Statement {
    /// A column that holds hexadecimal digits.
    func digits(_ column: Int32) -> Text { isBlob(column) ? Text(Hex.text(blob(column))) : text(column) }

    /// A column that holds hexadecimal digits, `nil` for NULL.
    func optionalDigits(_ column: Int32) -> Text? { isNull(column) ? nil : digits(column) }
}

/// The id that an event is about: a number for its prefix and 16 bytes where it is a canonical one, else the text.
struct SubjectID: Storable, Equatable {
    var text: Text

    /// The prefixes by their numbers, from 1; the list only ever grows.
    static let prefixes = [
        IdentifierKinds.Target.prefix, IdentifierKinds.StartTarget.prefix, IdentifierKinds.Widgets.prefix,
        IdentifierKinds.Launch.prefix, IdentifierKinds.Operation.prefix, IdentifierKinds.Delivery.prefix,
        IdentifierKinds.Run.prefix,
    ]

    var stored: SQLiteValue {
        for (index, prefix) in Self.prefixes.enumerated() {
            guard let ulid = ULID(text, after: prefix) else { continue }
            let halves = [ulid.high, ulid.low].map { half in
                (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) }
            }
            return .blob([UInt8(index + 1)] + halves[0] + halves[1])
        }
        return .text(text)
    }

    /// The id of packed bytes.
    fileprivate static func text(_ bytes: [UInt8]) -> Text? {
        guard bytes.count == 17, prefixes.indices.contains(Int(bytes[0]) - 1) else { return nil }
        func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return Text(prefixes[Int(bytes[0]) - 1] + ULID(high: half(bytes[1..<9]), low: half(bytes[9..<17])).text)
    }
}

extension Statement {
    /// A column that holds the subject of an event, `nil` for NULL.
    func optionalSubject(_ column: Int32) -> Text? {
        isBlob(column) ? SubjectID.text(blob(column)) : optionalText(column)
    }
}

/// A value that rows hold as a number: its place in a list that only ever grows at its end.
protocol Numbered: Hashable, Storable {
    /// The values in the order of their numbers, from 0.
    static var numbered: [Self] { get }
    /// As people and receipts name it.
    var word: Text { get }
}

extension Numbered {
    /// Its number.
    var number: Int64 { Int64(Self.numbered.firstIndex(of: self) ?? -1) }
    var stored: SQLiteValue { .integer(number) }
}

extension Numbered where Self: RawRepresentable<Text> {
    var word: Text { rawValue }
}

extension Statement {
    /// A column that holds a number of a list.
    ///
    /// - Throws: ``UnreadableRow`` where the list has no such number.
    func numbered<Value: Numbered>(_ column: Int32) throws -> Value {
        let number = Int(integer(column))
        guard !isNull(column), Value.numbered.indices.contains(number) else {
            throw UnreadableRow(table: "\(Value.self)", detail: "\(number)")
        }
        return Value.numbered[number]
    }

    /// A column that holds a number of a list, `nil` for NULL.
    func optionalNumbered<Value: Numbered>(_ column: Int32) throws -> Value? {
        isNull(column) ? nil : try numbered(column)
    }
}

extension PushEnvironment: Numbered {
    static let numbered: [Self] = [.production, .sandbox]
}
extension Action.Kind: Numbered {
    static let numbered: [Self] = [.start, .update, .end, .reload]
}
extension DeliveryStatus: Numbered {
    static let numbered: [Self] = [
        .queued, .dispatching, .accepted, .failed, .unknown, .superseded, .cancelled, .expired,
    ]
}
extension Instance.Origin: Numbered {
    static let numbered: [Self] = [.remote, .app, .unknownLaunch, .unattributed, .ambiguous]
}
extension Instance.Closure: Numbered {
    static let numbered: [Self] = [
        .person, .declaredEnd, .expired, .gone, .logout, .revoked, .removal, .duplicate, .replaced,
    ]
}
extension Resolution: Numbered {
    static let numbered: [Self] = [.adopted, .failed, .unconfirmed, .expired, .duplicateEnded, .replaced]
}

/// The phases of an instance, without why it is closed; those below ``firstOver`` are open.
enum PhaseNumber: Numbered {
    case queued, outstanding, unconfirmed, running, closed, failed, cancelled

    static let numbered: [Self] = [.queued, .outstanding, .unconfirmed, .running, .closed, .failed, .cancelled]
    /// The number of the first phase that is over, which the conditions of partial indexes name.
    static let firstOver = 4

    init(_ phase: Instance.Phase) {
        switch phase {
        case .queued: self = .queued
        case .outstanding: self = .outstanding
        case .unconfirmed: self = .unconfirmed
        case .running: self = .running
        case .closed: self = .closed
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        }
    }

    var word: Text { (phase(.person) ?? .queued).word }

    /// The phase of a cause; `nil` where it is closed and there is none.
    func phase(_ closure: Instance.Closure?) -> Instance.Phase? {
        switch self {
        case .queued: .queued
        case .outstanding: .outstanding
        case .unconfirmed: .unconfirmed
        case .running: .running
        case .closed: closure.map(Instance.Phase.closed)
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }
}

/// The kinds of subjects of scopes.
enum ScopeKind: Text, Numbered {
    case subscriber, widget, activity, startTarget, widgets

    static let numbered: [Self] = [.subscriber, .widget, .activity, .startTarget, .widgets]
}
