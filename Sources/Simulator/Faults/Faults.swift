/// The faults that were asked for; of several that concern the same request or report, the oldest happens.
struct Faults {
    private var active: [(id: Int, fault: Fault)] = []
    private var lastID = 0
    private var random: Random
    /// The number of times that any of them happened.
    private(set) var happened = 0

    init(random: Random) {
        self.random = random
    }

    /// Adds a fault.
    ///
    /// - Returns: The number that ``remove(_:)`` takes.
    mutating func add(_ fault: Fault) -> Int {
        lastID += 1
        active.append((lastID, fault))
        return lastID
    }

    /// Makes the dice fall as they did with this seed before.
    mutating func seed(_ seed: UInt64) {
        random = Random(seed: seed)
    }

    /// Removes one fault, or all of them.
    ///
    /// - Returns: The number of those that were removed.
    mutating func remove(_ id: Int?) -> Int {
        let before = active.count
        active.removeAll { id == nil || $0.id == id }
        return before - active.count
    }

    /// The fault of a request, if it has one.
    mutating func happens(toRequest context: @autoclosure () -> FaultContext) -> Fault.Effect? {
        active.isEmpty ? nil : happens(to: context(), .request)
    }

    /// The fault of a report, if it has one.
    mutating func happens(toReport context: @autoclosure () -> FaultContext) -> Fault.Effect? {
        active.isEmpty ? nil : happens(to: context(), .report)
    }

    /// The fault of a connection that a sender makes, if it has one.
    mutating func happens(toConnectionIn environment: APNsEnvironment) -> Fault.Effect? {
        active.isEmpty ? nil : happens(to: FaultContext(device: "", app: "", environment: environment), .connection)
    }

    private mutating func happens(to context: FaultContext, _ subject: Fault.Effect.Subject) -> Fault.Effect? {
        for index in active.indices {
            let fault = active[index].fault
            guard fault.effect.subject == subject, fault.scope.includes(context) else { continue }
            guard fault.after == 0 else {
                active[index].fault.after -= 1
                continue
            }
            guard fault.chance.map({ random.happens($0) }) ?? true else { continue }
            happened += 1
            if let times = fault.times {
                active[index].fault.times = times - 1
                if times <= 1 { active.remove(at: index) }
            }
            return fault.effect
        }
        return nil
    }
}
