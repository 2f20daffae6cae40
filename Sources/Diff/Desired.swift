/// The declarations of one owner in the files: widgets and activities, each sorted by name in byte order.
public struct Desired: Hashable, Sendable {
    /// The owner of the declarations.
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
