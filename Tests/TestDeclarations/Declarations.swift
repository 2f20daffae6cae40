import Diff
import JSON
import Time

extension WidgetDeclaration {
    /// One widget.
    public init(
        name: Text,
        state: Value,
        template: Text? = nil,
        reload: Text? = nil,
        minInterval: Span? = nil,
        expiresAfter: Span? = nil
    ) {
        self.init(name: name, members: ["state": state])
        self.template = template
        self.reload = reload
        self.minInterval = minInterval
        self.expiresAfter = expiresAfter
    }
}

extension ActivityDeclaration {
    /// One Live Activity.
    public init(
        name: Text,
        attributesType: Text,
        attributes: Value = .object(Object()),
        state: Value,
        template: Text? = nil,
        alert: Value? = nil,
        staleAt: Moment? = nil,
        relevanceScore: Value? = nil,
        start: Start = .remote,
        priority: Priority = .normal,
        generation: Text? = nil,
        restart: Restart = .never,
        renew: Bool = false,
        minInterval: Span? = nil,
        expiresAfter: Span? = nil,
        protect: Bool = false,
        end: End? = nil
    ) {
        self.init(name: name, members: ["attributesType": .string(attributesType), "state": state])
        self.attributes = attributes
        self.template = template
        self.alert = alert
        self.staleAt = staleAt
        self.relevanceScore = relevanceScore
        self.start = start
        self.priority = priority
        self.generation = generation
        self.restart = restart
        self.renew = renew
        self.minInterval = minInterval
        self.expiresAfter = expiresAfter
        self.protect = protect
        self.end = end
    }
}
