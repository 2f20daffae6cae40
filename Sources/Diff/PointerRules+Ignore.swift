public import JSON

extension PointerRules {
    /// A body without what the rules point to: what is left is what a change has to be in to count.
    ///
    /// - Parameters:
    ///   - body: A declaration's body.
    ///   - subject: The subject that it is of.
    /// - Returns: The rest; an element of an array leaves `null`, so that the others keep their places.
    public func rest(of body: Value, in subject: Subject) -> Value {
        pointers(in: subject).reduce(body) { $0.without($1.tokens[...]) }
    }
}

extension Value {
    fileprivate func without(_ way: ArraySlice<Text>) -> Value {
        guard let step = way.first else { return .null }
        let rest = way.dropFirst()
        switch self {
        case .object(var object):
            object[step] = rest.isEmpty ? nil : object[step]?.without(rest)
            return .object(object)
        case .array(var elements):
            guard let index = Pointer.index(step), elements.indices.contains(index) else { return self }
            elements[index] = elements[index].without(rest)
            return .array(elements)
        case .null, .bool, .integer, .real, .string: return self
        }
    }
}

extension WidgetDeclaration {
    /// The body without what alone is no reason to push.
    public func significant(_ ignored: PointerRules) -> Value {
        ignored.isEmpty ? body : ignored.rest(of: body, in: .init(self))
    }
}

extension ActivityDeclaration {
    /// The body without what alone is no reason to push.
    public func significant(_ ignored: PointerRules) -> Value {
        ignored.isEmpty ? body : ignored.rest(of: body, in: .init(self))
    }
}

extension Desired {
    /// Takes a declaration that differs from the committed one in ignored places only for the committed one; where
    /// anything else differs, the newest of both counts.
    ///
    /// - Parameters:
    ///   - ignored: The places.
    ///   - recorded: The committed declarations.
    /// - Returns: The number of declarations that differ in nothing else.
    public mutating func settle(_ ignored: PointerRules, _ recorded: Recorded) -> Int {
        guard !ignored.isEmpty else { return 0 }
        var count = 0
        for index in widgets.indices {
            let widget = widgets[index]
            guard let before = recorded.widgets.first(where: { $0.declaration.name == widget.name })?.declaration,
                before.body != widget.body, before.significant(ignored) == widget.significant(ignored)
            else { continue }
            widgets[index] = before
            count += 1
        }
        for index in activities.indices {
            let activity = activities[index]
            guard let record = recorded.activities.first(where: { $0.declaration.name == activity.name }),
                !record.isRemoved, record.declaration.body != activity.body,
                record.declaration.significant(ignored) == activity.significant(ignored)
            else { continue }
            activities[index] = record.declaration
            count += 1
        }
        return count
    }
}
