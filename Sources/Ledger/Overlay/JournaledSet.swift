/// A set that can forget what was added since a unit began, without a copy of what it held before.
struct JournaledSet<Element: Hashable> {
    private(set) var elements: Set<Element> = []
    private var added: [Element] = []

    func contains(_ element: Element) -> Bool { elements.contains(element) }

    /// Adds an element.
    ///
    /// - Returns: False where it was there already.
    mutating func insert(_ element: Element) -> Bool {
        guard elements.insert(element).inserted else { return false }
        added.append(element)
        return true
    }

    /// Begins a unit.
    mutating func begin() { added.removeAll(keepingCapacity: true) }

    /// Forgets what was added since the unit began.
    mutating func undo() {
        for element in added { elements.remove(element) }
        begin()
    }
}
