import JSON
import TestSeeds
import Testing
import Time

@testable import Diff

/// Ids as bits, and ids that are spelled from a place in a step.
@Suite struct ULIDTests {
    @Test func bitsAndDigitsAreTheSame() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let ulid = ULID(high: generator.next(), low: generator.next())
            #expect(ulid.text.utf8.count == 26)
            #expect(ULID(Text("dlv_" + ulid.text), after: "dlv_") == ulid)
        }
        #expect(ULID(high: 0, low: 0).text == "00000000000000000000000000")
        #expect(ULID(high: .max, low: .max).text == "7ZZZZZZZZZZZZZZZZZZZZZZZZZ")
        // The example of the specification.
        #expect(ULID("01ARZ3NDEKTSV4RRFFQ69G5FAV", after: "")?.text == "01ARZ3NDEKTSV4RRFFQ69G5FAV")
    }

    @Test(arguments: [
        "", "op_", "op_01ARZ3NDEKTSV4RRFFQ69G5FA", "op_01ARZ3NDEKTSV4RRFFQ69G5FAVV", "dlv_01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "op_81ARZ3NDEKTSV4RRFFQ69G5FAV", "op_01ARZ3NDEKTSV4RRFFQ69G5FAI", "op_01arz3ndektsv4rrffq69g5fav",
        "op_01ARZ3NDEKTSV4RRFFQ69G5FAé",
    ])
    func whatIsNotCanonicalIsNone(id: Text) {
        #expect(OperationID(id).ulid == nil)
    }

    @Test func placesAreSpelledInTheirOrder() {
        let place = StepPlace(step: Step(47_110_815), ordinal: 3)
        #expect(DeliveryID(place.ulid).text == "dlv_70000001CXPMZ0000000000003")
        #expect(StepPlace(place.ulid) == place)
        let places = [(0, 1), (1, 1), (1, 2), (1, 40), (2, 1), (33, 1), (1 << 30, 1)].map {
            StepPlace(step: Step(Int64($0.0)), ordinal: Int64($0.1))
        }
        let ids = places.map { DeliveryID($0.ulid) }
        #expect(ids == ids.sorted())
        // One of a time and of chance is none, and comes before.
        var supply = IdentifierSupply(at: Moment(milliseconds: 1 << 44), entropy: Array(repeating: 0xFF, count: 10))
        let minted: DeliveryID = supply.next()
        #expect(minted < ids[0])
        #expect(minted.ulid.flatMap(StepPlace.init) == nil)
    }

    @Test func aStepNamesWhatItCreatesByCounting() {
        var step = StepContext(
            step: Step(7),
            run: RunID("r"),
            now: .never,
            ids: IdentifierSupply(at: .never, entropy: [])
        )
        let again = step
        let first = (step.nextOperation(), step.nextDelivery(), step.nextDelivery())
        #expect(first.1 < first.2)
        #expect(first.0.ulid == first.1.ulid)
        // A unit that runs again names the same.
        step = again
        #expect((step.nextOperation(), step.nextDelivery(), step.nextDelivery()) == first)
    }
}
