import Foreign
import JSON
import Testing
import Time

@testable import APNs

@Suite struct PushRequestTests {
    private func request(
        token: Text = "00fF",
        kind: PushRequest.Kind = .widgets,
        priority: PushRequest.Priority = .immediate,
        expiration: Moment = Moment(seconds: 1_700_000_000),
        collapseID: Text? = nil,
        id: Text? = nil,
        payload: [UInt8] = [1]
    ) throws(PushRequestError) -> PushRequest {
        try PushRequest(
            app: "com.example.courier",
            token: token,
            fields: PushRequest.Fields(
                kind: kind,
                priority: priority,
                expiration: expiration,
                collapseID: collapseID,
                id: id
            ),
            payload: payload
        )
    }

    @Test func theFieldsAreThoseOfApple() throws {
        let request = try request(
            kind: .liveActivity,
            priority: .considerate,
            collapseID: "lrq_1",
            id: "eabeae54-14a8-11e5-b60b-1697f925ec7b"
        )
        let headers = request.headers(authority: "api.push.apple.com:443", authorization: "bearer t", isFirst: true)
        let expected = [
            ":method: POST", ":scheme: https", ":path: /3/device/00fF", ":authority: api.push.apple.com:443",
            "authorization: bearer t", "apns-topic: com.example.courier.push-type.liveactivity",
            "apns-push-type: liveactivity", "apns-priority: 5", "apns-expiration: 1700000000",
            "apns-collapse-id: lrq_1", "apns-id: eabeae54-14a8-11e5-b60b-1697f925ec7b",
        ]
        #expect(headers.map { "\($0.name): \($0.value)" } == expected)
    }

    /// "Sending notification requests to APNs", on HPACK.
    @Test func onlyWhatRepeatsIsIndexed() throws {
        let request = try request(collapseID: "c", id: "i")
        func literal(isFirst: Bool) -> [String] {
            request.headers(authority: "a", authorization: "b", isFirst: isFirst).filter { !$0.isIndexed }.map(\.name)
        }
        #expect(literal(isFirst: true) == [":path", "authorization"])
        let unique = ["apns-expiration", "apns-collapse-id", "apns-id"]
        #expect(literal(isFirst: false) == [":path", "authorization"] + unique)
    }

    @Test func aReloadHasItsTopicAndNoMoreThanItNeeds() throws {
        let headers = try request().headers(authority: "a", authorization: "b", isFirst: true)
        #expect(headers.contains(HTTP2Header("apns-topic", "com.example.courier.push-type.widgets")))
        #expect(headers.contains(HTTP2Header("apns-priority", "10")))
        #expect(!headers.contains { ["apns-collapse-id", "apns-id", "content-type"].contains($0.name) })
    }

    /// Tokens have any length: an update token of a Live Activity has 160 digits.
    @Test(arguments: [2, 64, 160, 200])
    func aTokenOfAnyEvenLengthIsTaken(digits: Int) throws {
        _ = try request(token: Text(String(repeating: "a", count: digits)))
    }

    @Test(arguments: ["", "abc", "xy", "a b ", "ａｂ"] as [Text])
    func anotherTokenIsRefusedWithoutBeingShown(token: Text) {
        let error = #expect(throws: PushRequestError.self) { try request(token: token) }
        #expect(error == .badToken(digits: token.string.utf8.count))
    }

    @Test func theSizesAreAppleS() throws {
        _ = try request(
            collapseID: Text(String(repeating: "c", count: 64)),
            payload: [UInt8](repeating: 1, count: 4096)
        )
        #expect(throws: PushRequestError.payloadTooLarge(bytes: 4097)) {
            try request(payload: [UInt8](repeating: 1, count: 4097))
        }
        #expect(throws: PushRequestError.emptyPayload) { try request(payload: []) }
        #expect(throws: PushRequestError.badCollapseID(bytes: 65)) {
            try request(collapseID: Text(String(repeating: "c", count: 65)))
        }
        #expect(throws: PushRequestError.badExpiration(Moment(seconds: -1))) {
            try request(expiration: Moment(seconds: -1))
        }
    }
}
