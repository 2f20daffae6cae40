import TestProjects
@testable import Source
import Diff
import Foreign
import JSON
import TestSeeds
import Testing
import Time

@testable import Reconcile

/// A plan of anything just applied is empty, however the files are written.
struct AppliedPlanTests {
    /// Generated documents, held against generated templates with times in them, in a new spelling for each run.
    @Test(arguments: 0..<(runsLongProofs ? 100 : 6) as Range<UInt64>)
    func nothingIsLeftToDo(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var project = try LedgerProject()
        for round in 0..<3 {
            project.now += .minutes(1)
            let documents = (0..<4).map { Value.document(of: Text("user_\($0)"), round, using: &random) }
            for (version, document) in documents.enumerated() {
                let template = Value.template(of: document)
                try project.files.write("templates/t\(version)/\(round + 1).json", template.canonical)
            }
            func spell() throws {
                let text = Value.array(documents).spaced(using: &random)
                try project.files.write("state/all.json", text)
            }
            try spell()
            let first = try project.plan()
            #expect(first.hasChanges)
            try project.apply()
            for _ in 0..<2 {
                try spell()
                let second = try project.plan()
                #expect(!second.hasChanges, "\(documents.map(\.canonical))")
            }
            try project.apply()
        }
    }
}

extension LedgerProject {
    fileprivate func plan() throws -> Summary {
        let pipeline = try strictPipeline()
        let files = try ProjectFiles(.disk, of: pipeline.configuration)
        return try PlanRun(pipeline, files: files, options: RunOptions()).run().summary
    }

    fileprivate func apply() throws {
        let pipeline = try strictPipeline()
        let files = try ProjectFiles(.disk, of: pipeline.configuration)
        _ = try ApplyRun(pipeline, run: pipeline.mintRun(), files: files, options: RunOptions()).run { _ in true }
    }

    /// A pipeline that ends at the first problem of a file.
    private func strictPipeline() throws -> Pipeline {
        try pipeline { event in if case .problem(let problem) = event { throw problem } }
    }
}

extension Value {
    /// A document with a widget and an activity, which name version `round + 1` of a template of their own.
    fileprivate static func document(of subscriber: Text, _ round: Int, using random: inout SeededGenerator) -> Value {
        let number = subscriber.string.suffix(1)
        let template = Value.string(Text("t\(number)@\(round + 1)"))
        func state() -> Value {
            let seconds = Int64.random(in: 0...4_000_000_000, using: &random)
            let fraction = Int64.random(in: 0...999, using: &random)
            let time = Value.string(Text(RFC3339.string(Moment(seconds: seconds) + .milliseconds(fraction))))
            return ["any": .random(using: &random, depth: 2), "at": time]
        }
        return [
            "subscriber": .string(subscriber),
            "widgets": ["W": ["state": state(), "template": template]],
            "liveActivities": [
                "A": [
                    "attributesType": "T", "attributes": state(), "state": state(), "template": template,
                    "alert": ["title": "t", "body": "b"],
                ]
            ],
        ]
    }

    /// A template that the declarations of a document match, with their times as the app decodes them.
    fileprivate static func template(of document: Value) -> Value {
        func schema(_ states: [Value]) -> Value {
            [
                "type": "object", "required": ["any", "at"], "additionalProperties": false,
                "properties": [
                    "any": Inference(states.compactMap { $0["any"] }).schema,
                    "at": ["type": "string", "format": "swift-date"],
                ],
            ]
        }
        let widget = document["widgets"]?["W"]?["state"] ?? .null
        let activity = document["liveActivities"]?["A"] ?? .null
        return [
            "state": schema([widget, activity["state"] ?? .null]),
            "attributes": schema([activity["attributes"] ?? .null]),
        ]
    }
}

extension OwnerPlan {
    /// True where apply now would commit a declared state or send.
    fileprivate var hasChanges: Bool { !changes.isEmpty || actions.contains { $0.status == .send } }
}
