public import JSON

/// A declaration of an owner by its name.
public enum TargetName: Hashable, Sendable {
    /// A widget.
    case widget(Text)
    /// A Live Activity.
    case activity(Text)

    /// As `--only` and `state` call it: `SUBSCRIBER/widget/NAME`, `SUBSCRIBER/activity/NAME`.
    public func text(of owner: Owner) -> String {
        switch self {
        case .widget(let name): "\(owner.subscriber)/widget/\(name)"
        case .activity(let name): "\(owner.subscriber)/activity/\(name)"
        }
    }
}

/// Changing the record of an owner by hand.
extension TargetName {
    /// Forgets the declaration; its instances stay what they are, and nobody's.
    ///
    /// - Parameters:
    ///   - transition: The record of its owner.
    ///   - step: The step that this is part of.
    /// - Throws: ``IllegalMove`` where the record holds what cannot be.
    public func forget(in transition: inout Transition, _ step: StepContext) throws(IllegalMove) {
        switch self {
        case .widget(let name):
            transition.record.widgets.removeAll { $0.declaration.name == name }
            transition.isUnpublished = true
        case .activity(let name):
            for instance in transition.record.instances where instance.name == name {
                let isUrgent = instance.ending?.isUrgent ?? false
                for delivery in instance.pending where !isUrgent {
                    try transition.cancel(delivery, note: "forgotten by hand", run: step.run, at: step.now)
                }
                transition.change(instance.id) { ($0.name, $0.ending) = ("", isUrgent ? $0.ending : nil) }
            }
            transition.record.activities.removeAll { $0.declaration.name == name }
        }
        let text = "\(text(of: transition.record.owner)) was forgotten by hand"
        transition.log("forgotten", about: nil, text, run: step.run, at: step.now)
    }

    /// Gives the declaration another name, which must be free; what is paused or revoked of it stays so.
    ///
    /// - Parameters:
    ///   - transition: The record of its owner.
    ///   - name: Its new name.
    ///   - scopes: The scopes that were paused or revoked.
    ///   - step: The step that this is part of.
    public func rename(in transition: inout Transition, to name: Text, _ scopes: Scopes, _ step: StepContext) {
        switch self {
        case .widget(let former):
            for index in transition.record.widgets.indices
            where transition.record.widgets[index].declaration.name == former {
                transition.record.widgets[index].declaration.name = name
            }
            transition.isUnpublished = true
        case .activity(let former):
            for index in transition.record.activities.indices
            where transition.record.activities[index].declaration.name == former {
                transition.record.activities[index].declaration.name = name
            }
            for index in transition.record.instances.indices where transition.record.instances[index].name == former {
                transition.record.instances[index].name = name
            }
        }
        let owner = transition.record.owner
        transition.scopes += scopes.renamed(replaces: true) { $0.renamed(self, of: owner, to: name) }
        let text = "\(text(of: owner)) was renamed to '\(name)' by hand"
        transition.log("moved", about: nil, text, run: step.run, at: step.now)
    }
}

extension ScopeSubject {
    /// The subject once a declaration has another name; `nil` where it is not of it.
    fileprivate func renamed(_ target: TargetName, of owner: Owner, to name: Text) -> ScopeSubject? {
        switch self {
        case .widget(owner, let former) where target == .widget(former): .widget(owner, name: name)
        case .activity(owner, let former, let device) where target == .activity(former):
            .activity(owner, name: name, device: device)
        default: nil
        }
    }
}
