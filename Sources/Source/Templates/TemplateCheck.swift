internal import Foreign
internal import JSON

/// Finds what is wrong with the file of a template before anything is checked by it.
struct TemplateCheck {
    private let document: Value
    private let findings: Findings

    /// The formats of draft 7; only the first three of them are checked, as in the JSON Schema standard.
    private static let formats: [Text] = [
        "date-time", "date", "time", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri",
        "uri-reference", "iri", "iri-reference", "uri-template", "json-pointer", "relative-json-pointer", "regex",
    ]

    /// Notes everything that is wrong with a document.
    ///
    /// - Parameters:
    ///   - document: The file as one value.
    ///   - shape: The schema of such files, ``FileSchema/template``.
    ///   - findings: The list that problems go to.
    static func run(_ document: Value, as shape: TemplateSchema, _ findings: Findings) {
        let before = findings.all.count
        for problem in shape.problems(with: document) {
            let name = problem.pointer.tokens.last.map { "'\($0.shown)' " } ?? "a template "
            findings.add(name + problem.reason, at: problem.pointer, part: problem.part)
        }
        guard findings.all.count == before else { return }
        let check = TemplateCheck(document: document, findings: findings)
        for key in ["attributes", "state"] as [Text] {
            guard let schema = document[key] else { continue }
            check.visit(schema, in: schema, at: Pointer([key]))
        }
    }

    /// Looks at a schema and at every schema inside it.
    private func visit(_ schema: Value, in root: Value, at pointer: Pointer) {
        guard let node = schema.object else { return }
        for member in node.members {
            let pointer = pointer.appending(member.key)
            switch member.key {
            case "$ref": checkReference(member.value, of: schema, in: root, at: pointer)
            case "$id":
                findings.add(
                    "'\(member.key)' is not needed: a template's schema refers only to itself",
                    at: pointer,
                    part: .key
                )
            case "format": checkFormat(member.value, at: pointer)
            case "pattern": checkPattern(member.value.text, at: pointer, .value)
            case "patternProperties":
                for property in member.value.object?.members ?? [] {
                    checkPattern(property.key, at: pointer.appending(property.key), .key)
                    visit(property.value, in: root, at: pointer.appending(property.key))
                }
            case "properties", "definitions", "dependencies":
                for property in member.value.object?.members ?? [] {
                    visit(property.value, in: root, at: pointer.appending(property.key))
                }
            case "allOf", "anyOf", "oneOf", "items":
                visit(member.value, in: root, at: pointer)
                for (index, element) in (member.value.array ?? []).enumerated() {
                    visit(element, in: root, at: pointer.appending(index))
                }
            case "additionalProperties", "additionalItems", "contains", "propertyNames", "not", "if", "then", "else":
                visit(member.value, in: root, at: pointer)
            default: break
            }
        }
    }

    private func checkFormat(_ value: Value, at pointer: Pointer) {
        let known = DateFormat.allCases.map(\.rawValue) + Self.formats
        guard let format = value.text, !known.contains(format) else { return }
        let meant = closest(to: format.string, in: known.map(\.string)).map { "; did you mean '\($0)'?" }
        let dates = DateFormat.allCases.map(\.rawValue.string).joined(separator: ", ")
        findings.add(
            "the format '\(format.shown)' is not known\(meant ?? "; those for times are \(dates)")",
            at: pointer
        )
    }

    private func checkPattern(_ pattern: Text?, at pointer: Pointer, _ part: Places.Part) {
        guard let pattern, !JSONSchema.isPattern(pattern) else { return }
        findings.add(
            "'\(pattern.shown)' is no regular expression (ECMA-262, without back-references and look-behind)",
            at: pointer,
            part: part
        )
    }

    /// A reference leads to a place in its own schema, and not to itself by way of references alone.
    private func checkReference(_ value: Value, of schema: Value, in root: Value, at pointer: Pointer) {
        guard let reference = value.text else { return }
        guard SchemaNodes.target(of: reference, in: root) != nil else {
            return findings.add(
                "'\(reference.shown)' leads nowhere: a reference is \"#/definitions/NAME\", with its definition in the same "
                    + "schema",
                at: pointer
            )
        }
        var path: [Text] = []
        if isCircular(schema, in: root, &path) {
            findings.add(
                "'\(reference.shown)' leads back to itself, so that no value could ever be checked",
                at: pointer
            )
        }
    }

    /// True where checking a value by a schema comes back to the same reference without having gone into the value.
    private func isCircular(_ schema: Value, in root: Value, _ path: inout [Text]) -> Bool {
        guard let node = schema.object else { return false }
        if let reference = node["$ref"]?.text {
            if path.contains(reference) { return true }
            path.append(reference)
            defer { path.removeLast() }
            return SchemaNodes.target(of: reference, in: root).map { isCircular($0, in: root, &path) } ?? false
        }
        let branches = SchemaNodes.branches.flatMap { node[$0]?.array ?? [] }
        let others = (SchemaNodes.conditions + ["if", "not"]).compactMap { node[$0] }
        for branch in branches + others where isCircular(branch, in: root, &path) { return true }
        return false
    }
}
