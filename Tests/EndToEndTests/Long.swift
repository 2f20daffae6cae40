import TestSeeds
import Testing

extension Trait where Self == ConditionTrait {
    /// Of the tests of the whole program, those whose rule a faster test has too, or that take their time.
    static var long: Self { .enabled(if: runsLongProofs, "script/test --all runs it") }
}
