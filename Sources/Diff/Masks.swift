public import JSON

/// Hides sensitive values: what people, programs and files are shown has marks in their place.
public struct Masks: Hashable, Sendable {
    /// The rules that say where they are.
    private let rules: PointerRules
    /// True where push tokens are shown whole.
    public var showsTokens = false

    /// Masks by rules; none hides nothing.
    public init(_ rules: PointerRules = PointerRules()) {
        self.rules = rules
    }

    /// The same on both sides.
    static let same: Value = "***"
    /// Stands for what was there before.
    static let before: Value = "*** (before)"
    /// Stands for what is there after.
    static let after: Value = "*** (after)"

    /// True where nothing is hidden.
    public var isEmpty: Bool { rules.isEmpty }

    /// Two sides of a declaration, or of what a device shows of it.
    public typealias Sides = (old: Value?, new: Value?)

    /// Both sides with marks in place of what is sensitive; they differ where the values do, and tell nothing else.
    public func masked(_ subject: PointerRules.Subject, _ sides: Sides) -> Sides {
        guard !isEmpty else { return sides }
        var sides = sides
        for pointer in rules.pointers(in: subject) {
            let way = pointer.tokens[...]
            let isSame = sides.old?.hidden(by: way) == sides.new?.hidden(by: way)
            sides.old = sides.old?.hiding(way, behind: isSame ? Self.same : Self.before)
            sides.new = sides.new?.hiding(way, behind: isSame ? Self.same : Self.after)
        }
        return sides
    }

    /// One declaration with marks.
    public func masked(_ subject: PointerRules.Subject, _ document: Value) -> Value {
        masked(subject, (document, document)).new ?? document
    }

    /// A push token as it is shown: its first 8 digits.
    public func token(_ token: Text?) -> Text? {
        showsTokens ? token : token.map { Text("\($0.string.prefix(8))…") }
    }

    /// The state of a declaration with marks.
    func state(_ state: Value, of subject: PointerRules.Subject) -> Value {
        isEmpty ? state : masked(subject, ["state": state])["state"] ?? state
    }
}

extension Value {
    /// The value that a mark takes away: the one at its place, or one on the way that has no such members, so that a
    /// rule which is not exact hides too much and not too little.
    fileprivate func hidden(by way: ArraySlice<Text>) -> Value? {
        guard let (step, rest) = way.first.map({ ($0, way.dropFirst()) }) else { return self }
        switch self {
        case .object(let object): return object[step]?.hidden(by: rest)
        case .array(let elements):
            guard let index = Pointer.index(step) else { return self }
            return elements.indices.contains(index) ? elements[index].hidden(by: rest) : nil
        case .null: return nil
        case .bool, .integer, .real, .string: return self
        }
    }

    fileprivate func hiding(_ way: ArraySlice<Text>, behind mark: Value) -> Value {
        guard let (step, rest) = way.first.map({ ($0, way.dropFirst()) }) else { return mark }
        switch self {
        case .object(var object):
            object[step] = object[step]?.hiding(rest, behind: mark)
            return .object(object)
        case .array(var elements):
            guard let index = Pointer.index(step) else { return mark }
            if elements.indices.contains(index) { elements[index] = elements[index].hiding(rest, behind: mark) }
            return .array(elements)
        case .null: return self
        case .bool, .integer, .real, .string: return mark
        }
    }
}
