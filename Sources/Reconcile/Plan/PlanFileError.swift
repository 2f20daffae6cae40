/// Why a file cannot be used as a saved plan.
public enum PlanFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is something else.
    case foreign(path: String)
    /// A newer version of this program wrote it.
    case newer(path: String, version: Int64)
    /// A line is wrong, or the lines are not those that its id was derived from.
    case damaged(path: String, line: Int?)
    /// A plan cannot be written in the place of a device or a directory.
    case notOrdinary(path: String)

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .foreign(let path):
            "\(path): this is no saved plan; 'lockstep plan --out FILE' writes one"
        case .newer(let path, let version):
            "\(path): the plan has format version \(version) and this lockstep knows \(PlanHeader.version); "
                + "use the lockstep that made it"
        case .damaged(let path, let line):
            "\(path)\(line.map { ":\($0)" } ?? ""): the plan is damaged or was edited; make a new one with "
                + "'lockstep plan --out FILE'"
        case .notOrdinary(let path):
            "\(path): a plan is written to an ordinary file; name one, or leave out --out to see it on standard output"
        }
    }
}
