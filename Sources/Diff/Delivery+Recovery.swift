internal import JSON
public import Time

/// Moves of a delivery that no answer causes.
extension Delivery {
    /// Records that a run died while it was sending it: it may have arrived.
    ///
    /// - Parameters:
    ///   - transition: The instance or registration that it went to.
    ///   - run: The run that found it.
    ///   - now: The time.
    /// - Throws: ``IllegalMove`` where the record holds what cannot be.
    public func recover(in transition: inout Transition, run: RunID, at now: Moment) throws(IllegalMove) {
        let lost = try transition.move(self, .lose, note: "the run that sent it died", at: now)
        try transition.change(lost) { (delivery) throws(IllegalMove) in delivery.notBefore = .never }
        if kind == .update, let target {
            transition.change(target) { instance in
                instance.shown = content.flatMap { ActivityContent($0) }
                instance.updatedAt = now
            }
        }
        note(.unknown, "unknown: the run that sent it died", in: &transition, run: run, at: now)
    }

    /// Has it tried last from now on, after all earlier suspects, because its token is one.
    public func suspect(in transition: inout Transition) throws(IllegalMove) {
        try transition.change(self) { (delivery) throws(IllegalMove) in delivery.rank += 4 }
    }

    /// Takes it back, because it was not sent and finds no room in the day's quota, with the launch that it was for.
    ///
    /// - Parameters:
    ///   - transition: The instance or registration that it was for.
    ///   - isRequested: True of a reload that a person asked for.
    ///   - now: The time.
    /// - Throws: ``IllegalMove`` where the record holds what cannot be.
    public func takeBack(in transition: inout Transition, isRequested: Bool, at now: Moment) throws(IllegalMove) {
        try transition.cancel(self, note: "the day's quota is used up; it is planned anew", at: now)
        // A changed widget says itself that a reload is due; a reload that a person asked for has nothing else to say so.
        guard kind == .reload, isRequested else { return }
        let devices = transition.record.devices
        let id = registration.map(WidgetsID.init)
        for index in devices.indices where devices[index].widgets?.id == id {
            transition.record.devices[index].widgets?.owesReload = true
        }
    }

    /// Notes an attempt that did not settle it: the delivery itself remembers only the last one.
    func note(
        _ status: DeliveryStatus,
        _ words: String,
        in transition: inout Transition,
        run: RunID,
        at now: Moment
    ) {
        let launch = target.flatMap(transition.instance)?.launch
        transition.log(
            Delivery.code(kind, status),
            about: launch?.text ?? target?.text ?? registration,
            "on device \(device): \(words)",
            run: run,
            at: now
        )
    }
}
