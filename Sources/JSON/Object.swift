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
        members = []
        members.reserveCapacity(unsorted.count)
        for member in unsorted { self[member.key] = member.value }
    }

    /// How many members there are.
    public var count: Int { members.count }
    /// Whether there are none.
    public var isEmpty: Bool { members.isEmpty }

    /// The value of a key; setting `nil` removes the member.
    public subscript(key: Text) -> Value? {
        get {
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
    static func precedes(_ left: Text, _ right: Text) -> Bool {
        left.string.utf16.lexicographicallyPrecedes(right.string.utf16)
    }
}
