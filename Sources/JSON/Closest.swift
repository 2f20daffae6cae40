/// The candidate that a mistyped word was probably meant to be, for a "did you mean"; `nil` where none is near.
///
/// Near means: at most one edit for every three characters of the word (one for a short one), where an edit inserts,
/// deletes or replaces a character or swaps two neighbours. Case, `-` and `_` do not count. Of several that are
/// equally near, the first one.
public func closest(to word: String, in candidates: some Sequence<String>) -> String? {
    func folded(_ text: String) -> [Character] { Array(text.lowercased().filter { $0 != "-" && $0 != "_" }) }
    let typed = folded(word)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
        let distance = editDistance(typed, folded(candidate))
        if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(1, typed.count / 3) else { return nil }
    return best.candidate
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two words (optimal string
/// alignment).
private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
        var current = [row + 1]
        for column in right.indices {
            let isSame = left[row] == right[column]
            var distance = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                distance = min(distance, beforeLast[column - 1] + 1)
            }
            current.append(distance)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
