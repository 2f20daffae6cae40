internal import JSON
internal import Time

/// The lines that one report adds to the history.
struct ReportLines: Hashable, Sendable {
    /// The report.
    let report: Report
    /// The time.
    let now: Moment
    /// The lines, in the order of happening.
    private(set) var entries: [HistoryEntry] = []

    init(of report: Report, at now: Moment) {
        self.report = report
        self.now = now
    }

    /// Notes that nothing was registered.
    mutating func noteIgnored() {
        let text = "device \(report.device) reported into a revoked scope: nothing was registered"
        note(
            "report_ignored",
            Owner(subscriber: report.subscriber, app: report.app),
            about: report.device,
            text: text
        )
    }

    /// Notes what the report changed of each activity.
    mutating func noteInstances(of record: DeviceRecord, over before: DeviceRecord) {
        for entry in record.instances {
            let former = before.instance(entry.instance.id)
            if former != entry { note(entry, over: former?.instance) }
        }
    }

    private mutating func note(_ entry: DeviceInstance, over before: Instance?) {
        let instance = entry.instance
        let wasReported = before.map { $0.registeredAt > .never } ?? false
        if !wasReported, instance.registeredAt > .never { noteFirstReport(entry) }
        if instance.isInferred, before?.isInferred == false {
            let text = "told from device \(instance.device) and type alone: its report had no id"
            note("only_candidate", of: entry, text)
        } else if wasReported, instance.registeredAt == .never {
            note("detached", of: entry, "what runs on device \(instance.device) is of another launch after all")
        }
        guard let cause = instance.phase.closure, before?.phase != instance.phase else { return }
        let resolution = Resolution.of(before?.phase ?? .running, to: instance.phase, isReported: true)
        if instance.launch != nil, let resolution {
            resolve(resolution, entry)
        } else {
            note("closed", of: entry, "closed on device \(instance.device): \(cause.rawValue)")
        }
    }

    private mutating func noteFirstReport(_ entry: DeviceInstance) {
        let instance = entry.instance
        let what = instance.name.string.isEmpty ? "an activity" : "'\(instance.name)'"
        switch instance.origin {
        case .remote: resolve(.adopted, entry)
        case .app: note("adopted", of: entry, "\(what) runs on device \(instance.device): the app started it")
        case .unknownLaunch:
            note("unknown_launch", of: entry, "\(what) of an unknown launch runs on \(instance.device)")
        case .unattributed: note("unattributed", of: entry, "\(what) runs on \(instance.device) without id or name")
        case .ambiguous: note("ambiguous", of: entry, "\(what) on \(instance.device) can be of several launches")
        }
    }

    private mutating func resolve(_ resolution: Resolution, _ entry: DeviceInstance) {
        let owner = Owner(subscriber: entry.subscriber, app: report.app)
        let resolved = LaunchResolution(resolution, of: entry.instance, owner: owner, run: nil, at: now)
        if let resolved { entries.append(.resolution(resolved)) }
    }

    private mutating func note(_ kind: Text, of entry: DeviceInstance, _ text: String) {
        let owner = Owner(subscriber: entry.subscriber, app: report.app)
        note(kind, owner, about: entry.instance.launch?.text ?? entry.instance.id.text, text: text)
    }

    private mutating func note(_ kind: Text, _ owner: Owner, about subject: Text, text: String) {
        let event = Event(at: now, run: nil, kind: kind, owner: owner, subject: subject, text: Text(text))
        entries.append(.event(event))
    }
}
