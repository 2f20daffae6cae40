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
        func wired(_ content: ActivityContent) -> Payload.Content {
            Payload.Content(
                state: template?.state.wire(content.state) ?? content.state,
                alert: content.alert,
                timestamp: timestamp,
                staleDate: content.staleAt,
                relevanceScore: content.relevanceScore
            )
        }
        switch content {
        case .reload:
            return try request(.widgets, Payload.reload)
        case .start(let start):
            let constants = Payload.Constants(
                attributesType: start.attributesType,
                attributes: (template?.attributes?.wire(start.attributes) ?? start.attributes).object ?? Object(),
                launchRequestID: start.launch.text
            )
            var content = wired(start.content)
            content.alert = start.content.alert ?? .object(Object())
            let payload = Payload.start(
                constants,
                content,
                isSilent: !start.rings,
                asksForToken: start.asksForToken
            )
            return try request(.liveActivity, payload, collapseID: start.launch.text)
        case .update(let content, let rings):
            var shown = wired(content)
            if !rings { shown.alert = nil }
            let payload = Payload.update(shown)
            return try request(.liveActivity, payload)
        case .end(let state, let dismissAt):
            let payload = Payload.end(wired(ActivityContent(state: state)), dismissalDate: dismissAt)
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
