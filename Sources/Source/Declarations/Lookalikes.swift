internal import Diff
internal import JSON

/// Finds ids and names that look the same to a person and differ in their bytes, in two passes.
///
/// Of two such texts at least one is not in Unicode's composed form, which hardly any is. The first pass notes those;
/// the second, needed only where there are any, holds everything against them.
final class Lookalikes {
    private var noted: [String: (identity: Identity, source: SourcePlace)] = [:]
    private var reported: Set<Text> = []
    private let locator: Locator

    /// Knows no text yet; those of a tree will be noted.
    init(_ tree: any FileTree) {
        locator = Locator(tree)
    }

    /// True where nothing was noted, and so no two texts look the same.
    var isEmpty: Bool { noted.isEmpty }

    /// The first pass.
    func note(_ declaration: Declaration) {
        guard !declaration.owner.subscriber.isComposed || !declaration.name.isComposed else { return }
        for identity in Lookalikes.identities(of: declaration) where !identity.key.isComposed {
            if noted[identity.key.string] == nil { noted[identity.key.string] = (identity, declaration.source) }
        }
    }

    /// The second pass: an error about each text that looks like a noted one, once.
    func diagnostics(about declaration: Declaration) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        for identity in Lookalikes.identities(of: declaration) {
            // Swift's String finds what looks the same; Text tells whether it is the same.
            // Names that are the same and differ only in whose they are need no words of their own.
            guard let other = noted[identity.key.string], other.identity.text != identity.text,
                reported.insert(identity.key).inserted
            else { continue }
            let there = locator.error(
                "",
                .lookalikes,
                at: other.source,
                pointer: other.identity.pointer,
                part: identity.part
            )
            diagnostics.append(
                locator.error(
                    "the \(identity.what) '\(identity.text.spelledOut)' looks the same as "
                        + "'\(other.identity.text.spelledOut)' at \(there.file)"
                        + (there.place.map { ":\($0)" } ?? "") + " and is not; use one spelling",
                    .lookalikes,
                    at: declaration.source,
                    pointer: identity.pointer,
                    part: identity.part
                )
            )
        }
        return diagnostics
    }

    private struct Identity {
        var what: String
        var text: Text
        /// The key that must be unique, the text at its end.
        var key: Text
        var pointer: Pointer
        var part: Places.Part
    }

    private static func identities(of declaration: Declaration) -> [Identity] {
        let owner = declaration.owner
        let document = Pointer(declaration.source.pointer.tokens.dropLast(2))
        let scope = [owner.app.string, owner.subscriber.string, declaration.kind]
        return [
            Identity(
                what: "subscriber",
                text: owner.subscriber,
                key: owner.subscriber,
                pointer: document.appending("subscriber"),
                part: .value
            ),
            Identity(
                what: "name of a \(declaration.kind)",
                text: declaration.name,
                key: Text((scope + [declaration.name.string]).joined(separator: "\0")),
                pointer: declaration.source.pointer,
                part: .key
            ),
        ]
    }
}
