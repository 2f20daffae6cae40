internal import Foreign
internal import JSON

/// The files that people write, each with a JSON Schema (draft 7) for their editors and their own checks.
///
/// Lockstep's own reading of a file says more: it knows what two files have to do with each other.
public enum FileSchema: String, CaseIterable, Sendable {
    /// A state file: one subscriber document, or an array of them; of `.ndjson`, a line.
    case subscriber
    /// `lockstep.json`.
    case config
    /// `templates/NAME/VERSION.json`.
    case template

    /// The schema as it is printed: for people to read, too.
    public var text: String {
        switch self {
        case .subscriber: Self.subscriberText
        case .config: Self.configText
        case .template: Self.templateText
        }
    }

    /// The schema as a value.
    var value: Value {
        // A test reads each of them.
        (try? Value(json: text)) ?? true
    }
}
