import Foundation
import TestSeeds
import Testing

/// Histories of a project in one process, each made of one seed: see CONTRIBUTING.md.
@Suite struct WorldTests {
    /// Plays a history.
    ///
    /// - Returns: What is wrong with it, `nil` where nothing is; and its story, one line an event.
    private static func outcome(of script: Script) -> (fault: String?, story: [String]) {
        do {
            let history = try History(script)
            do {
                try history.play()
                return (nil, history.story)
            } catch {
                return ("\(error)", history.story)
            }
        } catch {
            return ("\(error)", [])
        }
    }

    /// What went wrong, without the names and numbers that differ.
    private static func kind(of words: String) -> String { String(words.filter(\.isLetter).prefix(25)) }

    /// Leaves out as much as can be left out for the same thing to go wrong.
    private static func shrunk(_ script: Script, _ kind: String) -> Script {
        var script = script
        func fails(_ script: Script) -> Bool { outcome(of: script).fault.map(Self.kind) == kind }
        for index in script.troubles.faults.indices.reversed() {
            var fewer = script
            fewer.troubles.faults.remove(at: index)
            if fails(fewer) { script = fewer }
        }
        for index in script.troubles.reports.indices.reversed() {
            var fewer = script
            fewer.troubles.reports.remove(at: index)
            if fails(fewer) { script = fewer }
        }
        var size = max(1, script.steps.count / 2)
        while size > 0 {
            var start = 0
            while start < script.steps.count {
                var fewer = script
                fewer.steps.removeSubrange(start..<min(start + size, script.steps.count))
                if fails(fewer) { script = fewer } else { start += size }
            }
            size /= 2
        }
        return script
    }

    private static let environment = ProcessInfo.processInfo.environment
    private static let first = UInt64(environment["WORLD_FIRST"] ?? "") ?? 1
    private static let count = UInt64(environment["WORLD_COUNT"] ?? "") ?? (runsLongProofs ? 20_000 : 1_000)
    private static let replay = UInt64(environment["WORLD_REPLAY"] ?? "")
    /// So many histories are one test, so that all cores have something to do.
    private static let portion: UInt64 = 25

    private static var portions: [ClosedRange<UInt64>] {
        if let replay { return [replay...replay] }
        return stride(from: first, to: first + count, by: UInt64.Stride(portion)).map {
            $0...min($0 + portion - 1, first + count - 1)
        }
    }

    @Test(arguments: portions) func whateverHappensPhonesShowWhatIsDeclared(_ seeds: ClosedRange<UInt64>) {
        for seed in seeds {
            var script = Script(seed: seed)
            var (fault, story) = Self.outcome(of: script)
            if let words = fault, Self.replay == nil {
                script = Self.shrunk(script, Self.kind(of: words))
                (fault, story) = Self.outcome(of: script)
            }
            let lines = story.map { "    \($0)\n" }.joined()
            if let fault {
                Issue.record("seed \(seed): \(fault)\n\(lines)  replay: script/world --replay \(seed)")
            } else if Self.replay != nil {
                print("seed \(seed): nothing wrong\n\(lines)")
            }
        }
    }

    @Test func theSameSeedTellsTheSameStory() throws {
        for seed in Self.first..<Self.first + 3 {
            let stories = try (0..<2).map { _ in
                let history = try History(Script(seed: seed))
                try? history.play()
                return history.story
            }
            #expect(stories[0] == stories[1])
        }
    }
}
