public import JSON
public import Time

/// What the files declare for one owner, its widgets and activities each sorted by name in byte order.
public struct Desired: Hashable, Sendable {
    /// Whose declarations these are.
    public var owner: Owner
    /// The widgets, by name.
    public var widgets: [WidgetDeclaration]
    /// The Live Activities, by name.
    public var activities: [ActivityDeclaration]

    /// The declarations of one owner.
    public init(owner: Owner, widgets: [WidgetDeclaration] = [], activities: [ActivityDeclaration] = []) {
        self.owner = owner
        self.widgets = widgets
        self.activities = activities
    }
}

/// One widget that the files declare.
public struct WidgetDeclaration: Hashable, Sendable {
    /// The WidgetKit kind it is published under.
    public var name: Text
    /// What the widget shows: any JSON value of at most 64 KiB.
    public var state: Value
    /// `name@version`, where declared.
    public var template: Text?
    /// A new value reloads though the state is the same.
    public var reload: Text?
    /// At most one reload per so long.
    public var minInterval: Span?
    /// How long APNs keeps trying.
    public var expiresAfter: Span?

    /// One widget.
    public init(
        name: Text,
        state: Value,
        template: Text? = nil,
        reload: Text? = nil,
        minInterval: Span? = nil,
        expiresAfter: Span? = nil
    ) {
        self.name = name
        self.state = state
        self.template = template
        self.reload = reload
        self.minInterval = minInterval
        self.expiresAfter = expiresAfter
    }
}

/// One Live Activity that the files declare.
public struct ActivityDeclaration: Hashable, Sendable {
    /// Who starts it.
    public enum Start: Text, Hashable, Sendable, CaseIterable {
        /// Lockstep, by a push to the device's start target.
        case remote
        /// The app; Lockstep adopts, updates and ends it.
        case app
    }

    /// The APNs priority of silent updates.
    public enum Priority: Text, Hashable, Sendable, CaseIterable {
        /// 5
        case normal
        /// 10
        case high
    }

    /// What follows a launch that the device does not report in time.
    public enum Restart: Text, Hashable, Sendable, CaseIterable {
        /// Nothing, until the generation changes.
        case never
        /// Another launch.
        case ifUnconfirmed = "if-unconfirmed"
    }

    /// How a declared end looks.
    public struct End: Hashable, Sendable {
        /// The final state; the declared state where absent.
        public var state: Value?
        /// When the tile leaves the Lock Screen; absent: iOS decides, up to 4 hours.
        public var dismissAt: Dismissal?

        /// An end with its final state and its dismissal.
        public init(state: Value? = nil, dismissAt: Dismissal? = nil) {
            self.state = state
            self.dismissAt = dismissAt
        }
    }

    /// The time at which a tile leaves the Lock Screen: a fixed one, or the moment of sending.
    public enum Dismissal: Hashable, Sendable {
        /// `"now"`
        case now
        /// To the second.
        case at(Moment)
    }

    /// The name, unique for its owner.
    public var name: Text
    /// The Swift name of the `ActivityAttributes` type.
    public var attributesType: Text
    /// The attributes (an object); `launchRequestId` is reserved.
    public var attributes: Value
    /// The content state (an object).
    public var state: Value
    /// `name@version`, where declared.
    public var template: Text?
    /// `title`, `body` and perhaps `sound`, as declared.
    public var alert: Value?
    /// After this, to the second, iOS shows the tile as stale.
    public var staleAt: Moment?
    /// A number: the highest one of an app has the Dynamic Island.
    public var relevanceScore: Value?
    /// Who starts it.
    public var start: Start
    /// The priority of its silent updates.
    public var priority: Priority
    /// A new value starts a new life.
    public var generation: Text?
    /// What follows a launch that the device does not report in time.
    public var restart: Restart
    /// Whether a new one is started when iOS's 8 hours are over.
    public var renew: Bool
    /// At most one silent update per so long.
    public var minInterval: Span?
    /// How long APNs keeps trying.
    public var expiresAfter: Span?
    /// Whether its removal from the files needs an override that names it.
    public var protect: Bool
    /// Present once it is over.
    public var end: End?

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
        self.name = name
        self.attributesType = attributesType
        self.attributes = attributes
        self.state = state
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
