internal import Diff
internal import Foreign
internal import JSON

/// The texts that many rows have, which they hold by a number: bundle ids, types, systems, lists of widgets.
///
/// A text keeps its number for as long as the ledger lives, so that what was looked up once holds good, but for a
/// transaction that was undone.
final class Words {
    private let database: Database
    private var numbers: [Text: Int64] = [:]
    private var texts: [Int64: Text] = [:]
    private var systems: [Int64: OSVersion] = [:]
    private var lists: [Int64: [Text]] = [:]
    /// The most texts that are remembered: phones choose many of them.
    private static let limit = 10_000

    init(_ database: Database) {
        self.database = database
    }

    /// Forgets every number, because a transaction was undone.
    func forget() {
        numbers = [:]
        texts = [:]
        systems = [:]
        lists = [:]
    }

    /// The number of a text, which gets one where it has none.
    func number(_ text: Text) throws -> Int64 {
        if let number = try known(text) { return number }
        try database.run("INSERT INTO words (word) VALUES (?)", .text(text))
        return try known(text) ?? 0
    }

    /// The number of a text for those who only read; `nil` where no row has it.
    func known(_ text: Text) throws -> Int64? {
        if let number = numbers[text] { return number }
        let sql = "SELECT number FROM words WHERE word = ?"
        guard let number = try database.first(sql, .text(text), read: { $0.integer(0) }) else { return nil }
        if numbers.count >= Self.limit { numbers = [:] }
        numbers[text] = number
        return number
    }

    /// The number of a list of texts.
    func number(ofList list: [Text]) throws -> Int64 {
        try number(Text(Value.array(list.map(Value.string)).canonical))
    }

    /// The text of a number.
    ///
    /// - Throws: ``UnreadableRow`` where there is none.
    func text(_ number: Int64) throws -> Text {
        if let text = texts[number] { return text }
        guard
            let text = try database.first(
                "SELECT word FROM words WHERE number = ?",
                .integer(number),
                read: { $0.text(0) }
            )
        else { throw UnreadableRow(table: "words", detail: "\(number)") }
        if texts.count >= Self.limit { texts = [:] }
        texts[number] = text
        return text
    }

    /// The version of a system by its number.
    func system(_ number: Int64) throws -> OSVersion? {
        if let version = systems[number] { return version }
        let version = OSVersion(try text(number).string)
        if systems.count >= Self.limit { systems = [:] }
        systems[number] = version
        return version
    }

    /// A list of texts by its number.
    func list(_ number: Int64) throws -> [Text] {
        if let list = lists[number] { return list }
        let list = try Value(json: Array(try text(number).string.utf8)).array?.compactMap(\.text) ?? []
        if lists.count >= Self.limit { lists = [:] }
        lists[number] = list
        return list
    }
}

extension Statement {
    /// A column that holds a number of a text.
    func word(_ column: Int32, _ words: Words) throws -> Text { try words.text(integer(column)) }

    /// A column that holds a number of a text, `nil` for NULL.
    func optionalWord(_ column: Int32, _ words: Words) throws -> Text? {
        isNull(column) ? nil : try word(column, words)
    }

    /// A column that holds the version of a system, `nil` for NULL.
    func os(_ column: Int32, _ words: Words) throws -> OSVersion? {
        isNull(column) ? nil : try words.system(integer(column))
    }

    /// A column that holds a list of texts, `nil` for NULL.
    func list(_ column: Int32, _ words: Words) throws -> [Text]? {
        isNull(column) ? nil : try words.list(integer(column))
    }
}
