public import JSON
public import Time

/// A configuration fault that stops an app and environment: a run sends one probe there until that changes.
public struct Fault: Hashable, Sendable {
    /// The app's bundle id.
    public var app: Text
    /// The environment.
    public var environment: PushEnvironment
    /// The reason that APNs gave.
    public var reason: Text
    /// The fingerprint of key, team and endpoint; another one clears the fault.
    public var fingerprint: Text
    /// The time at which it was found first.
    public var since: Moment

    /// A fault.
    public init(app: Text, environment: PushEnvironment, reason: Text, fingerprint: Text, since: Moment) {
        self.app = app
        self.environment = environment
        self.reason = reason
        self.fingerprint = fingerprint
        self.since = since
    }
}

extension Fault {
    /// A line of the log about it.
    fileprivate func line(_ kind: Text, _ words: String, run: RunID, at now: Moment) -> HistoryEntry {
        let text = Text("\(app) (\(environment.rawValue)): \(words)")
        return .event(Event(at: now, run: run, kind: kind, owner: nil, subject: app, text: text))
    }
}

extension LedgerChanges {
    /// Adds a fault, or its newest reason.
    ///
    /// - Parameters:
    ///   - fault: The fault as it is found now.
    ///   - known: The fault of the same app and environment that is recorded, if any.
    ///   - run: The run that found it.
    ///   - now: The time.
    /// - Returns: The fault as it is recorded.
    public mutating func stop(for fault: Fault, over known: Fault?, run: RunID, at now: Moment) -> Fault {
        var fault = fault
        fault.since = known?.since ?? fault.since
        faults.append(RowChange(before: known, after: fault))
        history.append(fault.line("configuration_fault", "stopped: APNs answered \(fault.reason)", run: run, at: now))
        return fault
    }

    /// Adds that a fault is over.
    public mutating func clear(_ fault: Fault, run: RunID, at now: Moment) {
        faults.append(RowChange(before: fault, after: nil))
        history.append(fault.line("configuration_fault_over", "pushes go out again", run: run, at: now))
    }
}
