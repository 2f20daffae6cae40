/// The ledger's own counter: one more with each group of changes that is committed together.
public struct Step: Hashable, Comparable, Sendable {
    /// Counts the steps, from 1.
    public var number: Int64

    /// The step after this one.
    public var next: Step { Step(number + 1) }

    /// A step by its number.
    public init(_ number: Int64) {
        self.number = number
    }

    /// The one before the first: nothing is committed yet.
    public static let zero = Step(0)
    /// After every step there will be.
    public static let afterAll = Step(.max)

    /// In the order of counting.
    public static func < (left: Step, right: Step) -> Bool { left.number < right.number }
}
