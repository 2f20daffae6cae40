import JSON
import Testing

struct ClosestTests {
    static let keys = ["subscriber", "app", "widgets", "liveActivities", "state", "staleAt", "alert"]

    @Test(
        arguments: [
            ("liveActivites", "liveActivities"), ("LiveActivities", "liveActivities"),
            ("live-activities", "liveActivities"), ("subscirber", "subscriber"), ("stael_at", "staleAt"),
            ("widget", "widgets"), ("ap", "app"), ("states", "state"),
            ("banana", nil), ("x", nil), ("", nil), ("start", nil),
        ] as [(String, String?)]
    )
    func meansTheNearestKey(_ typed: String, _ meant: String?) {
        #expect(closest(to: typed, in: Self.keys) == meant)
    }
}
