internal import Foreign
internal import JSON

/// Finds the state files that a configuration names, in the byte order of their paths.
///
/// Nothing that could hold declarations is passed over in silence: what is missing, cannot be read, matches nothing or
/// leads out of its tree is a diagnostic.
struct StateFiles {
    /// One path of the configuration, or of the command line.
    struct Entry {
        /// The path or glob, from the working directory.
        var path: String
        /// Another way out where it does not exist.
        var remedy = ""
        /// Makes the diagnostic that there is nothing.
        var diagnostic: (String) -> Diagnostic
    }

    /// A directory that is walked at once: entries inside each other share it, so that no file comes twice.
    private struct Root {
        var path: String
        var globs: [Glob] = []
        /// True where a path in the entries names the root itself, and so everything in it.
        var isWhole = false
    }

    /// The tree that they are in.
    let tree: any FileTree
    /// True where a missing path counts as empty.
    let allowsMissing: Bool
    /// Takes the problems of files and directories.
    let problems: (Diagnostic) throws -> Void

    /// Visits every file with a kind of state in its name.
    func visit(_ entries: [Entry], _ visit: (String) throws -> Void) throws {
        var matched: Set<String> = []
        for root in try roots(entries) {
            try walk(root) { file in
                for glob in root.globs where glob.matches(file) { matched.insert(glob.pattern) }
                try visit(file)
            }
        }
        for entry in entries where Glob.isPattern(entry.path) && !matched.contains(entry.path) {
            let glob = Glob(entry.path)
            if try tree.passesOver(where: { glob.matches($0) }) { continue }
            try problems(entry.diagnostic("'\(entry.path)' matches no .json or .ndjson file; correct or remove it"))
        }
    }

    /// The disjoint trees and files that hold everything, in order; reports the entries that lead nowhere.
    private func roots(_ entries: [Entry]) throws -> [Root] {
        var found: [Root] = []
        for entry in entries {
            let isGlob = Glob.isPattern(entry.path)
            let path = isGlob ? Glob(entry.path).base : entry.path
            do {
                guard try tree.kind(following: path) != nil else {
                    if !allowsMissing, !isGlob {
                        let message = "'\(path)' does not exist; create it, or correct the path\(entry.remedy)"
                        try problems(entry.diagnostic(message))
                    }
                    continue
                }
            } catch let error as FileError {
                try problems(entry.diagnostic(error.description))
                continue
            }
            found.append(Root(path: path, globs: isGlob ? [Glob(entry.path)] : [], isWhole: !isGlob))
        }
        var roots: [Root] = []
        for root in found.sorted(by: { Files.precedes($0.path + "/", $1.path + "/") }) {
            guard let last = roots.last, Self.contains(last.path, root.path) else {
                roots.append(root)
                continue
            }
            roots[roots.count - 1].globs +=
                root.globs + (root.isWhole ? [Glob(root.path), Glob(root.path + "/**")] : [])
            if last.path == root.path, root.isWhole { roots[roots.count - 1].isWhole = true }
        }
        return roots
    }

    private static func contains(_ directory: String, _ path: String) -> Bool {
        directory == path
            || directory == "." && !path.utf8.starts(with: "..".utf8) && path.utf8.first != UInt8(ascii: "/")
            || path.utf8.starts(with: (directory + "/").utf8)
    }

    private func walk(_ root: Root, _ visit: (String) throws -> Void) throws {
        func isWanted(_ path: String) -> Bool { root.isWhole || root.globs.contains { $0.matches(path) } }
        do {
            guard try tree.kind(following: root.path) == .directory else {
                if isWanted(root.path), try !tree.passesOver(root.path) { try visit(root.path) }
                return
            }
            let resolved = try tree.resolve(root.path)
            try tree.walk(root.path) { entry in
                if let error = entry.error {
                    try problems(Diagnostic(error.words, file: entry.path))
                    return false
                }
                if entry.kind == .directory { return true }
                guard isWanted(entry.path) else { return false }
                if try isState(entry, in: resolved) { try visit(entry.path) }
                return false
            }
        } catch let error as FileError {
            try problems(Diagnostic(error.words, file: error.path))
        }
    }

    /// Tells a state file from another entry; reports what only might have been meant as one.
    private func isState(_ entry: Files.Entry, in root: String) throws -> Bool {
        if entry.kind == .link {
            let target: String
            do throws(FileError) { target = try tree.resolve(entry.path) } catch {
                let why = if case .other(let reason) = error.reason { reason } else { "leads nowhere" }
                try problems(Diagnostic("this symbolic link \(why); remove it", file: entry.path))
                return false
            }
            guard target.utf8.starts(with: (root + "/").utf8) || root == "/" else {
                try problems(
                    Diagnostic(
                        "this symbolic link leaves the tree, to \(target); put the file here, or name its directory in "
                            + "\"state\"",
                        file: entry.path
                    )
                )
                return false
            }
            if try tree.kind(following: entry.path) == .directory {
                try problems(
                    Diagnostic(
                        "this symbolic link would read the directory \(target) twice; remove it",
                        file: entry.path
                    )
                )
                return false
            }
        }
        switch StateFormat(of: entry.path) {
        case .some where entry.kind == .other:
            try problems(Diagnostic("this is no file but a pipe, a socket or a device; remove it", file: entry.path))
            return false
        case .some: return true
        case nil where StateFormat.isLikely(entry.path):
            try problems(
                Diagnostic("not read: state files end in .json or .ndjson", file: entry.path, severity: .warning)
            )
            return false
        case nil: return false
        }
    }
}

/// The format of a state file, which its name says.
public enum StateFormat: Sendable {
    /// One document, or an array of them.
    case json
    /// A document in each line.
    case ndjson

    /// The format of a file; `nil` where its name is that of no state file.
    public init?(of path: String) {
        if path.hasSuffix(".json") {
            self = .json
        } else if path.hasSuffix(".ndjson") {
            self = .ndjson
        } else {
            return nil
        }
    }

    /// True for a name that looks as if state was meant.
    static func isLikely(_ path: String) -> Bool {
        let name = Files.name(of: path).lowercased()
        return [".json", ".ndjson", ".jsonl", ".json5", ".jsonc", ".yaml", ".yml"].contains { name.hasSuffix($0) }
    }
}
