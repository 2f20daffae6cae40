import Diff
import JSON
import Testing
import Time

/// Owners, ids, versions and stored bodies.
struct ValueTests {
    @Test func ownersAreOrderedByBytes() {
        let owners = [
            Owner(subscriber: "a", app: "x"), Owner(subscriber: "a", app: "y"), Owner(subscriber: "a b", app: "a"),
            Owner(subscriber: "b", app: "a"), Owner(subscriber: "\u{E9}", app: "a"),
            Owner(subscriber: "\u{1F600}", app: "a"),
        ]
        #expect(owners.shuffled().sorted() == owners)
    }

    @Test(arguments: [("17.2", "17.1"), ("17.10", "17.9"), ("18", "17.10"), ("26.0.1", "26"), ("26.1", "26.0.9")])
    func versionsAreComparedPartByPart(_ newer: String, _ older: String) throws {
        #expect(try #require(OSVersion(older)) < #require(OSVersion(newer)))
    }

    @Test func zerosAtTheEndOfAVersionDoNotCount() {
        #expect(OSVersion("17.0") == OSVersion("17"))
        #expect(OSVersion("17.0.0") == OSVersion(17))
    }

    @Test(arguments: ["", "iOS 17", "17.", ".2", "17.-1", "17.+1", "1.2.3.4.5", "17,2"])
    func refusesWhatIsNoVersion(_ text: String) {
        #expect(OSVersion(text) == nil)
    }

    static let activities: [ActivityDeclaration] = [
        activity(),
        activity(alert: nil, start: .app),
        activity(
            "order",
            ["nested": [1, 2.5, .null, "x"]],
            template: "delivery@3",
            alert: ["title": "T", "body": "B"],
            staleAt: Moment(seconds: 1_800_000_000),
            relevance: 0,
            priority: .high,
            generation: "",
            protect: true,
            end: ActivityDeclaration.End(state: ["done": true], dismissAt: .at(Moment(seconds: -1)))
        ),
        activity(end: ActivityDeclaration.End(dismissAt: .now)),
        activity(end: over),
    ]

    @Test(arguments: activities) func anActivityReadsBackFromItsBody(_ activity: ActivityDeclaration) throws {
        #expect(try ActivityDeclaration(name: activity.name, body: activity.body) == activity)
    }

    @Test(arguments: [widget("Stats"), widget("Stats", .null, reload: "", template: "stats@1")])
    func aWidgetReadsBackFromItsBody(_ widget: WidgetDeclaration) throws {
        #expect(try WidgetDeclaration(name: widget.name, body: widget.body) == widget)
    }

    @Test func defaultsThatAreWrittenOutChangeNoBody() {
        #expect(activity(alert: nil).body == ["attributes": ["id": 1], "attributesType": "Delivery", "state": 1])
    }

    @Test(
        arguments: [
            (["state": 1], "attributesType"), (["attributesType": "A"], "state"),
            (["attributesType": "A", "state": 1, "start": "never"], "start"),
            (["attributesType": "A", "state": 1, "staleAt": "now"], "staleAt"),
            (["attributesType": "A", "state": 1, "end": 1], "end"),
            (["attributesType": "A", "state": 1, "end": ["dismissAt": "later"]], "dismissAt"),
        ] as [(Value, Text)]
    )
    func aBodyThatIsNoneIsRefused(_ body: Value, _ key: Text) {
        let error = #expect(throws: MalformedBody.self) { try ActivityDeclaration(name: "order", body: body) }
        #expect(error?.key == key)
    }

    @Test func contentsReadBackAndAbsentIsNotNull() {
        for content in Self.activities.map(\.content) { #expect(ActivityContent(content.value) == content) }
        #expect(ActivityContent(["alert": "x"]) == nil)
        #expect(activity(relevance: .null).content != activity().content)
    }

    @Test func everyReasonHasWordsWithoutAFullStop() {
        for reason in Reason.allCases {
            #expect(!reason.words.isEmpty && !reason.words.hasSuffix("."))
        }
    }
}
