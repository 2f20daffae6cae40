/// A JSON object: its members sorted by key in the order of RFC 8785 (UTF-16 code units), each key once.
public struct Object: Hashable, Sendable {
    /// One key with its value.
    public struct Member: Hashable, Sendable {
        /// The key.
        public var key: Text
        /// The value.
        public var value: Value

        /// A key with its value.
        public init(key: Text, value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// The members, sorted by key.
    public private(set) var members: [Member]

    /// The empty object.
    public init() {
        members = []
    }

    /// An object of members in any order; of a key that comes twice, the last one counts.
    public init(_ unsorted: [Member]) {
        members = unsorted
        guard !Object.isSorted(unsorted) else { return }
        // The standard library's sort is stable, so that equal keys keep the order in which they came.
        members.sort { Object.precedes($0.key, $1.key) }
        var unique: [Member] = []
        unique.reserveCapacity(members.count)
        for member in members {
            if unique.last?.key == member.key { unique.removeLast() }
            unique.append(member)
        }
        members = unique
    }

    /// True where the members are in order and no key comes twice.
    private static func isSorted(_ members: [Member]) -> Bool {
        for index in members.indices.dropFirst()
        where !precedes(members[index - 1].key, members[index].key) {
            return false
        }
        return true
    }

    /// The number of members.
    public var count: Int { members.count }
    /// True where there are no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The value of a key; setting `nil` removes the member.
    public subscript(key: Text) -> Value? {
        get {
            // Of few members most are told apart by the lengths of their keys.
            if members.count <= 16 {
                for index in members.indices where members[index].key == key { return members[index].value }
                return nil
            }
            let index = position(of: key)
            return index < members.count && members[index].key == key ? members[index].value : nil
        }
        set {
            let index = position(of: key)
            let found = index < members.count && members[index].key == key
            switch (found, newValue) {
            case (true, let value?): members[index].value = value
            case (true, nil): members.remove(at: index)
            case (false, let value?): members.insert(Member(key: key, value: value), at: index)
            case (false, nil): break
            }
        }
    }

    /// The index of the first member whose key is not before `key`.
    private func position(of key: Text) -> Int {
        if let last = members.last, Object.precedes(last.key, key) { return members.count }
        var low = 0
        var high = members.count
        while low < high {
            let middle = (low + high) / 2
            if Object.precedes(members[middle].key, key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The order of RFC 8785, section 3.2.3: by UTF-16 code units.
    ///
    /// It is the order of the UTF-8 bytes, except that U+E000 to U+FFFF (first byte EE or EF) come after the code
    /// points that UTF-16 writes as surrogates (first byte F0 or more).
    static func precedes(_ left: Text, _ right: Text) -> Bool {
        let left = left.string.utf8Span.span
        let right = right.string.utf8Span.span
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            let (one, other) = (left[index], right[index])
            guard one >= 0xEE, other >= 0xEE, (one >= 0xF0) != (other >= 0xF0) else { return one < other }
            return one >= 0xF0
        }
        return left.count < right.count
    }
}

extension Object: ExpressibleByDictionaryLiteral {
    /// `["key": 1]`; of a key that is written twice, the last value counts.
    public init(dictionaryLiteral elements: (Text, Value)...) {
        self.init(elements.map { Member(key: $0.0, value: $0.1) })
    }
}
