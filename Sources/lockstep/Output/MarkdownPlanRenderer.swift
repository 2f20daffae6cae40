import Diff
import JSON
import Reconcile

/// A plan as a comment on a pull request: the counts first, then a folded block for each subscriber that holds only what
/// changes.
///
/// It is never longer than ``Markdown/limit``. What does not fit is counted, and no block is left open.
final class MarkdownPlanRenderer: PlanRenderer {
    /// The space that is kept free for the last line.
    private static let reserve = 256
    /// The longest that one block is, so that one subscriber does not hide the others.
    private static let longestBlock = 16_384

    private let verbosity: GlobalOptions.Verbosity
    private let commit: String?
    private var blocks: [String] = []
    private var size = 0
    /// The number of subscribers that came after the last block that could fit.
    private var hidden = 0

    /// A comment on a plan; `commit` is what its files were read from.
    init(verbosity: GlobalOptions.Verbosity, commit: String? = nil) {
        self.verbosity = verbosity
        self.commit = commit
    }

    func lines(for entries: [PlanEntry]) -> [String] {
        let lines = DiffLines(verbosity: verbosity).lines(for: entries)
        guard let owner = entries.first?.owner, !lines.isEmpty else { return [] }
        // Nothing of a plan is kept that could not be shown.
        guard hidden == 0, size < Markdown.limit else {
            hidden += 1
            return []
        }
        let block = Markdown.folded("\(owner.subscriber) (\(owner.app))", lines, within: Self.longestBlock)
        size += block.utf8.count
        blocks.append(block)
        return []
    }

    func lines(for summary: Summary, _ violations: [SafetyViolation]) -> [String] {
        guard summary.hasChanges || verbosity != .quiet || !violations.isEmpty else { return [] }
        var text = "**\(summary.sentence)**\n"
        if let commit { text += "\nCommit \(Markdown.code(commit)).\n" }
        if !violations.isEmpty {
            text += "\n> [!CAUTION]\n> Apply would refuse this plan:\n"
            text += Markdown.quotedList(violations.map(\.description))
        }
        if summary.hasChanges { text += "\n" + Self.table(summary) }
        var shown = 0
        for block in blocks {
            guard text.utf8.count + block.utf8.count + Self.reserve <= Markdown.limit else { break }
            text += block
            shown += 1
        }
        let missing = blocks.count - shown + hidden
        if missing > 0 {
            text +=
                "\nNot shown: \(missing) more \(missing == 1 ? "subscriber" : "subscribers"), because a comment has "
            text += "no room for them. `lockstep plan` shows everything.\n"
        }
        return Markdown.lines(of: text)
    }

    private static func table(_ summary: Summary) -> String {
        let columns = [
            ("start", summary.starts), ("update", summary.updates), ("end", summary.ends), ("reload", summary.reloads),
            ("commit", summary.commits), ("held", summary.held), ("blocked", summary.blocked),
            ("waiting", summary.waiting),
        ]
        return "| " + columns.map(\.0).joined(separator: " | ") + " |\n"
            + "|" + columns.map { _ in "--:|" }.joined() + "\n"
            + "| " + columns.map { String($0.1) }.joined(separator: " | ") + " |\n"
    }
}
