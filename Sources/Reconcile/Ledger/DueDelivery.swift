internal import Diff
internal import JSON

/// A delivery that is due, with the name of its activity; `nil` for a reload.
struct DueDelivery {
    var delivery: Delivery
    var name: Text?
}

/// A place in the order of sending: rank, then step, then subscriber, then id.
struct SendingPlace: Hashable {
    var rank: Int64
    var step: Step
    var subscriber: Text
    var id: Text

    /// The place before all others.
    static let start = SendingPlace(rank: -1, step: .zero, subscriber: "", id: "")
}

extension Delivery {
    /// Its place in the order of sending.
    var place: SendingPlace { SendingPlace(rank: rank, step: step, subscriber: owner.subscriber, id: id.text) }
}
