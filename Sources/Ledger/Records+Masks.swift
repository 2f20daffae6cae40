internal import Diff
internal import JSON
internal import Time

// Records of the ledger as they are shown: declarations as a state file has them, with marks in place of what is sensitive.

extension WidgetRecord {
    init(_ widget: RecordedWidget, of owner: Owner, masks: Masks) {
        self.init(
            owner: owner,
            id: widget.id,
            name: widget.declaration.name,
            declaration: masks.masked(PointerRules.Subject(widget.declaration), widget.declaration.document),
            revision: widget.revision,
            changedStep: widget.changedStep,
            changedAt: widget.changedAt
        )
    }
}

extension ActivityRecord {
    init(_ activity: RecordedActivity, of owner: Owner, masks: Masks) {
        self.init(
            owner: owner,
            name: activity.declaration.name,
            declaration: masks.masked(PointerRules.Subject(activity.declaration), activity.declaration.document),
            life: activity.life,
            revision: activity.revision,
            changedStep: activity.changedStep,
            isRemoved: activity.isRemoved,
            adoptedLife: activity.adoptedLife == 0 ? nil : activity.adoptedLife
        )
    }
}

extension InstanceRecord {
    init(_ instance: Instance, of owner: Owner, masks: Masks) {
        var known = instance
        let subject = PointerRules.Subject(instance)
        known.attributes = instance.attributes.flatMap { masks.masked(subject, ["attributes": $0])["attributes"] }
        known.token = masks.token(instance.token)
        known.shown = nil
        self.init(owner: owner, instance: known, shown: instance.shown.map { masks.masked(subject, $0.document) })
    }
}
