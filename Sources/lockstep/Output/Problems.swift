/// What is wrong, as far as one comment can hold it.
struct Problems {
    /// The first of them.
    private(set) var first: [Cause] = []
    /// How many came after those.
    private(set) var more = 0

    private static let most = 200

    /// Takes one; a warning keeps nothing from happening.
    mutating func note(_ cause: Cause) {
        guard !cause.isWarning else { return }
        if first.count < Self.most { first.append(cause) } else { more += 1 }
    }
}
