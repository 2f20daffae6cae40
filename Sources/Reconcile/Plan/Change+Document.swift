public import Diff
public import JSON

extension Change {
    /// The kind of declaration.
    public var kind: PlanEntry.Kind {
        switch self {
        case .widget, .widgetRemoved: .widget
        case .activity, .activityRemoved: .liveActivity
        }
    }

    /// The declaration's name.
    public var name: Text {
        switch self {
        case .widget(let declaration, _), .widgetRemoved(let declaration): declaration.name
        case .activity(let declaration, _, _), .activityRemoved(let declaration): declaration.name
        }
    }

    /// The declaration as it was committed; `nil` where it is new.
    public var before: Value? {
        switch self {
        case .widget(_, let before): before?.document
        case .widgetRemoved(let before): before.document
        case .activity(_, _, let before): before?.document
        case .activityRemoved(let before): before.document
        }
    }

    /// The declaration as the files have it; `nil` where they have none.
    public var after: Value? {
        switch self {
        case .widget(let after, _): after.document
        case .activity(let after, _, _): after.document
        case .widgetRemoved, .activityRemoved: nil
        }
    }
}
