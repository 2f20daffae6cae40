import Foreign

/// The program `lockstep`.
@main
enum Main {
    /// Carries out the command line and ends with its status.
    static func main() {
        let words = Array(CurrentProcess.arguments.dropFirst())
        CurrentProcess.exit(run(words).rawValue)
    }

    private static func run(_ words: [String]) -> ExitStatus {
        let invocation: Invocation
        do {
            invocation = try Invocation(words)
        } catch {
            let output = Output(Invocation.options(ofBroken: words))
            output.fail(Failure(error))
            return output.finish(.usage)
        }
        let output = Output(invocation.options)
        do {
            return output.finish(try invocation.command.run(output, .machine))
        } catch is AbandonedOutput {
            return output.finish(.done)
        } catch {
            let failure = Failure(error)
            output.fail(failure)
            return output.finish(failure.status)
        }
    }
}
