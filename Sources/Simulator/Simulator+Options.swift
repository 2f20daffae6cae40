public import Foreign

extension Simulator {
    /// The ports, directories and habits of a simulator.
    public struct Options: Sendable {
        /// An app that Apple knows.
        public struct App: Equatable, Sendable {
            /// The bundle id.
            public var bundle: String
            /// The team that it belongs to: 10 letters and digits.
            public var team: String

            /// The app and team of the examples where nothing else is said.
            public init(bundle: String = "com.example.courier", team: String = "ABCDE12345") {
                self.bundle = bundle
                self.team = team
            }
        }

        /// The port of the production service; 0 takes any free one.
        public var port: UInt16 = 0
        /// The port of the sandbox; 0 takes any free one.
        public var sandboxPort: UInt16 = 0
        /// Written, at once and whole, when everything is ready.
        public var readyFile: String?
        /// The directory of certificates, keys, `lockstep.json`, `screens.json` and `requests.ndjson`.
        public var stateDirectory: String
        /// The directory of the devices' reports.
        public var spool: String
        /// The directory from which the widgets fetch their state.
        public var publishDirectory: String
        /// The apps that Apple knows; those of one team share its keys.
        public var apps: [App] = [App()]
        /// The most open streams of a connection after its first authenticated request.
        public var streams: UInt32 = 1_000
        /// The most before that.
        ///
        /// Apple allows one; load generators that send before they know the settings need more.
        public var firstStreams: UInt32 = 1
        /// A file of commands that are carried out before the ready file is written.
        public var commands: String?
        /// The clock and the chance that it runs by.
        public var environment = SystemEnvironment.machine
        /// Makes tokens, ids and faults the same from run to run; a random one where it is `nil`.
        public var seed: UInt64?
        /// True where each request goes to `requests.ndjson`.
        public var logsRequests = true
        /// The descriptor that commands are read from; `nil` reads none.
        public var input: Int32? = 0
        /// True where the end of the input stops the simulator.
        public var stopsAtEndOfInput = false

        /// The defaults, with the three directories.
        public init(stateDirectory: String, spool: String, publishDirectory: String) {
            self.stateDirectory = stateDirectory
            self.spool = spool
            self.publishDirectory = publishDirectory
        }
    }
}
