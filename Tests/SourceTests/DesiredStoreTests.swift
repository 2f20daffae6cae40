import Diff
import Foreign
import JSON
import TestSeeds
import Testing

@testable import Source

/// The same answers wherever declarations lie: all in memory, all in the table, or moved there half-way.
struct DesiredStoreTests {
    /// Everything that a store tells.
    private struct Answers: Equatable {
        var firsts: [SourcePlace?] = []
        var anonymous: [Owner] = []
        var held: [HeldAlias] = []
        var all: [Desired] = []
        var range: [Desired] = []
        var targets: [Owner: Set<TargetName>] = [:]
        var digest: [UInt8] = []
        var count = 0
    }

    private static func declarations(seed: UInt64) throws -> [Declaration] {
        var generator = SeededGenerator(seed: seed)
        let subscribers: [Text] = ["anon_1", "anon_2", "ben", "anna", "zoë", "b"]
        let names: [Text] = ["Stats", "order-1", "order-2", "é", "a"]
        return try (1...120).map { line in
            let owner = Owner(
                subscriber: subscribers.randomElement(using: &generator) ?? "",
                app: Bool.random(using: &generator) ? "com.example.a" : "com.example.b"
            )
            let name = names.randomElement(using: &generator) ?? ""
            let state = Value.object(["value": .random(using: &generator)])
            let content: Declaration.Content =
                if Bool.random(using: &generator) {
                    .widget(try WidgetDeclaration(name: name, body: ["state": state]))
                } else {
                    .activity(try ActivityDeclaration(name: name, body: ["attributesType": "Order", "state": state]))
                }
            return Declaration(owner: owner, content: content, source: SourcePlace(file: "all.ndjson", line: line))
        }
    }

    private static func answers(_ declarations: [Declaration], room: Int) throws -> Answers {
        let store = DesiredStore(room: room)
        var answers = Answers()
        for declaration in declarations { answers.firsts.append(try store.add(declaration)) }
        answers.count = store.count
        answers.anonymous = try store.anonymous()
        answers.all = try taken(from: store.cursor())
        answers.range = try taken(from: store.cursor(OwnerRange(first: "anon_2", last: "b")))
        answers.held = try store.resolve([Owner(subscriber: "anon_1", app: "com.example.a"): "ben"])
        answers.all += try taken(from: store.cursor())
        answers.targets = try store.targets(in: [Glob("*.ndjson")])
        answers.digest = try store.digest(hiding: Masks())
        return answers
    }

    private static func taken(from cursor: DesiredCursor) throws -> [Desired] {
        var all: [Desired] = []
        while let owner = cursor.owner, let desired = try cursor.take(owner) { all.append(desired) }
        return all
    }

    @Test(arguments: 1...6)
    func thePlaceMakesNoDifference(seed: UInt64) throws {
        let declarations = try Self.declarations(seed: seed)
        let expected = try Self.answers(declarations, room: 0)
        #expect(!expected.held.isEmpty && expected.firsts.contains { $0 != nil })
        for room in [4_000, 1 << 20] {
            let answers = try Self.answers(declarations, room: room)
            #expect(answers == expected, "with room for \(room) bytes")
        }
    }

    @Test func ownersThatAreNotAskedForArePassedOver() throws {
        for room in [0, 1 << 20] {
            let store = DesiredStore(room: room)
            for declaration in try Self.declarations(seed: 1) { _ = try store.add(declaration) }
            let cursor = try store.cursor()
            let last = Owner(subscriber: "zoë", app: "com.example.b")
            #expect(try cursor.take(Owner(subscriber: "b", app: "com.example.zzz")) == nil)
            #expect(try cursor.take(last)?.owner == last)
            #expect(cursor.owner == nil)
        }
    }
}
