internal import Foreign
internal import JSON
internal import Time

/// The pushes of one link that have no answer yet, by stream.
struct PushFlights {
    /// One push on its way.
    struct Flight {
        let id: Text
        /// The time at which it was submitted, by the clock of waiting.
        let submittedAt: Span
        /// The parts of the answer that have arrived.
        var status: Int?
        var answerID: Text?
        var body: [UInt8] = []
    }

    private var flights: [Int32: Flight] = [:]
    /// No stream before this one is in flight.
    ///
    /// A client's streams are odd and in the order of submission.
    private var first: Int32 = 1

    var count: Int { flights.count }
    var isEmpty: Bool { flights.isEmpty }

    /// The streams in flight, in the order of submission.
    var streams: [Int32] { flights.keys.sorted() }

    /// The push that waits longest.
    var oldest: (stream: Int32, flight: Flight)? {
        mutating get {
            guard !flights.isEmpty else { return nil }
            while flights[first] == nil { first += 2 }
            return flights[first].map { (first, $0) }
        }
    }

    mutating func add(_ stream: Int32, id: Text, at time: Span) {
        if flights.isEmpty { first = stream }
        flights[stream] = Flight(id: id, submittedAt: time)
    }

    mutating func remove(_ stream: Int32) -> Flight? {
        flights.removeValue(forKey: stream)
    }

    /// Takes in the header fields of an answer; an interim one (1xx) is of no interest.
    mutating func take(_ headers: [HTTP2Header], on stream: Int32) {
        guard let index = flights.index(forKey: stream) else { return }
        for header in headers {
            switch header.name {
            case ":status": flights.values[index].status = Int(header.value).flatMap { $0 < 200 ? nil : $0 }
            case "apns-id": flights.values[index].answerID = Text(header.value)
            default: break
            }
        }
    }

    /// Takes in a piece of an answer's body, up to what any answer of APNs can need.
    mutating func take(_ bytes: [UInt8], on stream: Int32) {
        guard let index = flights.index(forKey: stream), flights.values[index].body.count < 16 * 1024 else { return }
        flights.values[index].body += bytes
    }
}

extension PushFlights.Flight {
    /// The answer, once its status has arrived.
    var answer: Answer? {
        status.map { status in
            let body = body.isEmpty ? nil : try? Value(json: body)
            return Answer(
                status: status,
                reason: body?["reason"]?.text,
                id: answerID,
                timestamp: body?["timestamp"]?.integer.map(Moment.init(milliseconds:))
            )
        }
    }
}
