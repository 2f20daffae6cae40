public import Diff
internal import Foreign
public import JSON

/// The template versions that instances and widgets run with, each as it was first applied.
///
/// A version never changes, so that each is compiled once. One that was never applied checks and converts nothing.
public final class TemplateBook {
    private let records: [Text: TemplateRecord]
    private var compiled: [Text: Template] = [:]

    /// A book of the versions that a ledger holds.
    public init(_ records: [TemplateRecord]) {
        self.records = Dictionary(records.map { ($0.name, $0) }) { first, _ in first }
    }

    /// A version; `nil` where it was never applied.
    ///
    /// - Throws: ``JSONSchema/Failure`` where the ledger holds what was never a template.
    public func template(_ name: Text?) throws -> Template? {
        guard let name else { return nil }
        if let known = compiled[name] { return known }
        guard let record = records[name] else { return nil }
        let template = try Template(name, record.document)
        compiled[name] = template
        return template
    }

    /// True where an instance runs with another version than the declared one, which does not take what is declared.
    public func isMismatched(_ instance: Instance, with declaration: ActivityDeclaration) throws -> Bool {
        guard instance.template != declaration.template, let template = try template(instance.template) else {
            return false
        }
        return !template.takes(declaration)
    }

    /// The places that the applied versions call sensitive.
    public static func sensitive(_ records: [TemplateRecord]) -> [PointerRules.Rule] {
        records.flatMap { Template.sensitive(in: $0.document, of: $0.name) }
    }
}
