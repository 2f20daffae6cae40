internal import Foreign
internal import JSON

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
