internal import APNs
internal import Diff
internal import JSON

extension Outgoing {
    /// The request that carries it.
    func request() throws -> PushRequest {
        switch content {
        case .reload:
            return try request(.widgets, Payload.reload, priority: 5)
        case .start(let type, var attributes, let launch, let content, let isSilent, let asksForToken):
            if var object = attributes.object {
                object["launchRequestId"] = .string(launch.text)
                attributes = .object(object)
            }
            let payload = Payload.start(
                attributesType: type,
                attributes: attributes,
                state: content.state,
                alert: (isSilent ? content.alert?.silent : content.alert) ?? .object(Object()),
                timestamp: timestamp,
                staleDate: content.staleAt,
                relevanceScore: content.relevanceScore,
                inputPushToken: asksForToken
            )
            return try request(.liveActivity, payload, priority: 10, collapseID: launch.text)
        case .update(let content, let rings, let isHigh):
            let payload = Payload.update(
                state: content.state,
                alert: rings ? content.alert : nil,
                timestamp: timestamp,
                staleDate: content.staleAt,
                relevanceScore: content.relevanceScore
            )
            return try request(.liveActivity, payload, priority: rings || isHigh ? 10 : 5)
        case .end(let state, let dismissAt):
            let payload = Payload.end(state: state, timestamp: timestamp, dismissalDate: dismissAt)
            return try request(.liveActivity, payload, priority: 10)
        }
    }

    private func request(
        _ type: PushType,
        _ payload: [UInt8],
        priority: Int,
        collapseID: Text? = nil
    ) throws -> PushRequest {
        try PushRequest(
            token: token,
            app: delivery.owner.app,
            type: type,
            priority: priority,
            expiration: expiration,
            collapseID: collapseID,
            payload: payload
        )
    }
}

extension Value {
    /// An alert without its sound.
    var silent: Value {
        guard var alert = object else { return self }
        alert["sound"] = nil
        return .object(alert)
    }
}
