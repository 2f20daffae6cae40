/// The changes between two texts, as `diff -u` writes them.
enum UnifiedDiff {
    /// So many lines that stay the same are shown around each change.
    private static let context = 3

    private enum Line {
        case same(Substring)
        case removed(Substring)
        case added(Substring)

        var text: String {
            switch self {
            case .same(let line): " \(line)"
            case .removed(let line): "-\(line)"
            case .added(let line): "+\(line)"
            }
        }

        var isSame: Bool { if case .same = self { true } else { false } }
    }

    /// The lines of the difference of one file; none where nothing changes.
    static func lines(of path: String, _ before: [UInt8], _ after: [UInt8]) -> [String] {
        let lines = compared(split(before), split(after))
        var result = ["--- \(path)", "+++ \(path)"]
        var start = 0
        while let change = lines[start...].firstIndex(where: { !$0.isSame }) {
            let first = max(start, change - context)
            var end = change
            var last = change
            // A hunk goes on while the next change is near enough that their surroundings would meet.
            while end < lines.count, end - last <= 2 * context {
                if !lines[end].isSame { last = end }
                end += 1
            }
            end = min(lines.count, last + context + 1)
            result.append(header(lines, from: first, to: end))
            result += lines[first..<end].map(\.text)
            start = end
        }
        return result.count == 2 ? [] : result
    }

    private static func split(_ bytes: [UInt8]) -> [Substring] {
        var lines = Substring(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func compared(_ before: [Substring], _ after: [Substring]) -> [Line] {
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in after.difference(from: before) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var lines: [Line] = []
        var (old, new) = (0, 0)
        while old < before.count || new < after.count {
            if removed.contains(old) {
                lines.append(.removed(before[old]))
                old += 1
            } else if added.contains(new) {
                lines.append(.added(after[new]))
                new += 1
            } else {
                lines.append(.same(before[old]))
                (old, new) = (old + 1, new + 1)
            }
        }
        return lines
    }

    private static func header(_ lines: [Line], from first: Int, to end: Int) -> String {
        func count(_ range: Range<Int>, _ isCounted: (Line) -> Bool) -> Int { lines[range].count(where: isCounted) }
        func isOld(_ line: Line) -> Bool { if case .added = line { false } else { true } }
        func isNew(_ line: Line) -> Bool { if case .removed = line { false } else { true } }
        func range(_ isCounted: (Line) -> Bool) -> String {
            let length = count(first..<end, isCounted)
            return "\(count(0..<first, isCounted) + (length == 0 ? 0 : 1)),\(length)"
        }
        return "@@ -\(range(isOld)) +\(range(isNew)) @@"
    }
}
