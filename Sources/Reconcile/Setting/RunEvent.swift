public import Diff
public import Source

/// One thing that happens in a run, as it happens: the one stream that every rendering, metric and hook consumes.
public enum RunEvent: Sendable {
    /// A problem of a file.
    case problem(Diagnostic)
    /// One owner's plan; owners come in their order, before anything is committed.
    case planned(PlannedOwner)
    /// A write that was committed.
    case receipt(Receipt)
    /// The progress of sending: pushes settled, and pushes to settle.
    case sending(settled: Int, total: Int)
    /// A warning, one line.
    case warning(String)
    /// A fact that a person should know and a quiet run need not say each time, one line.
    case remark(String)
}
