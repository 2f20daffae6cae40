internal import Diff
internal import Foreign
internal import JSON
internal import Source

// The options of a plan hold again when it is applied.

extension RunOptions {
    /// As JSON; what was not asked for is left out.
    var value: Value {
        var object = Object()
        func number(_ count: Int?) -> Value? { count.map { .integer(Int64($0)) } }
        func list(_ texts: [Text]) -> Value? { texts.isEmpty ? nil : .array(texts.map(Value.string)) }
        object["only"] = list(selection.patterns.map { Text($0) })
        object["exclude"] = list(selection.excluded.map { Text($0.pattern) })
        object["onlyFile"] = list(selection.files.map { Text($0.pattern) })
        object["allowRemoved"] = number(overrides.removed)
        object["allowReplaced"] = number(overrides.replaced)
        object["allowPushes"] = number(overrides.pushes)
        object["allowProtected"] = list(overrides.protected)
        if case .commit(let revision, let repository) = source {
            object["rev"] = .string(Text(revision))
            object["repo"] = repository.map { .string(Text($0)) }
        }
        object["allowRollback"] = overrides.rollback ? true : nil
        object["allowEmpty"] = overrides.empty ? true : nil
        object["afterRestore"] = acceptsRestored ? true : nil
        return .object(object)
    }

    /// Reads them back; `nil` where they are none.
    init?(_ value: Value) {
        guard let object = value.object else { return nil }
        func count(_ key: Text) -> Int? { object[key]?.integer.flatMap { Int(exactly: $0) } }
        func texts(_ key: Text) -> [Text] { object[key]?.array?.compactMap(\.text) ?? [] }
        self.init()
        selection = Selection(
            texts("only").map(\.string),
            excluding: texts("exclude").map(\.string),
            files: texts("onlyFile").map(\.string)
        )
        overrides = SafetyOverrides(
            removed: count("allowRemoved"),
            replaced: count("allowReplaced"),
            pushes: count("allowPushes"),
            protected: texts("allowProtected"),
            empty: object["allowEmpty"]?.bool ?? false,
            rollback: object["allowRollback"]?.bool ?? false
        )
        if let revision = object["rev"]?.text?.string {
            source = .commit(revision: revision, repository: object["repo"]?.text?.string)
        }
        acceptsRestored = object["afterRestore"]?.bool ?? false
    }
}
