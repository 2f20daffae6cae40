public import JSON

/// One step of a difference, with what was there before: what RFC 6902 leaves out and a person wants to see.
public struct Edit: Hashable, Sendable {
    /// The step.
    public var operation: Patch.Operation
    /// The value that it removes or replaces; `nil` where it only adds.
    public var was: Value?

    /// The steps from one document to another.
    ///
    /// - Parameters:
    ///   - before: The old one; `nil` where there was none.
    ///   - after: The new one; `nil` where there is none any more.
    /// - Returns: The steps, in order.
    public static func edits(from before: Value?, to after: Value?) -> [Edit] {
        Patch(from: before ?? [:], to: after ?? [:]).operations.map { operation in
            switch operation {
            case .remove(let pointer), .replace(let pointer, _): Edit(operation: operation, was: before?[pointer])
            case .add: Edit(operation: operation, was: nil)
            }
        }
    }
}

extension [Edit] {
    /// As the JSON array of RFC 6902, with what was there in a member `was`, which appliers of patches ignore.
    var value: Value {
        .array(
            map { edit in
                var object = edit.operation.value.object ?? Object()
                object["was"] = edit.was
                return .object(object)
            }
        )
    }

    /// Reads it back.
    init(_ value: Value) throws(PatchError) {
        self = zip(try Patch(value).operations, value.array ?? []).map { Edit(operation: $0, was: $1["was"]) }
    }
}
