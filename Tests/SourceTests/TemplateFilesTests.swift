import Foreign
import Source
import TestProjects
import Testing
import Time

/// What is wrong in the files of templates, each with its place, before anything is held against them.
struct TemplateFilesTests {
    static let files: [(path: String, text: String, problems: [String])] = [
        (
            "delivery/1.json", #"{"state":{"type":"objekt"}}"#,
            [
                #"templates/delivery/1.json:1:18: 'type' must be "array", "boolean", "integer", "null", "number", "object" or "string""#
            ]
        ),
        ("delivery/1.json", "{}", ["templates/delivery/1.json:1:1: a template must have 'state'"]),
        (
            "delivery/1.json", #"{"state":{},"attributs":{}}"#,
            ["templates/delivery/1.json:1:13: 'attributs' is not known; did you mean 'attributes'?"]
        ),
        (
            "delivery/1.json", #"{"state":{"properties":{"at":{"format":"swift-dat"}}}}"#,
            ["templates/delivery/1.json:1:40: the format 'swift-dat' is not known; did you mean 'swift-date'?"]
        ),
        (
            "delivery/1.json", #"{"state":{"pattern":"(","patternProperties":{"(a)\\1":{}}}}"#,
            [
                "templates/delivery/1.json:1:21: '(' is no regular expression (ECMA-262, without back-references and "
                    + "look-behind)",
                "templates/delivery/1.json:1:46: '(a)\\1' is no regular expression (ECMA-262, without back-references and "
                    + "look-behind)",
            ]
        ),
        (
            "delivery/1.json", ##"{"state":{"$ref":"#/definitions/x","definitions":{}}}"##,
            [
                "templates/delivery/1.json:1:18: '#/definitions/x' leads nowhere: a reference is \"#/definitions/NAME\", with "
                    + "its definition in the same schema"
            ]
        ),
        (
            "delivery/1.json",
            ##"{"state":{"definitions":{"x":{"anyOf":[{"$ref":"#/definitions/x"}]}},"allOf":[{"$ref":"#/definitions/x"}]}}"##,
            [
                "templates/delivery/1.json:1:48: '#/definitions/x' leads back to itself, so that no value could ever be checked",
                "templates/delivery/1.json:1:87: '#/definitions/x' leads back to itself, so that no value could ever be checked",
            ]
        ),
        (
            "delivery/1.json", #"{"state":{"$id":"https://example.com/x"}}"#,
            ["templates/delivery/1.json:1:11: '$id' is not needed: a template's schema refers only to itself"]
        ),
        (
            "delivery.json", #"{"state":{}}"#,
            ["templates/delivery.json: a template is templates/NAME/VERSION.json, in letters, digits, '-', '_' and '.'"]
        ),
        (
            "delivery/1.json", #"{"state":{}"#,
            ["templates/delivery/1.json:1:12: the text ends where ',' or '}' should follow"]
        ),
    ]

    @Test(arguments: files)
    func aTemplateThatIsNoneIsAnErrorWithItsPlace(_ row: (path: String, text: String, problems: [String])) throws {
        let project = try LoadProject(["templates/\(row.path)": row.text, "state/x.json": "[]"])
        let configuration = try Configuration.read(project.path("lockstep.json"))
        var problems: [String] = []
        let files = try ProjectFiles(of: configuration)
        let reader = SourceReader(files, of: configuration, showsSensitive: false)
        let summary = try reader.everything { problem in
            if problem.severity == .error {
                problems.append(problem.description.replacing(project.directory + "/", with: ""))
            }
        }.summary
        #expect(problems == row.problems)
        #expect(summary.errors == problems.count)
    }
}
