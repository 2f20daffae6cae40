internal import Diff
internal import Foreign
internal import JSON

/// Template versions as they were first applied.
extension Ledger {
    /// Keeps the versions that are applied for the first time; the others stay as they are.
    func record(_ templates: [Template], at now: Int64) throws {
        guard !templates.isEmpty else { return }
        try transaction {
            for template in templates {
                try database.run(
                    "INSERT OR IGNORE INTO templates (name, digest, document, at) VALUES (?, ?, ?, ?)",
                    .text(template.name),
                    .text(template.digest),
                    SQLiteValue(json: template.document),
                    .integer(now)
                )
            }
        }
    }

    /// Every version that was applied.
    func appliedTemplates() throws -> [AppliedTemplate] {
        var applied: [AppliedTemplate] = []
        try database.each("SELECT name, digest, at FROM templates ORDER BY name") { row in
            applied.append(AppliedTemplate(name: row.text(0), digest: row.text(1), at: row.integer(2)))
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
}
