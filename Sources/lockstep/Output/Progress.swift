/// A bar that shows how far a run is, in one line that is drawn over and over.
struct Progress {
    /// What is counted: `pushes`.
    let unit: String
    private var drawn = -1

    /// A bar that has not been drawn yet.
    init(unit: String) {
        self.unit = unit
    }

    /// The line for `done` of `total`, where it differs visibly from the last one.
    mutating func line(done: Int, of total: Int, width: Int) -> String? {
        let cells = max(10, min(40, width - 40))
        let step = total == 0 ? cells * 10 : done * cells * 10 / total
        guard step != drawn else { return nil }
        drawn = step
        let full = step / 10
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: cells - full)
        return "\(bar) \(done) of \(total) \(unit)"
    }
}
