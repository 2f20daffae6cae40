import Foreign

/// The files that `lockstep init` writes.
enum StartingProject {
    /// One file.
    struct File {
        let path: String
        var mode: UInt32 = 0o644
        let text: String
    }

    /// The ledger that is made beside the files.
    static let ledger = "lockstep.db"

    /// The directories that have no file yet.
    static let directories = ["reports", "public"]

    /// The files, with a new key for the names of published files.
    static func files(_ system: SystemEnvironment) throws -> [File] {
        let key = Hex.text(try system.randomBytes(32))
        return [
            File(path: "lockstep.json", text: configuration),
            File(path: "state/user_42.json", text: state),
            File(path: "keys/publish.key", mode: 0o600, text: key + "\n"),
            File(path: ".gitignore", text: gitignore),
        ]
    }

    private static let configuration = """
        {
          "apps": {
            "com.example.courier": {
              "teamId": "ABCDE12345",
              "keys": {
                "production": { "keyId": "KEY1234567", "key": { "file": "keys/AuthKey_KEY1234567.p8" } }
              }
            }
          },
          "state": ["state"],
          "ledger": "\(ledger)",
          "reports": "reports",
          "publish": { "directory": "public", "key": { "file": "keys/publish.key" } },
          "safety": { "maxRemovedPercent": 30, "maxRemoved": 1000, "maxReplaced": 100, "maxPushes": 100000 }
        }

        """

    private static let state = """
        {
          "$comment": "What one subscriber's widgets and Live Activities should show. Change it, then: lockstep plan",
          "subscriber": "user_42",
          "widgets": {
            "Stats": { "state": { "steps": 4210 } }
          },
          "liveActivities": {
            "order-1001": {
              "attributesType": "DeliveryAttributes",
              "attributes": { "orderId": "1001" },
              "state": { "status": "cooking", "progress": 0.25 },
              "alert": { "title": "Order 1001", "body": "In the kitchen", "sound": "default" }
            }
          }
        }

        """

    private static let gitignore = """
        # Secrets, the ledger and what goes with it, device reports, published state: of this host, not of the files.
        /keys/
        /\(ledger)*
        /reports/
        /public/

        """
}
