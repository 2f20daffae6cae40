internal import Diff
internal import Foreign
internal import JSON

/// The ground of a line in a saved plan: the committed content of its declaration and the end of its life on a device.
///
/// Of the content it holds a digest (``Seal``), so that a plan tells nothing that its lines do not show.
public struct Footing: Hashable, Sendable {
    /// The digest of the declaration; `nil` where there is none.
    var content: Text?
    /// The committed state of the declaration; `nil` where there is none, or it is still to come.
    var revision: Int64?
    /// The end of the life on the device, past or to come; `left` where it is no longer the owner's, `nil` where
    /// it is not over.
    var closure: Text?
}

extension Footing {
    /// As JSON, absent members left out.
    var value: Value {
        var object = Object()
        object["content"] = content.map(Value.string)
        object["revision"] = revision.map(Value.integer)
        object["closure"] = closure.map(Value.string)
        return .object(object)
    }

    /// Reads it back.
    init(_ value: Value) {
        content = value["content"]?.text
        revision = value["revision"]?.integer
        closure = value["closure"]?.text
    }
}

/// The ground that one owner's lines stand on now.
struct Ground {
    let desired: Desired?
    let recorded: Recorded
    let seal: Seal

    /// The digest of what the files declare under a name.
    func declared(_ kind: PlanEntry.Kind, _ name: Text) -> Text? {
        switch kind {
        case .widget: (desired?.widgets.first { $0.name == name }).map(seal.digest)
        case .liveActivity: (desired?.activities.first { $0.name == name }).map(seal.digest)
        }
    }

    /// The committed state under a name.
    func committed(_ kind: PlanEntry.Kind, _ name: Text) -> Footing {
        switch kind {
        case .widget:
            let record = recorded.widgets.first { $0.declaration.name == name }
            return Footing(content: record.map { seal.digest(of: $0.declaration) }, revision: record?.revision)
        case .liveActivity:
            let record = recorded.activities.first { $0.declaration.name == name }
            let isThere = record?.isRemoved == false
            let content = isThere ? record.map { seal.digest(of: $0.declaration) } : nil
            return Footing(content: content, revision: record?.revision)
        }
    }

    /// The end, on its device, of the life that a push is about, past or to come.
    func closure(_ push: PlanEntry.Push, _ name: Text?) -> Text? {
        let device = recorded.devices.first { $0.id == push.device }
        switch push.kind {
        case .reload: return device?.widgets?.token == nil ? Self.left : nil
        case .start where device == nil: return Self.left
        case .start, .update, .end:
            // In the order of launches.
            return recorded.instances.last { $0.name == name && $0.device == push.device }?.fate?.rawValue
        }
    }

    /// The line with what it stands on, before and after.
    func footed(_ entry: PlanEntry, _ action: Action?) -> PlanEntry {
        var entry = entry
        var before = entry.name.map { committed(entry.kind, $0) } ?? Footing()
        var after = Footing(content: entry.name.flatMap { declared(entry.kind, $0) })
        if let push = entry.push {
            before.closure = closure(push, entry.name)
            switch action?.write {
            case .end(_, let cause): after.closure = cause.rawValue
            case .launch: after.closure = nil
            default: after.closure = before.closure
            }
        }
        (entry.before, entry.after) = (before, after)
        return entry
    }

    /// The device is not the owner's, or does not take this push any more.
    static let left: Text = "left"
}
