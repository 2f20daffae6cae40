internal import Foreign
public import JSON

/// One schema of a template: of its attributes, or of its state.
public struct TemplateSchema: Sendable {
    /// One thing that is wrong with a value.
    struct Problem: Hashable {
        /// The value, or the key of a member, that is wrong.
        var pointer: Pointer
        /// The part that is wrong: the key or the value.
        var part: Places.Part = .value
        /// The problem, to be read after the name of the value.
        var reason: String
    }

    private let schema: Value
    private let compiled: JSONSchema
    /// True where any value can be a date.
    private let hasDates: Bool

    /// A schema that was checked: ``TemplateCheck``.
    init(_ schema: Value) throws(JSONSchema.Failure) {
        self.schema = schema
        compiled = try JSONSchema(schema)
        hasDates = schema.mentionsDates
    }

    // MARK: - Checking

    /// Everything that is wrong with a value, one problem a place; the reasons quote the value only where it may be shown.
    func problems(with value: Value, showsValues: Bool = true) -> [Problem] {
        var problems = dateProblems(with: value, showsValues)
        for violation in compiled.violations(of: value) {
            let problem = explained(violation, in: value, showsValues)
            let isTold = problems.contains { $0.pointer == problem.pointer && $0.part == problem.part }
            if !isTold || problem.isMissing { problems.append(problem) }
        }
        return problems
    }

    private func dateProblems(with value: Value, _ showsValues: Bool) -> [Problem] {
        var problems: [Problem] = []
        guard hasDates else { return problems }
        visitDates(of: value, SchemaNodes(schema), at: Pointer()) { pointer, time in
            if let reason = DateFormat.problem(with: time) {
                let why = showsValues ? ": \(reason)" : ", in RFC 3339 with an offset"
                problems.append(Problem(pointer: pointer, reason: "must be a time\(why)"))
            }
        }
        return problems
    }

    private func visitDates(
        of value: Value,
        _ nodes: SchemaNodes,
        at pointer: Pointer,
        _ visit: (Pointer, Value) -> Void
    ) {
        if nodes.dateFormat != nil { visit(pointer, value) }
        switch value {
        case .object(let object):
            for member in object.members {
                visitDates(of: member.value, nodes.member(member.key), at: pointer.appending(member.key), visit)
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                visitDates(of: element, nodes.element(index), at: pointer.appending(index), visit)
            }
        case .null, .bool, .integer, .real, .string: break
        }
    }

    private func explained(_ violation: JSONSchema.Violation, in value: Value, _ showsValues: Bool) -> Problem {
        let nodes = SchemaNodes(schema).following(violation.pointer, in: value)
        let value = value[violation.pointer] ?? .null
        let given = showsValues ? value.described : value.kindInWords
        return Words(nodes: nodes, given: given).problem(of: violation)
    }

    // MARK: - Converting

    /// The value as it goes out: times that have a date format are numbers.
    public func wire(_ value: Value) -> Value {
        hasDates ? Self.wire(value, SchemaNodes(schema)) : value
    }

    private static func wire(_ value: Value, _ nodes: SchemaNodes) -> Value {
        guard !nodes.nodes.isEmpty else { return value }
        switch value {
        case .string: return nodes.dateFormat?.wire(value) ?? value
        case .object(let object):
            return .object(
                Object(object.members.map { .init(key: $0.key, value: wire($0.value, nodes.member($0.key))) })
            )
        case .array(let elements):
            return .array(elements.enumerated().map { wire($1, nodes.element($0)) })
        case .null, .bool, .integer, .real: return value
        }
    }
}

extension Value {
    /// True where a date format stands anywhere in a schema.
    fileprivate var mentionsDates: Bool {
        switch self {
        case .object(let object):
            object["format"]?.text.flatMap(DateFormat.init(rawValue:)) != nil
                || object.members.contains { $0.value.mentionsDates }
        case .array(let elements): elements.contains { $0.mentionsDates }
        case .null, .bool, .integer, .real, .string: false
        }
    }
}
