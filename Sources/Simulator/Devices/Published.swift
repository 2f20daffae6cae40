internal import Foreign
internal import JSON

/// The published files that widgets fetch their state from, by path, as a web server would serve them.
struct Published {
    let key: [UInt8]
    let read: (String) -> [UInt8]?

    /// The published widgets of one subscriber in one app; empty where nothing readable is published.
    ///
    /// The path is `<first 2 digits>/<64 digits>.json`, the digits being HMAC-SHA256(key, app ‖ 0x00 ‖ subscriber).
    func widgets(app: String, subscriber: String) -> Object {
        let digits = Hex.text(hmacSHA256(key: key, message: Array(app.utf8) + [0] + Array(subscriber.utf8)))
        guard let bytes = read("\(digits.prefix(2))/\(digits).json"), let document = try? Value(json: bytes) else {
            return Object()
        }
        return document["widgets"]?.object ?? Object()
    }
}
