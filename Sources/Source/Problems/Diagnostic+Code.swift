extension Diagnostic {
    /// The kinds of things that can be wrong in a file: names that programs read and that stay as they are.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        case unreadableFile = "unreadable_file"
        case notJSON = "not_json"
        case duplicateKey = "duplicate_key"
        case unknownKey = "unknown_key"
        case missingKey = "missing_key"
        case wrongValue = "wrong_value"
        case tooLarge = "too_large"
        case declaredTwice = "declared_twice"
        case lookalikes
        case unknownTemplate = "unknown_template"
        case stateMismatch = "state_mismatch"
        case changedTemplate = "changed_template"
        case noDocument = "no_document"
        case doubtfulRule = "doubtful_rule"
        case aliasHeld = "alias_held"
        case rejectedReport = "rejected_report"

        /// Its meaning, in words.
        public var words: String {
            switch self {
            case .unreadableFile: "a file or directory is missing, cannot be read, or is not where it may be"
            case .notJSON: "the text is no JSON, or not the file itself: a merge conflict, a pointer of Git LFS"
            case .duplicateKey: "a key comes twice in one object, or looks the same as another one"
            case .unknownKey: "a key has no meaning here"
            case .missingKey: "a key that must be there is not"
            case .wrongValue: "a value has the wrong type, or is none of those that are allowed"
            case .tooLarge: "something has more bytes than can be read, pushed or published"
            case .declaredTwice: "two declarations have the same name"
            case .lookalikes: "two names look the same and differ in their bytes"
            case .unknownTemplate: "a declaration names a template that has no file"
            case .stateMismatch: "a state or the attributes do not match their template"
            case .changedTemplate: "a template version changed after it was applied, or its directory is gone"
            case .noDocument: "a file holds nothing"
            case .doubtfulRule: "a rule of the configuration matches nothing, or leaves nothing to send"
            case .aliasHeld: "an anonymous id and the person that it turned out to be declare the same name"
            case .rejectedReport: "a line of a device report was not taken"
            }
        }
    }
}
