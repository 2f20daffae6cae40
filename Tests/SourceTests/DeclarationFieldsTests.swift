import Diff
import Foreign
import JSON
import Source
import TestProjects
import Testing

/// Keys of the tables of fields: what a file says, what is stored of it, and what a plan shows.
struct DeclarationFieldsTests {
    /// A key as a file has it, and as it is stored; `nil` where it is left out.
    static let keys: [(key: Text, written: Value, stored: Value?)] = [
        ("staleAt", "2026-11-30T10:30:00+01:00", 1_796_031_000),
        ("minInterval", "15m", 900),
        ("generation", "2", "2"),
        ("relevanceScore", 0.5, 0.5),
        ("start", "app", "app"),
        ("priority", "normal", nil),
        ("restart", "if-unconfirmed", "if-unconfirmed"),
        ("renew", true, true),
        ("protect", false, nil),
        ("end", ["dismissAt": "now"], ["dismissAt": "now"]),
    ]

    @Test(arguments: keys)
    func aKeyIsReadStoredAndShown(_ row: (key: Text, written: Value, stored: Value?)) throws {
        let activity = try activity(row.key, row.written)
        #expect(activity.body[row.key] == row.stored)
        #expect(try ActivityDeclaration(name: activity.name, body: activity.body) == activity)
        let again = try activity.document[row.key].map { try self.activity(row.key, $0) }
        #expect(again == (row.stored == nil ? nil : activity))
    }

    /// The activity that a file with one more key declares.
    private func activity(_ key: Text, _ value: Value) throws -> ActivityDeclaration {
        var members: Object = [
            "attributesType": "T", "state": ["n": 1], "alert": ["title": "t", "body": "b"],
        ]
        members[key] = value
        let document: Value = ["subscriber": "u", "liveActivities": ["A": .object(members)]]
        let loaded = try LoadProject(["state/x.json": document.canonical]).load()
        #expect(loaded.problems == [])
        guard case .activity(let activity)? = loaded.declarations.first?.content else {
            throw MalformedBody(key: key)
        }
        return activity
    }
}
