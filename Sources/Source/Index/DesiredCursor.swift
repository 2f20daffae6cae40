public import Diff
internal import Foreign
internal import JSON

/// The desired state, owner by owner in byte order.
public final class DesiredCursor {
    /// The declarations that are read.
    private enum Source {
        case rows(Statement)
        case held(HeldDeclarations, [Owner])
    }

    private let source: Source
    /// The number of owners that were taken of those in memory.
    private var taken = 0
    /// The first owner that is not taken yet; `nil` at the end.
    public private(set) var owner: Owner?

    init(_ statement: Statement) throws {
        source = .rows(statement)
        try advance()
    }

    init(_ held: HeldDeclarations, over range: OwnerRange) {
        let owners = held.owners.filter(range.contains).sorted()
        source = .held(held, owners)
        owner = owners.first
    }

    private func advance() throws {
        switch source {
        case .rows(let statement): owner = try statement.step() ? Owner(row: statement) : nil
        case .held(_, let owners):
            taken += 1
            owner = taken < owners.count ? owners[taken] : nil
        }
    }

    /// Takes the declarations of one owner, and passes over those of owners before; `nil` where there are none.
    ///
    /// - Throws: ``SQLiteError``, ``MalformedBody``.
    public func take(_ wanted: Owner) throws -> Desired? {
        var desired: Desired?
        while let next = owner, next <= wanted {
            if next == wanted {
                switch source {
                case .rows(let statement): try read(statement, of: wanted, into: &desired)
                case .held(let held, _): desired = held.desired(of: wanted)
                }
            }
            try advance()
        }
        return desired
    }

    private func read(_ row: Statement, of owner: Owner, into desired: inout Desired?) throws {
        var owned = desired.take() ?? Desired(owner: owner)
        let (name, body) = (row.text(3), try row.json(4))
        if row.integer(2) == 0 {
            owned.widgets.append(try WidgetDeclaration(name: name, body: body))
        } else {
            owned.activities.append(try ActivityDeclaration(name: name, body: body))
        }
        desired = owned
    }
}

/// Declarations in memory, each name of an owner once.
struct HeldDeclarations {
    private var entries: [Owner: Entry] = [:]
    /// Those who declare something, in the order in which they came: most often their own.
    private(set) var owners: [Owner] = []
    /// About the bytes that they take.
    private(set) var weight = 0

    /// One owner's declarations, each kind with its places beside.
    private struct Entry {
        var desired: Desired
        var widgets: [SourcePlace] = []
        var activities: [SourcePlace] = []

        /// Adds a declaration; the place of one that has its name.
        mutating func add(_ declaration: Declaration) -> SourcePlace? {
            switch declaration.content {
            case .widget(let widget):
                if let index = desired.widgets.firstIndex(where: { $0.name == widget.name }) { return widgets[index] }
                desired.widgets.append(widget)
                widgets.append(declaration.source)
            case .activity(let activity):
                if let index = desired.activities.firstIndex(where: { $0.name == activity.name }) {
                    return activities[index]
                }
                desired.activities.append(activity)
                activities.append(declaration.source)
            }
            return nil
        }

        func each(_ body: (Declaration) throws -> Void) rethrows {
            for (widget, source) in zip(desired.widgets, widgets) {
                try body(Declaration(owner: desired.owner, content: .widget(widget), source: source))
            }
            for (activity, source) in zip(desired.activities, activities) {
                try body(Declaration(owner: desired.owner, content: .activity(activity), source: source))
            }
        }
    }

    /// Adds a declaration; the place of one that has its name.
    mutating func add(_ declaration: Declaration) -> SourcePlace? {
        let owner = declaration.owner
        let before = entries.count
        if let first = entries[owner, default: Entry(desired: Desired(owner: owner))].add(declaration) { return first }
        if entries.count > before { owners.append(owner) }
        // Beside the body: names, places, and the room of the table.
        weight += declaration.content.body.weight + 500
        return nil
    }

    /// The declarations of an owner, each kind by name.
    func desired(of owner: Owner) -> Desired? {
        guard var desired = entries[owner]?.desired else { return nil }
        desired.widgets = desired.widgets.ordered { $0.name < $1.name }
        desired.activities = desired.activities.ordered { $0.name < $1.name }
        return desired
    }

    /// Calls `body` with each of them.
    func each(_ body: (Declaration) throws -> Void) rethrows {
        for entry in entries.values { try entry.each(body) }
    }
}

extension Value {
    /// About the bytes that it takes in memory.
    fileprivate var weight: Int {
        switch self {
        case .null, .bool, .integer, .real: 0
        case .string(let text): text.string.utf8.count
        case .array(let elements): elements.reduce(32) { $0 + 32 + $1.weight }
        case .object(let object): object.members.reduce(32) { $0 + 48 + $1.key.string.utf8.count + $1.value.weight }
        }
    }
}
