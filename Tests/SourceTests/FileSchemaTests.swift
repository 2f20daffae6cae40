import Foreign
import JSON
import TestProjects
import Testing

@testable import Source

/// The schemas that are printed know the keys that are read, and no others.
struct FileSchemaTests {
    /// Files with an unknown key, by which Lockstep says which ones there are, and where the schema has them.
    static let objects: [(file: FileSchema, text: String, properties: String)] = [
        (.subscriber, #"{"subscriber":"u","qqqqqq":1}"#, "/definitions/document/properties"),
        (.subscriber, widget(#""state":1,"qqqqqq":1"#), "/definitions/widget/properties"),
        (.subscriber, activity(#""qqqqqq":1"#), "/definitions/activity/properties"),
        (.subscriber, activity(#""end":{"qqqqqq":1}"#), "/definitions/activity/properties/end/properties"),
        (
            .subscriber, activity(#""alert":{"title":"t","body":"b","qqqqqq":1}"#, alert: ""),
            "/definitions/alert/properties"
        ),
        (
            .subscriber, activity(#""alert":{"title":"t","body":{"loc-key":"k","qqqqqq":1}}"#, alert: ""),
            "/definitions/words/properties"
        ),
        (.config, configuration(#""qqqqqq":1"#), "/properties"),
        (.config, configuration("", app: #","qqqqqq":1"#), "/definitions/app/properties"),
        (
            .config,
            configuration("", app: #","keys":{"sandbox":{"keyId":"KEY1234567","key":{"env":"K"},"qqqqqq":1}}"#),
            "/definitions/key/properties"
        ),
        (
            .config, configuration(#""publish":{"directory":"p","key":{"env":"K"},"qqqqqq":1}"#),
            "/properties/publish/properties"
        ),
        (.config, configuration(#""quota":{"dailyPushes":1,"qqqqqq":1}"#), "/properties/quota/properties"),
        (.config, configuration(#""safety":{"qqqqqq":1}"#), "/properties/safety/properties"),
        (.config, configuration(#""sensitive":{"qqqqqq":[]}"#), "/definitions/sensitive/properties"),
        (.config, configuration(#""ignore":{"qqqqqq":[]}"#), "/definitions/ignore/properties"),
        (
            .config, configuration(#""endpoints":{"sandbox":{"url":"https://h","qqqqqq":1}}"#),
            "/definitions/endpoint/properties"
        ),
    ]

    private static func widget(_ members: String) -> String { #"{"subscriber":"u","widgets":{"W":{\#(members)}}}"# }

    private static func activity(_ members: String, alert: String = #""alert":{"title":"t","body":"b"},"#) -> String {
        #"{"subscriber":"u","liveActivities":{"A":{"attributesType":"T","state":{},\#(alert)\#(members)}}}"#
    }

    private static func configuration(_ members: String, app: String = "") -> String {
        #"{"apps":{"a.b":{"teamId":"ABCDE12345"\#(app)}}\#(members.isEmpty ? "" : ",")\#(members)}"#
    }

    @Test(arguments: objects)
    func theSchemaHasTheKeysThatLockstepReads(_ row: (file: FileSchema, text: String, properties: String)) throws {
        let name = row.file == .config ? "lockstep.json" : "state/x.json"
        let project = try LoadProject([name: row.text])
        var problems: [String]
        do throws(ConfigurationError) {
            _ = try Configuration.read(project.path("lockstep.json"))
            problems = []
        } catch { problems = error.diagnostics.map(\.message) }
        if row.file == .subscriber { problems = try project.load().problems }
        let opening = "unknown key 'qqqqqq'; the keys here are "
        let message = try #require(problems.first { $0.contains(opening) }, "\(problems)")
        let known = message[try #require(message.firstRange(of: opening)).upperBound...].split(separator: ", ")
        let pointer = try #require(Pointer(row.properties))
        let properties = try #require(row.file.value[pointer]?.object)
        let keys = properties.members.map(\.key.string).filter { $0 != "$schema" && $0 != "$comment" }
        #expect(keys.sorted() == known.map(String.init).sorted())
    }

    @Test(arguments: FileSchema.allCases)
    func eachIsASchemaThatOthersCanUse(_ file: FileSchema) throws {
        let value = try Value(json: file.text)
        #expect(value["$schema"]?.text == "http://json-schema.org/draft-07/schema#")
        _ = try JSONSchema(value)
        #expect(try Value(json: Layout().laidOut(Array(file.text.utf8))) == value)
    }
}
