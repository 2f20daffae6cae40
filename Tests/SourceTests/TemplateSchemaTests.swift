import Foreign
import JSON
import TestSeeds
import Testing

@testable import Source

/// A value held against one schema: what is wrong, where, in the schema's words.
struct TemplateSchemaTests {
    static let schema = #"""
        {
          "type": "object",
          "required": ["status", "steps"],
          "additionalProperties": false,
          "properties": {
            "status": { "enum": ["cooking", "delivered"] },
            "steps": { "type": "integer", "minimum": 0 },
            "code": { "type": "string", "pattern": "^([A-Z]|[0-9])*$", "maxLength": 70000 },
            "kind": { "const": "order" },
            "eta": { "anyOf": [{ "type": "string", "format": "swift-date" }, { "type": "null" }] },
            "pair": { "items": [{ "type": "string" }, { "type": "string", "format": "unix-seconds" }], "additionalItems": false },
            "node": { "$ref": "#/definitions/node" },
            "a/b": { "type": "boolean" }
          },
          "dependencies": { "kind": ["status"], "at1": { "properties": { "node": { "properties": { "due": { "format": "swift-date" } } } } } },
          "patternProperties": { "^at[0-9]$": { "type": "string", "format": "unix-milliseconds" } },
          "definitions": {
            "node": { "type": "object", "properties": { "at": { "format": "swift-date" }, "next": { "$ref": "#/definitions/node" } } }
          }
        }
        """#

    static let mismatches: [(value: String, problems: [String])] = [
        (#"{"status":"cooking","steps":1}"#, []),
        (#"{"status":"cooking","steps":1.0,"eta":null,"kind":"order","a/b":true}"#, []),
        ("7", [": must be an object, not 7"]),
        ("{}", [": must have 'status'", ": must have 'steps'"]),
        (#"{"status":"frozen","steps":1}"#, [#"/status: must be "cooking" or "delivered""#]),
        (#"{"status":"cooking","steps":0.5}"#, ["/steps: must be a whole number, not 0.5"]),
        (#"{"status":"cooking","steps":-1}"#, ["/steps: must be at least 0"]),
        (#"{"status":"cooking","steps":1,"stepz":1}"#, ["/stepz: is not known; did you mean 'steps'?"]),
        (#"{"status":"cooking","steps":1,"a/b":1}"#, ["/a~1b: must be true or false, not 1"]),
        (#"{"status":"cooking","steps":1,"kind":"x"}"#, [#"/kind: must be "order""#]),
        (#"{"status":"cooking","steps":1,"code":"a"}"#, [#"/code: must match "^([A-Z]|[0-9])*$""#]),
        (
            #"{"status":"cooking","steps":1,"eta":1796032800}"#,
            [
                #"/eta: must be a time: 1796032800 is not an RFC 3339 date; "2026-11-30T10:00:00Z" was probably meant"#
            ]
        ),
        (
            #"{"status":"cooking","steps":1,"eta":"soon","at1":"2026-11-30"}"#,
            [
                "/at1: must be a time: '2026-11-30' has no time of day; write 2026-11-30T00:00:00Z",
                "/eta: must be a time: 'soon' is not an RFC 3339 date; write one like 2026-11-30T10:30:00Z",
            ]
        ),
        (
            #"{"status":"cooking","steps":1,"at1":"2026-11-30T10:00:00Z","node":{"due":"soon"}}"#,
            ["/node/due: must be a time: 'soon' is not an RFC 3339 date; write one like 2026-11-30T10:30:00Z"]
        ),
        (
            #"{"status":"cooking","steps":1,"pair":["a","2026-11-30T10:00:00Z",1]}"#,
            ["/pair: array contains more items than allowed by items constraint"]
        ),
        (
            #"{"status":"cooking","steps":1,"node":{"next":{"next":{"at":true}}}}"#,
            []
        ),
    ]

    @Test(arguments: mismatches)
    func everythingThatDoesNotMatchIsSaidInTheWordsOfTheSchema(_ row: (value: String, problems: [String])) throws {
        let schema = try TemplateSchema(Value(json: Self.schema))
        let problems = try schema.problems(with: Value(json: row.value)).map { "\($0.pointer): \($0.reason)" }
        #expect(problems == row.problems)
    }

    @Test func onlyPlacesThatAreTimesBecomeNumbers() throws {
        let schema = try TemplateSchema(Value(json: Self.schema))
        let time = "2026-11-30T10:00:00.250Z"
        let value = try Value(
            json: #"""
                {"status":"\#(time)","eta":"\#(time)","pair":["\#(time)","\#(time)"],"at1":"\#(time)","at12":"\#(time)",
                "node":{"at":"\#(time)","next":{"at":"2000-12-31T23:59:59Z","other":"\#(time)"}}}
                """#
        )
        let expected = try Value(
            json: #"""
                {"status":"\#(time)","eta":817725600.25,"pair":["\#(time)",1796032800.25],"at1":1796032800250,
                "at12":"\#(time)","node":{"at":817725600.25,"next":{"at":-1,"other":"\#(time)"}}}
                """#
        )
        #expect(schema.wire(value) == expected)
        #expect(schema.wire(expected) == expected)
    }

    /// libstdc++'s usual way overflows the stack here.
    @Test func aPatternTakesATextOfAnyLength() throws {
        let schema = try TemplateSchema(Value(json: Self.schema))
        let long = Text(String(repeating: "A", count: 60_000))
        let value: Value = ["status": "cooking", "steps": 1, "code": .string(long)]
        #expect(schema.problems(with: value).isEmpty)
    }

    @Test func theSchemaFalseAllowsNothing() throws {
        #expect(try TemplateSchema(false).problems(with: 1).map(\.reason) == ["not allowed here"])
        #expect(try TemplateSchema(true).problems(with: 1).isEmpty)
    }

    /// Over generated states: what a template is inferred from matches it, and its file is one that is taken.
    @Test func anInferredTemplateTakesItsOwnExamples() throws {
        var random = SeededGenerator(seed: 11)
        let shape = try TemplateSchema(FileSchema.template.value)
        for _ in 0..<400 {
            let states = (0..<Int.random(in: 1...4, using: &random)).map { _ in Value.random(using: &random) }
            let inferred = Inference(states).schema
            let findings = Findings()
            TemplateCheck.run(["state": inferred], as: shape, findings)
            #expect(findings.all.isEmpty, "\(inferred.canonical)")
            let schema = try TemplateSchema(inferred)
            for state in states {
                #expect(schema.problems(with: state).isEmpty, "\(inferred.canonical) of \(states.map(\.canonical))")
            }
        }
    }

    @Test func whatIsInEveryExampleIsRequiredAndWhatIsInNoneRefused() throws {
        let states: [Value] = [["a": 1, "b": "x"], ["a": 1.5, "b": .null, "c": [1]], ["a": 2, "b": "y", "c": []]]
        let schema = try TemplateSchema(Inference(states).schema)
        func problems(_ value: Value) -> [String] { schema.problems(with: value).map { "\($0.pointer): \($0.reason)" } }
        #expect(problems(["b": "x"]) == [": must have 'a'"])
        #expect(problems(["a": "1", "b": "x"]) == ["/a: must be a number, not a string"])
        #expect(problems(["a": 1, "b": true]) == ["/b: must be null or a string, not true"])
        #expect(problems(["a": 1, "b": "x", "c": ["1"]]) == ["/c/0: must be a whole number, not a string"])
        #expect(problems(["a": 1, "b": "x", "other": 1]) == ["/other: is not known; the keys are a, b, c"])
    }
}
