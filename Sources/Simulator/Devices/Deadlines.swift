/// Things to do at given times: a binary heap whose first element is due first.
struct Deadlines<Instant: Comparable, Element> {
    private var heap: [(time: Instant, order: UInt64, element: Element)] = []
    private var added: UInt64 = 0

    /// The time of the next one; `nil` where there is none.
    var next: Instant? { heap.first?.time }

    /// True where there is nothing to do.
    var isEmpty: Bool { heap.isEmpty }

    /// Adds one; of two with the same time, the one added first comes first.
    mutating func add(_ element: Element, at time: Instant) {
        heap.append((time, added, element))
        added += 1
        var child = heap.count - 1
        while child > 0, comesFirst(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes out the first one that is due at `now`.
    mutating func popDue(at now: Instant) -> (time: Instant, element: Element)? {
        guard let first = heap.first, first.time <= now else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return (first.time, first.element) }
        heap[0] = last
        var parent = 0
        while let child = firstChild(of: parent), comesFirst(child, parent) {
            heap.swapAt(child, parent)
            parent = child
        }
        return (first.time, first.element)
    }

    private func firstChild(of parent: Int) -> Int? {
        let left = 2 * parent + 1
        guard left < heap.count else { return nil }
        return left + 1 < heap.count && comesFirst(left + 1, left) ? left + 1 : left
    }

    private func comesFirst(_ left: Int, _ right: Int) -> Bool {
        (heap[left].time, heap[left].order) < (heap[right].time, heap[right].order)
    }
}
