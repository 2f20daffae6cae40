import Source
import TestProjects

extension LoadProject {
    /// What a run reads, with the project's own directory cut off every path.
    func load(only paths: [String] = [], allowsMissing: Bool = false) throws -> Loaded {
        let configuration = try Configuration.read(path("lockstep.json"))
        var loaded = Loaded()
        loaded.summary = try Loader(configuration, allowsMissing: allowsMissing).load(only: paths) { declaration in
            loaded.declarations.append(declaration)
        } problems: { problem in
            loaded.diagnostics.append(problem)
        }
        loaded.problems = loaded.diagnostics.map { $0.description.replacing(directory + "/", with: "") }
        return loaded
    }

    struct Loaded {
        var declarations: [Declaration] = []
        var diagnostics: [Diagnostic] = []
        var problems: [String] = []
        var summary = Loader.Summary()
    }
}
