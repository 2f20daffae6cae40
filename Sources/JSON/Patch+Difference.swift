extension Patch {
    /// A small patch of `add`, `remove` and `replace` that turns `old` into `new`; the same for the same input.
    ///
    /// Objects are compared member by member in the order of their keys. Of arrays, what is equal at the start and at
    /// the end is left alone and the rest is compared place by place; where replacing the whole array takes fewer
    /// bytes, that is what the patch does. Applied in order, it gives `new` exactly.
    public init(from old: Value, to new: Value) {
        operations = []
        compare(old, new, at: Pointer())
    }

    private mutating func compare(_ old: Value, _ new: Value, at pointer: Pointer) {
        switch (old, new) {
        case _ where old == new: break
        case (.object(let old), .object(let new)): compare(old, new, at: pointer)
        case (.array(let old), .array(let new)): compare(old, new, at: pointer)
        default: operations.append(.replace(pointer, new))
        }
    }

    private mutating func compare(_ old: Object, _ new: Object, at pointer: Pointer) {
        var olds = old.members[...]
        var news = new.members[...]
        while true {
            switch (olds.first, news.first) {
            case (let old?, let new?) where old.key == new.key:
                compare(old.value, new.value, at: pointer.appending(old.key))
                olds.removeFirst()
                news.removeFirst()
            case (let old?, let new) where new.map { Object.precedes(old.key, $0.key) } ?? true:
                operations.append(.remove(pointer.appending(old.key)))
                olds.removeFirst()
            case (_, let new?):
                operations.append(.add(pointer.appending(new.key), new.value))
                news.removeFirst()
            default: return
            }
        }
    }

    private mutating func compare(_ old: [Value], _ new: [Value], at pointer: Pointer) {
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, old[start] == new[start] { start += 1 }
        var tail = 0
        while tail < shorter - start, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }

        var steps = Patch()
        for index in start..<shorter - tail { steps.compare(old[index], new[index], at: pointer.appending(index)) }
        for index in (shorter - tail..<old.count - tail).reversed() {
            steps.operations.append(.remove(pointer.appending(index)))
        }
        for index in shorter - tail..<new.count - tail {
            steps.operations.append(.add(pointer.appending(index), new[index]))
        }
        let whole = Operation.replace(pointer, .array(new))
        let isCheaper = steps.value.canonicalBytes.count <= Value.array([whole.value]).canonicalBytes.count
        operations += isCheaper ? steps.operations : [whole]
    }
}
