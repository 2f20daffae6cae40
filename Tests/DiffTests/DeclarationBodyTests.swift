import Diff
import JSON
import TestDeclarations
import Testing
import Time

struct DeclarationBodyTests {
    @Test func defaultsAndAbsentKeysAreLeftOut() {
        let activity = ActivityDeclaration(name: "a", attributesType: "T", state: ["n": 1])
        #expect(activity.body.canonical == #"{"attributesType":"T","state":{"n":1}}"#)
        #expect(WidgetDeclaration(name: "w", state: .null).body.canonical == #"{"state":null}"#)
    }

    @Test func everythingDeclaredIsInTheBody() {
        let activity = ActivityDeclaration(
            name: "a",
            attributesType: "T",
            attributes: ["id": 1],
            state: ["n": 1],
            template: "t@1",
            alert: ["title": "t", "body": "b"],
            staleAt: Moment(seconds: 1_796_034_600),
            relevanceScore: 0.5,
            start: .app,
            priority: .high,
            generation: "2",
            protect: true,
            end: .init(state: ["n": 2], dismissAt: .now)
        )
        #expect(
            activity.body == [
                "attributesType": "T", "attributes": ["id": 1], "state": ["n": 1], "template": "t@1",
                "alert": ["title": "t", "body": "b"], "staleAt": 1_796_034_600, "relevanceScore": 0.5, "start": "app",
                "priority": "high", "generation": "2", "protect": true, "end": ["state": ["n": 2], "dismissAt": "now"],
            ]
        )
        let widget = WidgetDeclaration(name: "w", state: [1], template: "t@1", reload: "r")
        #expect(widget.body == ["state": [1], "template": "t@1", "reload": "r"])
    }

    @Test func everyBodyReadsBack() throws {
        var generator = SystemRandomNumberGenerator()
        func maybe<Result>(_ value: @autoclosure () -> Result) -> Result? {
            Bool.random(using: &generator) ? value() : nil
        }
        for _ in 0..<2_000 {
            let number = Int64.random(in: -5...5_000_000_000, using: &generator)
            let moment = Moment(seconds: number)
            let dismissal: ActivityDeclaration.Dismissal = maybe(.now) ?? .at(moment)
            let activity = ActivityDeclaration(
                name: "a",
                attributesType: "T",
                attributes: maybe(["id": .integer(number)]) ?? [:],
                state: ["n": .integer(number)],
                template: maybe("t@1"),
                alert: maybe(["title": "t", "body": ["loc-key": "k"]]),
                staleAt: maybe(moment),
                relevanceScore: maybe(maybe(0) ?? 0.5),
                start: maybe(.app) ?? .remote,
                priority: maybe(.high) ?? .normal,
                generation: maybe(""),
                protect: Bool.random(using: &generator),
                end: maybe(.init(state: maybe(["n": .null]), dismissAt: maybe(dismissal)))
            )
            #expect(try ActivityDeclaration(name: "a", body: activity.body) == activity)
            let widget = WidgetDeclaration(
                name: "w",
                state: maybe(.null) ?? [.integer(number)],
                template: maybe("t@1"),
                reload: maybe("")
            )
            #expect(try WidgetDeclaration(name: "w", body: widget.body) == widget)
        }
    }

    @Test(
        arguments: [
            ([:], "attributesType"), (["attributesType": "T"], "state"),
            (["attributesType": 1, "state": [:]], "attributesType"),
            (["attributesType": "T", "state": [:], "staleAt": "x"], "staleAt"),
            (["attributesType": "T", "state": [:], "start": "later"], "start"),
            (["attributesType": "T", "state": [:], "end": 1], "end"),
            (["attributesType": "T", "state": [:], "end": ["dismissAt": "later"]], "dismissAt"),
        ] as [(Value, Text)]
    )
    func aBodyThatIsNotOursIsAnError(_ body: Value, _ key: Text) {
        #expect(throws: MalformedBody(key: key)) { try ActivityDeclaration(name: "a", body: body) }
    }
}
