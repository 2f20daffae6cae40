import Foreign
import JSON
import TestSeeds
import Testing

/// RFC 6902, JSON Patch.
struct PatchTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var name: String
        var document: String
        var patch: String
        /// `nil` where the patch must fail.
        var result: String?
        var testDescription: String { name }
    }

    static let appendixA: [Example] = [
        Example(
            name: "A.1 adding an object member",
            document: #"{ "foo": "bar"}"#,
            patch: #"[{ "op": "add", "path": "/baz", "value": "qux" }]"#,
            result: #"{ "baz": "qux", "foo": "bar" }"#
        ),
        Example(
            name: "A.2 adding an array element",
            document: #"{ "foo": [ "bar", "baz" ] }"#,
            patch: #"[{ "op": "add", "path": "/foo/1", "value": "qux" }]"#,
            result: #"{ "foo": [ "bar", "qux", "baz" ] }"#
        ),
        Example(
            name: "A.3 removing an object member",
            document: #"{ "baz": "qux", "foo": "bar" }"#,
            patch: #"[{ "op": "remove", "path": "/baz" }]"#,
            result: #"{ "foo": "bar" }"#
        ),
        Example(
            name: "A.4 removing an array element",
            document: #"{ "foo": [ "bar", "qux", "baz" ] }"#,
            patch: #"[{ "op": "remove", "path": "/foo/1" }]"#,
            result: #"{ "foo": [ "bar", "baz" ] }"#
        ),
        Example(
            name: "A.5 replacing a value",
            document: #"{ "baz": "qux", "foo": "bar" }"#,
            patch: #"[{ "op": "replace", "path": "/baz", "value": "boo" }]"#,
            result: #"{ "baz": "boo", "foo": "bar" }"#
        ),
        Example(
            name: "A.10 adding a nested member object",
            document: #"{ "foo": "bar" }"#,
            patch: #"[{ "op": "add", "path": "/child", "value": { "grandchild": { } } }]"#,
            result: #"{ "foo": "bar", "child": { "grandchild": { } } }"#
        ),
        Example(
            name: "A.11 ignoring unrecognized elements",
            document: #"{ "foo": "bar" }"#,
            patch: #"[{ "op": "add", "path": "/baz", "value": "qux", "xyz": 123 }]"#,
            result: #"{ "foo": "bar", "baz": "qux" }"#
        ),
        Example(
            name: "A.12 adding to a nonexistent target",
            document: #"{ "foo": "bar" }"#,
            patch: #"[{ "op": "add", "path": "/baz/bat", "value": "qux" }]"#
        ),
        Example(
            name: "A.16 adding an array value",
            document: #"{ "foo": ["bar"] }"#,
            patch: #"[{ "op": "add", "path": "/foo/-", "value": ["abc", "def"] }]"#,
            result: #"{ "foo": ["bar", ["abc", "def"]] }"#
        ),
        Example(
            name: "removing nothing",
            document: #"{ "a": {} }"#,
            patch: #"[{ "op": "remove", "path": "/b" }]"#
        ),
        Example(
            name: "replacing the root",
            document: #"{ "a": {} }"#,
            patch: #"[{ "op": "replace", "path": "", "value": 1 }]"#,
            result: "1"
        ),
        Example(
            name: "adding beyond the end",
            document: "[1]",
            patch: #"[{ "op": "add", "path": "/2", "value": 1 }]"#
        ),
    ]

    @Test(arguments: appendixA)
    func appliesAsAppendixAShows(_ example: Example) throws {
        let patch = try Patch(Value(json: example.patch))
        let document = try Value(json: example.document)
        #expect(try patch.applied(to: document) == example.result.map { try Value(json: $0) })
    }

    @Test(arguments: [
        (#"[{"op":"spam","path":"/a"}]"#, PatchError(index: 0, key: "op")),
        (#"[{"op":"remove","path":"/a"},{"op":"add","path":"/a"}]"#, PatchError(index: 1, key: "value")),
        (#"[{"op":"remove","path":"a"}]"#, PatchError(index: 0, key: "path")),
        (#"{}"#, PatchError(index: 0, key: "op")),
    ])
    func refusesWhatIsNoPatch(_ text: String, _ error: PatchError) throws {
        let value = try Value(json: text)
        #expect(throws: error) { try Patch(value) }
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":1}"#, "[]"),
        (
            #"{"a":1,"b":2}"#, #"{"b":3,"c":4}"#,
            #"[{"op":"remove","path":"/a"},{"op":"replace","path":"/b","value":3},{"op":"add","path":"/c","value":4}]"#
        ),
        (
            #"{"log":["first entry","second entry"]}"#, #"{"log":["first entry","second entry","third entry"]}"#,
            #"[{"op":"add","path":"/log/2","value":"third entry"}]"#
        ),
        (
            #"{"log":["first entry","second entry","third entry"]}"#, #"{"log":["second entry","third entry"]}"#,
            #"[{"op":"remove","path":"/log/0"}]"#
        ),
        ("[1,2,3]", "[4,5]", #"[{"op":"replace","path":"","value":[4,5]}]"#),
        (#"{"a":null}"#, "{}", #"[{"op":"remove","path":"/a"}]"#),
        ("{}", #"{"a":null}"#, #"[{"op":"add","path":"/a","value":null}]"#),
        ("{}", "[]", #"[{"op":"replace","path":"","value":[]}]"#),
    ])
    func saysNoMoreThanWhatChanged(_ old: String, _ new: String, _ patch: String) throws {
        #expect(try Patch(from: Value(json: old), to: Value(json: new)).value == Value(json: patch))
    }

    @Test func leadsFromAnyValueToAnyOther() throws {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<5_000 {
            let old = Value.random(using: &generator)
            let new = Bool.random(using: &generator) ? old.changed(using: &generator) : .random(using: &generator)
            let patch = Patch(from: old, to: new)
            #expect(patch.applied(to: old) == new)
            #expect(patch.operations.isEmpty == (old == new))
            #expect(try Patch(patch.value) == patch)
        }
    }
}
