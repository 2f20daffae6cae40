import Diff
import JSON

extension LogLine {
    /// For programs.
    var value: Value {
        [
            "at": .ifAny(at), "kind": .string(kind), "subscriber": .ifAny(subscriber), "app": .ifAny(app),
            "subject": .ifAny(subject), "run": .ifAny(run), "text": .string(text),
        ]
    }
}
