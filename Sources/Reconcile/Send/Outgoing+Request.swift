internal import APNs
internal import Diff
internal import JSON
internal import Time

extension Outgoing {
    /// The request that carries it.
    func request() throws(PushRequestError) -> PushRequest {
        switch content {
        case .reload:
            return try request(.widgets, Payload.reload, .considerate)
        case .start(let type, let attributes, let launch, let content, let isSilent, let asksForToken):
            let payload = Payload.start(
                attributesType: type,
                attributes: (template?.attributes?.wire(attributes) ?? attributes).object ?? Object(),
                launchRequestID: launch.text,
                state: wire(content.state),
                alert: content.alert ?? .object(Object()),
                isSilent: isSilent,
                timestamp: timestamp,
                staleDate: content.staleAt,
                relevanceScore: content.relevanceScore,
                asksForToken: asksForToken
            )
            return try request(.liveActivity, payload, .immediate, collapseID: launch.text)
        case .update(let content, let rings, let isHigh):
            let payload = Payload.update(
                state: wire(content.state),
                alert: rings ? content.alert : nil,
                timestamp: timestamp,
                staleDate: content.staleAt,
                relevanceScore: content.relevanceScore
            )
            return try request(.liveActivity, payload, rings || isHigh ? .immediate : .considerate)
        case .end(let state, let dismissAt):
            let payload = Payload.end(
                state: wire(state),
                timestamp: timestamp,
                dismissalDate: dismissAt
            )
            return try request(.liveActivity, payload, .immediate)
        }
    }

    private func wire(_ state: Value) -> Value { template?.state.wire(state) ?? state }

    private func request(
        _ kind: PushRequest.Kind,
        _ payload: [UInt8],
        _ priority: PushRequest.Priority,
        collapseID: Text? = nil
    ) throws(PushRequestError) -> PushRequest {
        try PushRequest(
            app: delivery.owner.app,
            token: token,
            kind: kind,
            priority: priority,
            expiration: max(expiration, .never),
            collapseID: collapseID,
            payload: payload
        )
    }
}
