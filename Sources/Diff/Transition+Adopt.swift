internal import JSON

extension Transition {
    /// Records declared state as applied, without a push.
    ///
    /// - Parameters:
    ///   - adoption: What counts as applied.
    ///   - desired: What the files declare.
    ///   - step: The step that this is part of.
    /// - Throws: ``IllegalMove`` where the record holds what cannot be.
    public mutating func adopt(
        _ adoption: Adoption,
        desired: Desired?,
        in step: inout StepContext
    ) throws(IllegalMove) {
        _ = try commit(adoption.plan, desired: desired, in: &step)
        for index in record.activities.indices
        where adoption.activities.contains(record.activities[index].declaration.name) {
            record.activities[index].adoptedLife = record.activities[index].life
        }
        for running in adoption.running {
            change(running.target) { instance in
                instance.life = running.life
                instance.attributes = running.declaration.attributes
                instance.template = running.declaration.template
                instance.shown = running.declaration.content
            }
        }
        for target in adoption.ended {
            try move(target, .close(.declaredEnd), run: step.run, at: step.now)
            try move(pushesOf: target, .cancel, at: step.now)
        }
        for index in record.devices.indices where adoption.reloaded.contains(record.devices[index].id) {
            record.devices[index].widgets?.reloadedStep = step.step
            record.devices[index].widgets?.owesReload = false
        }
        let count = adoption.plan.changes.count
        let what = count == 1 ? "declaration counts" : "declarations count"
        log("adopted", about: nil, "\(count) \(what) as applied; nothing was sent", run: step.run, at: step.now)
    }
}
