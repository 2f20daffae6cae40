import Foundation

/// Requests as a good sender makes them.
enum Pushes {
    static let topic = "com.example.courier.push-type"

    static var now: Int64 { Int64(Date().timeIntervalSince1970) }

    /// A widget reload.
    static func reload(_ token: String, _ provider: String) -> CurlRequest {
        CurlRequest(
            path: "/3/device/\(token)",
            headers: [
                "authorization": "bearer \(provider)", "apns-topic": "\(topic).widgets", "apns-push-type": "widgets",
            ],
            body: #"{"aps":{"content-changed":true}}"#
        )
    }

    /// An activity push with this `aps` dictionary.
    static func activity(_ token: String, _ provider: String, _ aps: String) -> CurlRequest {
        CurlRequest(
            path: "/3/device/\(token)",
            headers: [
                "authorization": "bearer \(provider)", "apns-topic": "\(topic).liveactivity",
                "apns-push-type": "liveactivity", "apns-priority": "10",
            ],
            body: #"{"aps":\#(aps)}"#
        )
    }

    /// The `aps` of a start of a delivery.
    static func start(
        launch: String = "lrq_1",
        asksForToken: Bool = true,
        sound: Bool = true,
        timestamp: Int64 = now
    ) -> String {
        """
        {"event":"start","timestamp":\(timestamp),"content-state":{"status":"cooking"},\
        "attributes-type":"DeliveryAttributes","attributes":{"orderId":"1001","launchRequestId":"\(launch)"},\
        "alert":{"title":"Order 1001","body":"In the kitchen"\(sound ? #","sound":"default""# : "")}\
        \(asksForToken ? #","input-push-token":1"# : "")}
        """
    }

    /// The `aps` of an update or end.
    static func change(_ event: String, _ status: String, timestamp: Int64, more: String = "") -> String {
        #"{"event":"\#(event)","timestamp":\#(timestamp),"content-state":{"status":"\#(status)"}\#(more)}"#
    }
}
