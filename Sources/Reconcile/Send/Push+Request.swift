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
        case .start(var start):
            start.attributes = template?.attributes?.wire(start.attributes) ?? start.attributes
            start.content.state = wire(start.content.state)
            return try request(.liveActivity, Payload.start(start, at: timestamp), collapseID: start.launch.text)
        case .update(var content, let rings):
            content.state = wire(content.state)
            return try request(.liveActivity, Payload.update(content, rings: rings, at: timestamp))
        case .end(let state, let dismissAt):
            return try request(.liveActivity, Payload.end(state: wire(state), at: timestamp, dismissalDate: dismissAt))
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
            fields: PushRequest.Fields(
                kind: kind,
                priority: priority == 10 ? .immediate : .considerate,
                expiration: max(expiration, .never),
                collapseID: collapseID
            ),
            payload: payload
        )
    }
}
