import Diff
import Foundation
import JSON
import Source
import TestSeeds
import TestProjects
import Testing

/// Documents with random damage: the loader neither crashes nor says nothing.
struct LoadFuzzTests {
    static let document = #"""
        {"subscriber":"user_42","app":"com.example.courier","widgets":{"Stats":{"state":{"steps":4210},"template":"stats@1",
        "reload":"x"}},"liveActivities":{"order-1001":{"attributesType":"DeliveryAttributes","attributes":{"orderId":"1"},
        "state":{"status":"cooking","progress":0.25},"template":"delivery@3","alert":{"title":"Order","body":{"loc-key":"k",
        "loc-args":["a"]},"sound":"default"},"staleAt":"2026-11-30T10:30:00Z","relevanceScore":75,"start":"remote",
        "priority":"high","generation":"1","protect":true,"end":{"state":{"a":1},"dismissAt":"now"}}}}
        """#

    @Test func damageIsEitherHarmlessOrReportedInsideTheFile() throws {
        let original = Array(Self.document.utf8)
        let project = try LoadProject(["state/x.json": Self.document])
        let intact = try project.load()
        #expect(intact.problems == [])
        #expect(intact.declarations.count == 2)
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<400 {
            var bytes = original
            for _ in 0...Int.random(in: 0...2, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                case 2: bytes.removeSubrange(index..<min(bytes.count, index + 30))
                default: bytes.insert(bytes[index], at: index)
                }
            }
            try project.write("state/x.json", Data(bytes))
            let loaded = try project.load()
            if loaded.declarations.count < 2 { #expect(loaded.summary.errors > 0, "\(bytes)") }
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            for diagnostic in loaded.diagnostics {
                let place = try #require(diagnostic.place, "\(diagnostic)")
                try #require(lines.indices.contains(place.line - 1), "\(diagnostic)")
                #expect((1...lines[place.line - 1].count + 1).contains(place.column), "\(diagnostic)")
                let excerpt = try #require(diagnostic.excerpt)
                #expect(excerpt.caret >= 0 && excerpt.caret <= excerpt.text.unicodeScalars.count, "\(diagnostic)")
            }
        }
    }
}
