internal import Diff
internal import Foreign
internal import JSON
internal import Time
internal import Source

/// Template versions as they were first applied.
extension Ledger {
    /// Keeps the versions that are applied for the first time; the others stay as they are, but for what is sensitive.
    func record(_ templates: [Template], at now: Moment) throws {
        guard !templates.isEmpty else { return }
        try transaction {
            for template in templates {
                try database.run(
                    """
                    INSERT INTO templates (name, digest, document, at) VALUES (?, ?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET document = excluded.document
                    WHERE digest = excluded.digest AND document <> excluded.document
                    """,
                    .text(template.name),
                    .text(template.digest),
                    SQLiteValue(json: template.document),
                    .moment(now)
                )
            }
        }
    }

    /// The places that the applied versions call sensitive.
    func sensitive() throws -> [PointerRules.Rule] {
        var rules: [PointerRules.Rule] = []
        try database.each("SELECT name, document FROM templates ORDER BY name") { row in
            rules += Template.sensitive(in: try row.json(1), of: row.text(0))
        }
        return rules
    }

    /// Every version that was applied.
    func appliedTemplates() throws -> [AppliedTemplate] {
        var applied: [AppliedTemplate] = []
        try database.each("SELECT name, digest, at FROM templates ORDER BY name") { row in
            applied.append(AppliedTemplate(name: row.text(0), digest: row.text(1), at: row.moment(2)))
        }
        return applied
    }

    /// A version as it was first applied; `nil` where it never was, and then nothing is checked or converted by it.
    ///
    /// A version never changes, so that each is read once.
    func template(_ name: Text?) throws -> Template? {
        guard let name else { return nil }
        if let known = templates[name] { return known }
        let document = try database.first("SELECT document FROM templates WHERE name = ?", .text(name)) {
            try $0.json(0)
        }
        guard let document else { return nil }
        let template = try Template(name, document)
        templates[name] = template
        return template
    }

    /// True where an instance runs with another version than the declared one, which does not take what is declared.
    func isMismatched(_ instance: Instance, with declaration: ActivityDeclaration) throws -> Bool {
        guard instance.template != declaration.template, let template = try template(instance.template) else {
            return false
        }
        return !template.takes(declaration)
    }
}
