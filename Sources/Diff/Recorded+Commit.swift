internal import JSON
internal import Time

/// Committed declarations.
extension Recorded {
    /// Commits one declaration; of a widget that is declared, returns its receipt.
    mutating func commit(_ change: Change, in step: inout StepContext) -> Receipt? {
        switch change {
        case .widget(let declaration, let before):
            return commit(declaration, before, in: &step)
        case .widgetRemoved(let declaration):
            widgets.removeAll { $0.declaration.name == declaration.name }
        case .activity(let declaration, let life, _):
            commit(declaration, life: life, in: step)
        case .activityRemoved(let declaration):
            guard let index = activities.firstIndex(where: { $0.declaration.name == declaration.name }) else { break }
            activities[index].isRemoved = true
            activities[index].revision += 1
        }
        return nil
    }

    private mutating func commit(
        _ declaration: WidgetDeclaration,
        _ before: WidgetDeclaration?,
        in step: inout StepContext
    ) -> Receipt {
        let index = widgets.firstIndex { $0.declaration.name == declaration.name }
        var widget =
            index.map { widgets[$0] }
            ?? RecordedWidget(
                id: step.ids.next(),
                declaration: declaration,
                revision: 0,
                changedStep: step.step,
                changedAt: step.now
            )
        widget.declaration = declaration
        widget.revision += 1
        if before.map({ $0.state != declaration.state || $0.reload != declaration.reload }) ?? true {
            widget.changedStep = step.step
            widget.changedAt = step.now
        }
        if let index { widgets[index] = widget } else { widgets.append(widget) }
        return Receipt(owner: owner, name: declaration.name, target: widget.id, revision: widget.revision)
    }

    private mutating func commit(
        _ declaration: ActivityDeclaration,
        life: Int64,
        in step: StepContext
    ) {
        let index = activities.firstIndex { $0.declaration.name == declaration.name }
        var activity =
            index.map { activities[$0] }
            ?? RecordedActivity(declaration: declaration, life: life, revision: 0, alertAt: step.now)
        activity.alertAt = activity.alertAt(of: declaration, at: step.now)
        activity.declaration = declaration
        activity.life = life
        activity.revision += 1
        activity.changedStep = step.step
        activity.isRemoved = false
        if let index { activities[index] = activity } else { activities.append(activity) }
        // Each open instance of a declaration takes part in its committed change.
        for index in instances.indices
        where instances[index].name == declaration.name && instances[index].phase.isOpen {
            instances[index].revision += 1
        }
    }
}
