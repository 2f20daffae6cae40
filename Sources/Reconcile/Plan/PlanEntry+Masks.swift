internal import Diff
internal import JSON

/// One owner's declarations, and the part of them that is shown.
struct MaskedContents {
    let desired: Desired?
    let recorded: Recorded?
    let masks: Masks

    /// Both sides of a change, as they are shown.
    func sides(of change: Change) -> Masks.Sides {
        let sides = (old: change.before, new: change.after)
        return masks.isEmpty ? sides : masks.masked(subject(change.kind, change.name), sides)
    }

    /// Both sides of a push, as they are shown; those of a reload are the states of its widgets by name.
    func sides(of action: Action) -> Masks.Sides {
        let sides = (old: action.before, new: action.after)
        guard !masks.isEmpty else { return sides }
        guard action.kind == .reload else { return masks.masked(subject(.liveActivity, action.name ?? ""), sides) }
        var (old, new) = (sides.old?.object ?? Object(), sides.new?.object ?? Object())
        for name in Set(old.members.map(\.key) + new.members.map(\.key)) {
            func document(_ states: Object) -> Value? { states[name].map { ["state": $0] } }
            let masked = masks.masked(subject(.widget, name), (document(old), document(new)))
            (old[name], new[name]) = (masked.old?["state"], masked.new?["state"])
        }
        return (sides.old.map { _ in .object(old) }, sides.new.map { _ in .object(new) })
    }

    /// All that a declaration is: in the files, committed, and on devices.
    private func subject(_ kind: PlanEntry.Kind, _ name: Text) -> PointerRules.Subject {
        switch kind {
        case .widget:
            let widgets = (desired?.widgets ?? []) + (recorded?.widgets ?? []).map(\.declaration)
            return .widget(name, templates: Set(widgets.filter { $0.name == name }.compactMap(\.template)))
        case .liveActivity:
            let declared = (desired?.activities ?? []) + (recorded?.activities ?? []).map(\.declaration)
            let activities = declared.filter { $0.name == name }
            let instances = (recorded?.instances ?? []).filter { $0.name == name }
            return .activity(
                types: Set(activities.map(\.attributesType) + instances.map(\.attributesType)),
                templates: Set(activities.compactMap(\.template) + instances.compactMap(\.template))
            )
        }
    }
}
