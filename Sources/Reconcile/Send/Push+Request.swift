internal import APNs
internal import Diff
internal import JSON
internal import Time
internal import Source

extension Push {
    /// The request that carries it.
    ///
    /// - Parameter template: The version that its instance runs with, which says how values are spelled.
    /// - Returns: The request.
    /// - Throws: ``PushRequestError`` where APNs would not take it.
    func request(_ template: Template?) throws(PushRequestError) -> PushRequest {
        func wire(_ state: Value) -> Value { template?.state.wire(state) ?? state }
        switch content {
        case .reload:
            return try request(.widgets, Payload.reload)
        case .start(let start):
            let payload = Payload.start(
                attributesType: start.attributesType,
                attributes: (template?.attributes?.wire(start.attributes) ?? start.attributes).object ?? Object(),
                launchRequestID: start.launch.text,
                state: wire(start.content.state),
                alert: start.content.alert ?? .object(Object()),
                isSilent: !start.rings,
                timestamp: timestamp,
                staleDate: start.content.staleAt,
                relevanceScore: start.content.relevanceScore,
                asksForToken: start.asksForToken
            )
            return try request(.liveActivity, payload, collapseID: start.launch.text)
        case .update(let content, let rings):
            let payload = Payload.update(
                state: wire(content.state),
                alert: rings ? content.alert : nil,
                timestamp: timestamp,
                staleDate: content.staleAt,
                relevanceScore: content.relevanceScore
            )
            return try request(.liveActivity, payload)
        case .end(let state, let dismissAt):
            let payload = Payload.end(
                state: wire(state),
                timestamp: timestamp,
                dismissalDate: dismissAt
            )
            return try request(.liveActivity, payload)
        }
    }

    private func request(
        _ kind: PushRequest.Kind,
        _ payload: [UInt8],
        collapseID: Text? = nil
    ) throws(PushRequestError) -> PushRequest {
        try PushRequest(
            app: delivery.owner.app,
            token: token,
            kind: kind,
            priority: priority == 10 ? .immediate : .considerate,
            expiration: max(expiration, .never),
            collapseID: collapseID,
            payload: payload
        )
    }
}
