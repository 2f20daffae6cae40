public import JSON

/// JSON in rows, in its canonical form.
extension SQLiteValue {
    /// Canonical JSON, or NULL for `nil`.
    public init(json value: Value?) {
        self = value.map { .text(Text($0.canonical)) } ?? .null
    }

    /// A JSON array of strings, or NULL for `nil`.
    public init(texts: [Text]?) {
        self.init(json: texts.map { .array($0.map(Value.string)) })
    }
}

extension Statement {
    /// A column that holds canonical JSON.
    ///
    /// - Throws: ``ParseError``.
    public func json(_ column: Int32) throws -> Value {
        try withBytes(column) { (bytes) throws(ParseError) in try Value(json: bytes) }
    }

    /// A column that holds canonical JSON, `nil` for NULL.
    ///
    /// - Throws: ``ParseError``.
    public func optionalJSON(_ column: Int32) throws -> Value? {
        isNull(column) ? nil : try json(column)
    }

    /// A column that holds a JSON array of strings.
    ///
    /// - Throws: ``ParseError``.
    public func texts(_ column: Int32) throws -> [Text] {
        try json(column).array?.compactMap(\.text) ?? []
    }
}
