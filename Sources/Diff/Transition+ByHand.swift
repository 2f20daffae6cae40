public import JSON

/// Changing the record of an owner by hand.
extension Transition {
    /// Forgets a declaration; its instances stay what they are, and nobody's.
    ///
    /// - Parameters:
    ///   - target: The declaration.
    ///   - step: The step that this is part of.
    /// - Throws: ``IllegalMove`` where the record holds what cannot be.
    public mutating func forget(_ target: TargetName, in step: StepContext) throws(IllegalMove) {
        switch target {
        case .widget(let name):
            record.widgets.removeAll { $0.declaration.name == name }
            isUnpublished = true
        case .activity(let name):
            for instance in record.instances where instance.name == name {
                let isUrgent = instance.ending?.isUrgent ?? false
                for delivery in instance.pending where !isUrgent {
                    try cancel(delivery, note: "forgotten by hand", run: step.run, at: step.now)
                }
                change(instance.id) { ($0.name, $0.ending) = ("", isUrgent ? $0.ending : nil) }
            }
            record.activities.removeAll { $0.declaration.name == name }
        }
        let text = "\(target.text(of: record.owner)) was forgotten by hand"
        log("forgotten", about: nil, text, run: step.run, at: step.now)
    }

    /// Gives a declaration another name, which must be free; what is paused or revoked of it stays so.
    ///
    /// - Parameters:
    ///   - target: The declaration.
    ///   - name: Its new name.
    ///   - scopes: What was paused or revoked.
    ///   - step: The step that this is part of.
    public mutating func rename(_ target: TargetName, to name: Text, _ scopes: Scopes, in step: StepContext) {
        switch target {
        case .widget(let former):
            for index in record.widgets.indices where record.widgets[index].declaration.name == former {
                record.widgets[index].declaration.name = name
            }
            isUnpublished = true
        case .activity(let former):
            for index in record.activities.indices where record.activities[index].declaration.name == former {
                record.activities[index].declaration.name = name
            }
            for index in record.instances.indices where record.instances[index].name == former {
                record.instances[index].name = name
            }
        }
        let owner = record.owner
        self.scopes += scopes.renamed(replaces: true) { $0.renamed(target, of: owner, to: name) }
        let text = "\(target.text(of: owner)) was renamed to '\(name)' by hand"
        log("moved", about: nil, text, run: step.run, at: step.now)
    }
}

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
