internal import Foreign
internal import JSON

/// The tables of the ledger.
///
/// Rows are compact: they are written with each push, and there are many. `number` names a row inside the file and nowhere
/// else (``Places``); a word is a number of the table `words` (``Words``); ids, names of phones and digits are bytes where
/// they have the canonical form (`Packing.swift`); what has a few values is the number of a list (``Numbered``). Times are
/// milliseconds since 1970, 0 where they have not come; JSON is canonical (RFC 8785); text is compared by bytes. Views in
/// words, for people, stand beside them (``WordViews``).
enum Schema {
    /// The version of the rows, as `PRAGMA user_version` has it.
    static let version: Int64 = 3

    /// The tables and their indexes, each of which a query needs.
    static let tables = """
        -- Single facts; SQLiteLedger.Fact names them.
        CREATE TABLE facts (
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Texts that many rows have: bundle ids, attributes types, names of templates, OS versions, kinds of events, lists of
        -- widgets.
        CREATE TABLE words (
            number INTEGER PRIMARY KEY,
            word TEXT NOT NULL UNIQUE
        ) STRICT;

        -- Every run that took the lock.
        CREATE TABLE runs (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,          -- run_…, whole: there are few
            command TEXT NOT NULL,
            host TEXT NOT NULL,
            user TEXT NOT NULL,
            pid INTEGER NOT NULL,
            source TEXT,
            started_at INTEGER NOT NULL,
            ended_at INTEGER,
            status INTEGER
        ) STRICT;

        -- The runs of the steps that queued pushes: what an operation has beyond its deliveries.
        CREATE TABLE steps (
            number INTEGER PRIMARY KEY,       -- the step
            run INTEGER NOT NULL              -- number of runs
        ) STRICT;

        -- Everybody who was ever recorded, in each app.
        CREATE TABLE owners (
            number INTEGER PRIMARY KEY,       -- between those of its neighbours in the order of bytes, where there is room
            subscriber TEXT NOT NULL,
            app TEXT NOT NULL,                -- the bundle id itself, so that owners are read in their order
            UNIQUE (subscriber, app)
        ) STRICT;

        -- Owners whose published file is older than their committed widgets: a few, which are read in their order.
        CREATE TABLE unpublished (
            subscriber TEXT NOT NULL,
            app TEXT NOT NULL,
            PRIMARY KEY (subscriber, app)
        ) STRICT, WITHOUT ROWID;

        -- Owners of whom something changed since the index of the source files was made; only while there is one.
        CREATE TABLE touched (
            owner INTEGER PRIMARY KEY
        ) STRICT;

        -- Widget declarations as last committed; a removed one leaves its row.
        CREATE TABLE widgets (
            owner INTEGER NOT NULL,
            name TEXT NOT NULL,
            target ANY NOT NULL UNIQUE,       -- id, tgt_…
            body TEXT NOT NULL,               -- the declaration, as JSON
            revision INTEGER NOT NULL,
            changed_step INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            PRIMARY KEY (owner, name)
        ) STRICT, WITHOUT ROWID;

        -- Activity declarations as last committed; a removed one keeps its row.
        CREATE TABLE activities (
            owner INTEGER NOT NULL,
            name TEXT NOT NULL,
            body TEXT NOT NULL,               -- the declaration, as JSON
            life INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            changed_step INTEGER NOT NULL,
            removed INTEGER NOT NULL,         -- 0 or 1
            adopted_life INTEGER NOT NULL,    -- 0: none
            alert_at INTEGER NOT NULL,
            PRIMARY KEY (owner, name)
        ) STRICT, WITHOUT ROWID;

        -- Devices, and whose they are by the report with the highest time. What a device registered belongs to the same owner.
        CREATE TABLE devices (
            number INTEGER PRIMARY KEY,       -- that of its first owner, or one behind the owner's last device
            id ANY NOT NULL,                  -- uuid
            app INTEGER NOT NULL,             -- word
            owner INTEGER,                    -- NULL after a logout
            owner_since INTEGER NOT NULL,
            last_report INTEGER,              -- NULL where only an instance, or what was over early, names it
            UNIQUE (id, app)
        ) STRICT;
        CREATE INDEX devices_owner ON devices (owner) WHERE owner IS NOT NULL;

        -- Widget push tokens, one per device; a dead one keeps its row without a token.
        CREATE TABLE widget_registrations (
            device INTEGER PRIMARY KEY,       -- number of devices
            id ANY NOT NULL UNIQUE,           -- id, wgt_…
            token ANY,                        -- digits; NULL: none
            environment INTEGER NOT NULL,     -- number of a list
            kinds INTEGER NOT NULL,           -- word: the installed widgets, as a JSON array
            os INTEGER,                       -- word
            at INTEGER NOT NULL,
            reloaded_step INTEGER NOT NULL,
            reloaded_at INTEGER NOT NULL,
            owes_reload INTEGER NOT NULL,
            rejected_revision INTEGER,
            rejected_token_at INTEGER
        ) STRICT;
        CREATE INDEX widget_registrations_token ON widget_registrations (substr(token, 1, 8)) WHERE token IS NOT NULL;

        -- Push-to-start tokens, one per device and attributes type; a dead one keeps its row without a token.
        CREATE TABLE start_targets (
            device INTEGER NOT NULL,          -- number of devices
            attributes_type INTEGER NOT NULL, -- word
            id ANY NOT NULL UNIQUE,           -- id, stt_…
            token ANY,                        -- digits; NULL: none
            environment INTEGER NOT NULL,     -- number of a list
            os INTEGER,                       -- word
            at INTEGER NOT NULL,
            frequent_pushes INTEGER,          -- NULL where not reported
            templates INTEGER,                -- word: a JSON array; NULL: any
            PRIMARY KEY (device, attributes_type)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX start_targets_token ON start_targets (substr(token, 1, 8)) WHERE token IS NOT NULL;

        -- What identifies activities on devices, and how far each is in its life: it changes with a launch, a report, an end.
        CREATE TABLE instances (
            number INTEGER PRIMARY KEY,       -- that of its owner, or one behind the owner's last instance
            id ANY NOT NULL UNIQUE,           -- id, tgt_…
            launch ANY,                       -- id, lrq_…; NULL where the app started it
            owner INTEGER NOT NULL,
            name TEXT NOT NULL,               -- of the declaration; empty where none is known
            device INTEGER NOT NULL,          -- number of devices
            origin INTEGER NOT NULL,          -- number of a list
            attributes_type INTEGER NOT NULL, -- word
            attributes TEXT,                  -- as started, as JSON; NULL until a declaration adopts it
            template INTEGER,                 -- word
            life INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            replaces ANY,                     -- id, tgt_…
            start_target ANY,                 -- id, stt_…
            phase INTEGER NOT NULL,           -- number of a list; below 4 it is open
            closure INTEGER,                  -- number of a list
            ending INTEGER,                   -- number of a list
            activity_id ANY,                  -- uuid, ActivityKit's
            token ANY,                        -- digits; NULL: none
            token_at INTEGER NOT NULL,
            environment INTEGER NOT NULL,     -- number of a list
            os INTEGER,                       -- word
            started_at INTEGER NOT NULL,
            start_expires_at INTEGER NOT NULL,
            registered_at INTEGER NOT NULL,
            inferred INTEGER NOT NULL         -- 0 or 1
        ) STRICT;
        CREATE INDEX instances_owner ON instances (owner);
        CREATE INDEX instances_device ON instances (device, phase);
        CREATE INDEX instances_launch ON instances (launch) WHERE launch IS NOT NULL;
        CREATE INDEX instances_activity ON instances (activity_id) WHERE activity_id IS NOT NULL;
        CREATE INDEX instances_open ON instances (phase, started_at) WHERE phase < 4;

        -- What changes of an instance with each push.
        CREATE TABLE progress (
            instance INTEGER PRIMARY KEY,     -- number of instances
            revision INTEGER NOT NULL,
            shown TEXT,                       -- the content last accepted, or uncertain, as JSON
            last_timestamp INTEGER NOT NULL,  -- in seconds
            updated_at INTEGER NOT NULL,
            rejected_revision INTEGER,
            rejected_token_at INTEGER
        ) STRICT;

        -- Pushes that are not settled: queued, being sent, or unknown and to be sent again.
        CREATE TABLE open_deliveries (
            number INTEGER PRIMARY KEY,       -- step << 24 | its ordinal in the step; dlv_… is spelled from it
            operation INTEGER NOT NULL,       -- the operation's ordinal in the step; op_… is spelled from it and the step
            kind INTEGER NOT NULL,            -- number of a list
            owner INTEGER NOT NULL,
            app INTEGER NOT NULL,             -- word; the owner's, for the order of sending
            device INTEGER NOT NULL,          -- number of devices
            instance INTEGER,                 -- number of instances; NULL for a reload
            environment INTEGER NOT NULL,     -- number of a list
            status INTEGER NOT NULL,          -- number of a list: queued, dispatching or unknown
            rank INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            cost INTEGER NOT NULL,
            quota_day INTEGER,
            created_at INTEGER NOT NULL,
            expires_after INTEGER,            -- in seconds
            not_before INTEGER NOT NULL,
            dispatched_at INTEGER,
            attempts INTEGER NOT NULL,
            content TEXT,                     -- what the last attempt carried, as JSON: shown, should the run die that makes it
            apns_id ANY,                      -- uuid
            apns_status INTEGER,
            apns_reason TEXT,
            note TEXT,
            answered_at INTEGER,
            addressed INTEGER,                -- the owner that its operation addressed, where another one has it since
            id ANY,                           -- id, dlv_…, of one that version 2 queued; NULL: spelled from the number
            operation_id ANY                  -- id, op_…, of its operation likewise
        ) STRICT;
        CREATE INDEX open_deliveries_order ON open_deliveries (app, environment, rank);
        CREATE INDEX open_deliveries_owner ON open_deliveries (owner);
        CREATE INDEX open_deliveries_id ON open_deliveries (id) WHERE id IS NOT NULL;

        -- Pushes that are settled; each moves here from the open ones and stays as it is. Only the start of a launch that may
        -- have arrived is changed once more, by the report that settles it.
        CREATE TABLE finished_deliveries (
            number INTEGER PRIMARY KEY,       -- as above, and so all that follow
            operation INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            owner INTEGER NOT NULL,
            device INTEGER NOT NULL,
            instance INTEGER,
            environment INTEGER NOT NULL,
            status INTEGER NOT NULL,
            rank INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            cost INTEGER NOT NULL,
            quota_day INTEGER,
            created_at INTEGER NOT NULL,
            expires_after INTEGER,
            not_before INTEGER NOT NULL,
            dispatched_at INTEGER,
            attempts INTEGER NOT NULL,
            apns_id ANY,
            apns_status INTEGER,
            apns_reason TEXT,
            note TEXT,
            answered_at INTEGER,
            addressed INTEGER,
            id ANY,
            operation_id ANY
        ) STRICT;
        CREATE INDEX finished_deliveries_instance ON finished_deliveries (instance) WHERE instance IS NOT NULL;
        CREATE INDEX finished_deliveries_id ON finished_deliveries (id) WHERE id IS NOT NULL;
        CREATE INDEX finished_deliveries_operation ON finished_deliveries (operation_id) WHERE operation_id IS NOT NULL;

        -- How many deliveries are booked to a UTC day, by status: a tally that each write keeps.
        CREATE TABLE booked (
            day INTEGER NOT NULL,
            status INTEGER NOT NULL,          -- number of a list
            deliveries INTEGER NOT NULL,
            PRIMARY KEY (day, status)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE sent_elsewhere (
            day INTEGER PRIMARY KEY,
            pushes INTEGER NOT NULL
        ) STRICT;

        -- How launches were reconciled; the launch is the instance's.
        CREATE TABLE resolutions (
            number INTEGER PRIMARY KEY,
            instance INTEGER NOT NULL,        -- number of instances
            resolution INTEGER NOT NULL,      -- number of a list
            at INTEGER NOT NULL,
            run INTEGER,                      -- number of runs; NULL where a report resolved it
            UNIQUE (instance, resolution)
        ) STRICT;

        -- What happened, in the order of happening.
        CREATE TABLE events (
            number INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            run INTEGER,                      -- number of runs
            kind INTEGER NOT NULL,            -- word: a stable snake_case code
            owner INTEGER,                    -- NULL where it is about nobody
            subject ANY,                      -- any id: 17 bytes, the number of its prefix and the ULID, else TEXT
            text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX events_subject ON events (subject) WHERE subject IS NOT NULL;

        -- Activities that were reported over before they were reported at all.
        CREATE TABLE closed_early (
            device INTEGER NOT NULL,          -- number of devices
            key TEXT NOT NULL,
            PRIMARY KEY (device, key)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE dead_tokens (
            token ANY PRIMARY KEY,            -- digits
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Report lines whose time lay ahead.
        CREATE TABLE early_reports (
            digest ANY PRIMARY KEY,           -- digits: SHA-256 of the canonical line
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Anonymous ids that were identified.
        CREATE TABLE aliases (
            app TEXT NOT NULL,
            anonymous TEXT NOT NULL,
            subscriber TEXT NOT NULL,
            PRIMARY KEY (app, anonymous)
        ) STRICT, WITHOUT ROWID;

        -- Template versions that were applied.
        CREATE TABLE templates (
            name TEXT PRIMARY KEY,
            digest TEXT NOT NULL,
            document TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Scopes that were ever paused or revoked.
        CREATE TABLE scopes (
            kind INTEGER NOT NULL,            -- number of ScopeKind
            subscriber TEXT NOT NULL,
            app TEXT NOT NULL,
            name TEXT NOT NULL,
            device TEXT NOT NULL,
            number INTEGER NOT NULL,
            paused INTEGER NOT NULL,
            revoked INTEGER NOT NULL,
            opened_at INTEGER NOT NULL,
            PRIMARY KEY (kind, subscriber, app, name, device)
        ) STRICT, WITHOUT ROWID;

        -- Apps and environments that answered as wrongly configured.
        CREATE TABLE faults (
            app TEXT NOT NULL,
            environment INTEGER NOT NULL,     -- number of a list
            reason TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            since INTEGER NOT NULL,
            PRIMARY KEY (app, environment)
        ) STRICT, WITHOUT ROWID;

        -- Results of reload --idempotency-key.
        CREATE TABLE idempotency (
            key TEXT PRIMARY KEY,
            request TEXT NOT NULL,
            results TEXT,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// `PRAGMA application_id` of a ledger: "LkSp".
    private static let applicationID: Int64 = 0x4C6B_5370

    /// Makes the tables of a ledger, with its name and the key of the digests in saved plans.
    static func create(in database: Database, _ lineage: Text, _ seal: Text) throws {
        try database.execute("PRAGMA application_id = \(applicationID)")
        try database.execute(tables)
        try database.execute(WordViews.statements)
        try database.execute("PRAGMA user_version = \(version)")
        try database.run(
            "INSERT INTO facts (key, value) VALUES (?, ?), (?, ?)",
            .text(SQLiteLedger.Fact.lineage.rawValue),
            .text(lineage),
            .text(SQLiteLedger.Fact.seal.rawValue),
            .text(seal)
        )
    }

    /// Makes sure that a file is a ledger that this program knows.
    ///
    /// - Returns: True where its rows are of an older version.
    /// - Throws: ``LedgerError``, ``SQLiteError``.
    static func isOld(_ database: Database, path: String) throws -> Bool {
        guard try database.first("PRAGMA application_id", read: { $0.integer(0) }) == applicationID else {
            throw LedgerError.foreign(path: path)
        }
        let found = try database.first("PRAGMA user_version", read: { $0.integer(0) }) ?? 0
        guard found <= version else { throw LedgerError.newer(path: path, version: found, known: version) }
        return found < version
    }
}
