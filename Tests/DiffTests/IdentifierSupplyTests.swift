import Diff
import Testing
import Time

/// Ids of one supply: ULIDs of its moment that count up.
struct IdentifierSupplyTests {
    private static let moment = Moment(milliseconds: 1_469_922_850_259)

    @Test func idsAreULIDsOfTheirMoment() {
        // The time of the specification's own example.
        var supply = IdentifierSupply(at: Self.moment, entropy: Array(repeating: 0xff, count: 10))
        let id: TargetID = supply.next()
        #expect(id.description == "tgt_01ARZ3NDEKZZZZZZZZZZZZZZZZ")
        let digits = "01ARZ3NDEK" + "0000000000000000"
        var zero = IdentifierSupply(at: Self.moment, entropy: [])
        let first: LaunchID = zero.next()
        #expect(first.description == "lrq_" + digits)
    }

    @Test func idsCountUpAcrossWords() {
        var supply = IdentifierSupply(at: Self.moment, entropy: [0, 0] + Array(repeating: 0xff, count: 8))
        let ids: [DeliveryID] = [supply.next(), supply.next(), supply.next()]
        #expect(ids == ids.sorted() && Set(ids).count == 3)
        #expect(ids[1].description == "dlv_01ARZ3NDEK000G000000000000")
        #expect(ids[2].description.hasSuffix("1"))
    }

    @Test func everyBitHasItsPlace() {
        var seen: Set<OperationID> = []
        for bit in 0..<80 {
            var entropy = [UInt8](repeating: 0, count: 10)
            entropy[bit / 8] = 1 << (bit % 8)
            var supply = IdentifierSupply(at: Moment(seconds: 0), entropy: entropy)
            seen.insert(supply.next())
        }
        #expect(seen.count == 80)
    }
}
