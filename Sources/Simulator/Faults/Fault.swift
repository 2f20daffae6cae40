internal import Time

/// Something that goes wrong on purpose.
struct Fault: Equatable, Sendable {
    /// The effect of a fault on a request that Apple would have accepted, or on a report.
    enum Effect: Equatable, Sendable {
        /// Answers this instead of 200; `processed`: whether the push reaches the phone all the same.
        case answer(status: Int, reason: String, timestamp: Moment?, processed: Bool)
        /// Answers later.
        case delay(Span)
        /// Says GOAWAY; a request that is not processed is above its last stream id.
        case goAway(reason: String?, processed: Bool)
        /// Resets the stream without processing the request.
        case reset(code: UInt32)
        /// Cuts the connection without an answer.
        case cut(processed: Bool)
        /// Never answers.
        case silence(processed: Bool)
        /// Allows so many streams from now on, and processes the request.
        case streams(UInt32)
        /// Closes a connection before a byte of TLS.
        case refuseConnection
        /// Says GOAWAY with last stream 0 before SETTINGS, and nothing else.
        case dismissConnection(reason: String)
        /// Loses a report.
        case loseReport
        /// Delivers a report twice.
        case doubleReport
        /// Delivers a report late, with the `at` it had.
        case delayReport(Span)

        /// The kind of thing that it happens to.
        enum Subject {
            case request
            case connection
            case report
        }

        /// The kind of thing that it happens to.
        var subject: Subject {
            switch self {
            case .loseReport, .doubleReport, .delayReport: .report
            case .refuseConnection, .dismissConnection: .connection
            default: .request
            }
        }
    }

    /// The requests or reports that it concerns; what is `nil` does not matter.
    struct Scope: Equatable, Sendable {
        /// The first digits of the token.
        var token: String?
        var device: String?
        var subscriber: String?
        var app: String?
        var environment: APNsEnvironment?
        var event: Event?
        /// The `type` of a report.
        var type: Report.Kind?
    }

    var scope = Scope()
    /// The number of those that it concerns and that pass first.
    var after = 0
    /// The number of times that it happens before it is over; `nil` for ever.
    var times: Int?
    /// Its probability each time; `nil` for certain.
    var chance: Double?
    var effect: Effect
}

/// The facts that a fault's scope is compared with.
struct FaultContext {
    var token = ""
    var device: String
    var subscriber: String?
    var app: String
    var environment: APNsEnvironment?
    var event: Event?
    var type: Report.Kind?
}

extension Fault.Scope {
    /// True where a request or report is one of those meant.
    func includes(_ context: FaultContext) -> Bool {
        (token.map { context.token.hasPrefix($0) } ?? true) && (device ?? context.device) == context.device
            && (subscriber == nil || subscriber == context.subscriber) && (app ?? context.app) == context.app
            && (environment == nil || environment == context.environment)
            && (event == nil || event == context.event) && (type == nil || type == context.type)
    }
}
