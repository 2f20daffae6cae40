public import JSON

/// An id of one kind: a prefix that names the kind, then a ULID.
///
/// Ids are minted by the steps that have effects; here they are only carried, so that a target's id cannot stand where a
/// launch's is expected.
public struct Identifier<Kind: IdentifierKind>: Hashable, Sendable {
    /// An id has one form: each text that spells a ULID is that ULID.
    private enum Form: Hashable {
        case ulid(ULID)
        case text(Text)
    }

    private let form: Form

    /// An id as it is written, prefix included; it is not checked.
    public init(_ text: Text) {
        form = ULID(text, after: Kind.prefix).map(Form.ulid) ?? .text(text)
    }

    /// The id that a ULID is under the prefix of its kind.
    public init(_ ulid: ULID) {
        form = .ulid(ulid)
    }

    /// The whole id, prefix included.
    public var text: Text {
        switch form {
        case .ulid(let ulid): Text(ulid.text(after: Kind.prefix))
        case .text(let text): text
        }
    }

    /// The ULID of it; `nil` where it is not a canonical one, as what a phone made up may be.
    public var ulid: ULID? { if case .ulid(let ulid) = form { ulid } else { nil } }
}

extension Identifier: Comparable, CustomStringConvertible {
    /// The whole id.
    public var description: String { text.string }

    /// In the order of minting.
    public static func < (left: Self, right: Self) -> Bool {
        guard case (.ulid(let one), .ulid(let other)) = (left.form, right.form) else { return left.text < right.text }
        return (one.high, one.low) < (other.high, other.low)
    }
}

/// The kind of thing that an ``Identifier`` names.
public protocol IdentifierKind: Sendable {
    /// The beginning of its ids, underscore included.
    static var prefix: String { get }
}

/// The kinds of ids, named as in a receipt.
public enum IdentifierKinds {
    /// `tgt_`: what can be written to.
    public enum Target: IdentifierKind {
        /// The prefix `tgt_`.
        public static let prefix = "tgt_"
    }
    /// `stt_`: a device prepared for remote starts of one attributes type.
    public enum StartTarget: IdentifierKind {
        /// The prefix `stt_`.
        public static let prefix = "stt_"
    }
    /// `wgt_`: a widget push token of a device and app.
    public enum Widgets: IdentifierKind {
        /// The prefix `wgt_`.
        public static let prefix = "wgt_"
    }
    /// `lrq_`: one intent to create one instance on one device.
    public enum Launch: IdentifierKind {
        /// The prefix `lrq_`.
        public static let prefix = "lrq_"
    }
    /// `op_`: the transport of one write.
    public enum Operation: IdentifierKind {
        /// The prefix `op_`.
        public static let prefix = "op_"
    }
    /// `dlv_`: one push to one token.
    public enum Delivery: IdentifierKind {
        /// The prefix `dlv_`.
        public static let prefix = "dlv_"
    }
    /// `run_`: one run that changed the ledger.
    public enum Run: IdentifierKind {
        /// The prefix `run_`.
        public static let prefix = "run_"
    }
}

/// The id of a widget declaration, or of one Activity instance on one device: of all that can be written to.
public typealias TargetID = Identifier<IdentifierKinds.Target>
/// A device prepared for remote starts of one attributes type.
public typealias StartTargetID = Identifier<IdentifierKinds.StartTarget>
/// The widget push token of one device and app.
public typealias WidgetsID = Identifier<IdentifierKinds.Widgets>
/// The `launchRequestId`.
public typealias LaunchID = Identifier<IdentifierKinds.Launch>
/// The transport of one write.
public typealias OperationID = Identifier<IdentifierKinds.Operation>
/// One push to one token.
public typealias DeliveryID = Identifier<IdentifierKinds.Delivery>
/// One run that changed the ledger.
public typealias RunID = Identifier<IdentifierKinds.Run>
