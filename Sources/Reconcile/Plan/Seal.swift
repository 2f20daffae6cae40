internal import Diff
internal import Foreign
internal import JSON
internal import Ledger
internal import Source

/// Makes the digests in a saved plan that stand for content which the plan does not show.
///
/// A digest of a short code can be turned back by trying every code. So the ledger keeps a key for them, and whoever has
/// the plan and not the ledger can try nothing. A plan that makes its ledger has no key yet: there, what is sensitive does
/// not go into the digest at all.
struct Seal {
    private let key: [UInt8]?
    private let masks: Masks
    /// Values that are no change by themselves are in no digest: they leave a saved plan as fresh as it was.
    private let ignored: PointerRules

    /// The seal of plans that were made on a ledger, or that make one.
    init(of ledger: (any Snapshot)?, makesLedger: Bool, _ sensitive: PointerRules, ignored: PointerRules) throws {
        self.ignored = ignored
        key = makesLedger ? nil : try ledger?.sealKey()
        masks = Masks(key == nil ? sensitive : PointerRules())
    }

    /// Of a declared widget.
    func digest(of widget: WidgetDeclaration) -> Text {
        text(content(.init(widget), widget.significant(ignored)).canonicalBytes)
    }

    /// Of a declared activity.
    func digest(of activity: ActivityDeclaration) -> Text {
        text(content(.init(activity), activity.significant(ignored)).canonicalBytes)
    }

    /// Of everything that a store holds.
    func digest(of store: DesiredStore) throws -> Text { text(try store.digest(hiding: masks)) }

    /// The part of a body that goes into a digest.
    func content(_ subject: PointerRules.Subject, _ body: Value) -> Value { masks.masked(subject, body) }

    /// A digest of bytes, in lower-case hex digits.
    func text(_ bytes: [UInt8]) -> Text {
        Text(Hex.text(key.map { hmacSHA256(key: $0, message: bytes) } ?? sha256(bytes)))
    }
}

/// The id of a plan: what its lines come to.
struct PlanDigest: ~Copyable {
    private var digest: RunningSHA256

    init(_ header: PlanHeader) throws(CryptoError) {
        digest = try RunningSHA256()
        digest.update(header.identifyingBytes + [0x0A])
    }

    /// Takes a line, without its end.
    mutating func take(_ line: [UInt8]) {
        digest.update(line)
        digest.update([0x0A])
    }

    /// The id.
    consuming func id() -> Text { Text("pln_" + Hex.text(Array(digest.finalize().prefix(16)))) }
}
