extension Array {
    /// The elements in an order; most lists of an owner have one element, and need no sorting.
    package func ordered(by areInOrder: (Element, Element) -> Bool) -> [Element] {
        count < 2 ? self : sorted(by: areInOrder)
    }
}

extension Array where Element: Comparable {
    /// The elements in their order, each once.
    var distinct: [Element] {
        var distinct: [Element] = []
        for element in ordered(by: <) where distinct.last != element { distinct.append(element) }
        return distinct
    }
}
