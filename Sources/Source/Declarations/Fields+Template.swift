internal import JSON

/// The template that a declaration names.
struct DeclaredTemplate {
    /// `name@version`.
    let name: Text
    /// Its content; `nil` where there is nothing to check by.
    let contract: Template?
}

extension Fields {
    /// The template that is named, with its file where the project has templates.
    func template(_ name: Text?, _ templates: Templates) -> DeclaredTemplate? {
        guard let name else { return nil }
        switch templates.use(name) {
        case .found(let template): return DeclaredTemplate(name: name, contract: template)
        case .unchecked: return DeclaredTemplate(name: name, contract: nil)
        case .missing(let message):
            add(message, .unknownTemplate, at: "template")
            return DeclaredTemplate(name: name, contract: nil)
        }
    }

    /// Holds a value against a schema of the template, and notes everything that does not match.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - path: The keys that lead to it from here.
    ///   - schema: The schema that it must match.
    ///   - template: The template that the schema is of.
    func check(_ value: Value, _ path: [Text], against schema: TemplateSchema, of template: DeclaredTemplate?) {
        let isWritten = Value.object(object)[Pointer(path)] != nil
        let what = path.joined(separator: ".")
        for problem in schema.problems(with: value, showsValues: findings.showsValues) {
            let inside = problem.pointer.tokens.isEmpty ? "it" : "'\(Text(problem.pointer.description).shown)'"
            let message =
                "'\(what)' does not match \(template?.name.shown ?? "its template"): \(inside) \(problem.reason)"
            guard isWritten else { return findings.add(message, .stateMismatch, at: pointer, part: .key) }
            let place = Pointer(pointer.tokens + path + problem.pointer.tokens)
            findings.add(message, .stateMismatch, at: place, part: problem.part)
        }
    }
}

extension [Text] {
    fileprivate func joined(separator: String) -> String { map(\.string).joined(separator: separator) }
}
