internal import Diff
internal import Foreign
internal import JSON

/// A template that could not be made.
public enum TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its first version is there already.
    case exists(String)
    /// The examples are wrong, or hold no state.
    case examples([Diagnostic])

    /// The problem, and what to do about it.
    public var description: String {
        switch self {
        case .exists(let file): "\(file) exists; nothing is overwritten. Edit it, or write the next version beside it"
        case .examples: "there is something wrong with the examples; nothing was written"
        }
    }
}

/// The first version of a template, inferred from example states.
public struct TemplateDraft {
    /// The number of states that it was inferred from.
    public let states: Int
    /// The places of texts that look like times, as `/state/startedAt`; only the app knows if it decodes them as such.
    public let times: [String]

    private let name: Text
    private let document: Value

    /// True for a text that can be the name of a template.
    public static func isName(_ text: String) -> Bool { Text(text + "@1").isTemplate }

    /// Infers a template.
    ///
    /// - Parameters:
    ///   - name: Its name, without a version.
    ///   - files: State files, of which the declarations count that name the template, or all where none does; or plain
    ///     states.
    /// - Throws: ``TemplateError/examples(_:)``.
    public init(_ name: String, from files: [String]) throws(TemplateError) {
        self.name = Text(name)
        var examples = TemplateExamples(name: Text(name))
        for file in files { examples.read(file) }
        guard examples.problems.isEmpty else { throw .examples(examples.problems) }
        let (states, attributes) = (examples.chosen.map(\.state), examples.chosen.compactMap(\.attributes))
        guard !states.isEmpty else {
            throw .examples(
                files.map { Diagnostic("this file holds no state; name one that does", .noDocument, file: $0) }
            )
        }
        self.states = states.count
        let state = Inference(states)
        var document = Object()
        document["state"] = state.schema
        var times = state.times(at: Pointer(["state"]))
        if !attributes.isEmpty {
            let inferred = Inference(attributes)
            document["attributes"] = inferred.schema
            times = inferred.times(at: Pointer(["attributes"])) + times
        }
        self.document = .object(document)
        self.times = times.map(\.description)
    }

    /// Writes it to `templates/NAME/1.json`.
    ///
    /// - Parameter configuration: Says where the project is.
    /// - Returns: The path of the file.
    /// - Throws: ``TemplateError/exists(_:)``, or that the file cannot be written.
    public func write(beside configuration: Configuration) throws -> String {
        let directory = configuration.path(Templates.name)
        let file = Templates.file(of: Text(name.string + "@1"), in: directory)
        guard try Files.facts(file) == nil else { throw TemplateError.exists(file) }
        try Files.makeDirectory(Files.parent(of: file))
        try Files.write(Layout().laidOut(document.canonicalBytes), to: file)
        return file
    }
}

/// The example states in files.
private struct TemplateExamples {
    let name: Text
    private(set) var problems: [Diagnostic] = []
    private var named: [Example] = []
    private var others: [Example] = []

    init(name: Text) { self.name = name }

    struct Example {
        var state: Value
        var attributes: Value?
    }

    /// Those that name the template, or all where none does.
    var chosen: [Example] { named.isEmpty ? others : named }

    mutating func read(_ file: String) {
        do throws(FileError) {
            let bytes = try Files.read(file, limit: JSONLimits.standard.bytes)
            let lines = StateFormat(of: file) == .ndjson ? bytes.split(separator: UInt8(ascii: "\n")) : [bytes[...]]
            for line in lines {
                let text = JSONText(Array(line), file: file)
                problems += text.diagnostics
                guard let value = text.value else { continue }
                for document in value.array ?? [value] {
                    // A document that has no subscriber is a state itself.
                    if document["subscriber"] != nil { read(document) } else { others.append(Example(state: document)) }
                }
            }
        } catch {
            problems.append(Diagnostic(error.words, file: file))
        }
    }

    private mutating func read(_ document: Value) {
        for key in ["widgets", "liveActivities"] as [Text] {
            for declaration in document[key]?.object?.members.map(\.value) ?? [] {
                let template = declaration["template"]?.text?.string ?? ""
                let isNamed = template.hasPrefix(name.string + "@")
                let states = [declaration["state"], declaration["end"]?["state"]].compactMap(\.self)
                for state in states {
                    let example = Example(state: state, attributes: declaration["attributes"])
                    if isNamed { named.append(example) } else { others.append(example) }
                }
            }
        }
    }
}
