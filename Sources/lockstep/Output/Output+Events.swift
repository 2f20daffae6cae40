import Diff
import JSON
import Reconcile
internal import Source

// Events in the course of a run, beside its plan.

extension Output {
    /// The version of the events: it changes when one that programs read changes its meaning.
    static let eventsVersion = 1

    /// From here on data is a stream of events; for programs, the first one names their version.
    func beginEvents() {
        streamsEvents = true
        guard isJSON else { return }
        item(["type": "version", "version": .count(Self.eventsVersion), "lockstep": .string(Text(Version.current))])
    }

    /// Shows an event of a run; the lines of a plan are for a renderer.
    func show(_ event: RunEvent) {
        switch event {
        case .problem(let diagnostic): problem(diagnostic)
        case .receipt(let receipt): self.receipt(receipt)
        case .sending(let settled, let total): progress(settled, of: total, "pushes")
        case .warning(let text): warn(text)
        case .remark(let text): say("note: \(text)")
        case .planned: break
        }
    }

    /// Shows the commit that the state files are read from; nothing where they are on the disk.
    func source(_ commit: SourceCommit?) {
        guard let commit else { return }
        let (id, revision) = (commit.id, commit.revision)
        guard isJSON else { return say(id == revision ? "Commit \(id)." : "Commit \(id) (\(revision)).") }
        item([
            "type": "source", "commit": .string(Text(id)), "revision": .string(Text(revision)),
            "repository": .string(Text(commit.repository)),
        ])
    }

    /// Says how little had to be read, where that was not everything.
    func part(_ part: PlanOutcome.Part?) {
        guard let part else { return }
        let files = "\(part.files) changed \(part.files == 1 ? "file was" : "files were") read"
        detail(
            "\(files) and \(part.owners) \(part.owners == 1 ? "subscriber" : "subscribers") looked at; the index knows the rest."
        )
    }

    /// Shows what is wrong in a file, or doubtful, which a quiet run does not say each time.
    func problem(_ diagnostic: Diagnostic) {
        guard diagnostic.severity == .error || options.verbosity != .quiet else { return }
        problem(Cause.file(diagnostic))
    }

    /// Shows one of the reasons why something does not happen: a line for people, an event for programs.
    func problem(_ cause: Cause) {
        switch options.format {
        case .json: item(cause.event)
        case .github: line(Annotation(cause).text)
        case .human, .markdown: insist(cause.text)
        }
        problems.note(cause)
    }

    /// Shows something that keeps a part of the run from happening.
    func problem(_ code: String, _ message: String) {
        guard isJSON else { return warn(message) }
        item([
            "type": "diagnostic", "severity": "error", "code": .string(Text(code)), "message": .string(Text(message)),
        ])
    }

    /// Shows what became of the reports that waited; `path` tells where the file of a rejected line is now.
    func reports(_ result: Ingest.Result, path: (String) -> String) {
        for line in result.examples {
            let place = Place(line: line.line, column: 1)
            problem(
                Cause.file(
                    Diagnostic(line.reason, .rejectedReport, file: path(line.file), place: place, severity: .warning)
                )
            )
        }
        let more = result.rejected - result.examples.count
        if more > 0 { warn("\(more) more report lines were rejected") }
        for path in result.strangers {
            let words =
                "not read: reports are files, and this is a link, a pipe or a directory; put the file itself here"
            problem(Cause.file(Diagnostic(words, file: path, severity: .warning)))
        }
        if result.taken > 0 { detail("\(result.taken) reports taken in") }
    }

    /// Shows what of a saved plan was not carried out, and what it leaves.
    func review(_ review: PlanReview) {
        for line in review.skipped { problem(Cause.skipped(line)) }
        let more = review.skippedCount - review.skipped.count
        if more > 0 { warn("\(more) more lines of the plan were passed over") }
        if review.others > 0 {
            say("\(review.others) more changes are due that this plan does not name; 'lockstep plan' shows them.")
        }
    }

    /// Shows that a write was committed.
    func receipt(_ receipt: Receipt) {
        guard isJSON else { return detail(receipt.sentence) }
        item(receipt.event)
    }
}

extension Receipt {
    /// For people: what was written, and where its push is.
    fileprivate var sentence: String {
        let transport = operation.map { "\($0.id) \($0.status)" } ?? "no push"
        let place = device.map { " on \($0)" } ?? ""
        return "\(owner.subscriber) \(name)\(place): \(target) revision \(revision), \(transport)"
    }

    /// For programs: `{ targetId, revision, stateCommitted, launchRequestId?, operation }`, and whose it is.
    fileprivate var event: Value {
        var event = Object()
        event["type"] = "receipt"
        event["subscriber"] = .string(owner.subscriber)
        event["app"] = .string(owner.app)
        event["name"] = .string(name)
        event["device"] = device.map(Value.string)
        event["targetId"] = .string(Text(target.description))
        event["revision"] = .integer(revision)
        event["stateCommitted"] = true
        event["launchRequestId"] = launch.map { .string(Text($0.description)) }
        event["operation"] =
            operation.map { ["id": .string(Text($0.id.description)), "status": .string($0.status.rawValue)] } ?? .null
        return .object(event)
    }
}
