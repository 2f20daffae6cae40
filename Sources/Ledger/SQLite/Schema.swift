internal import Foreign
internal import JSON

/// The tables of the ledger, with what each of them and its columns mean.
///
/// Times are milliseconds since 1970 unless a comment says otherwise; JSON is canonical (RFC 8785); text is compared by
/// bytes, SQLite's default. Version N of `PRAGMA user_version` is the schema after the first N migrations.
enum Schema {
    /// The steps from an empty file to the newest schema; a released one is never changed.
    static let migrations: [String] = [
        """
        -- Single facts: lineage (who made this ledger), seal (the key of the digests in saved plans), commit (the number of
        -- the last commit, of reports taken in or of starts sent), sequence (the last launch), restored (since when it
        -- counts as restored from a backup), confirmed (the clock's time when APNs last took a push), applied (the Git
        -- commit whose state a run committed last), index (which index of the source files knows what is recorded, but for
        -- the owners in touched), published (which directory and key the published files were last written with).
        CREATE TABLE facts (
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Every run that took the lock: when, by whom, and how it ended (NULL while it runs, or when it was killed).
        CREATE TABLE runs (
            id TEXT PRIMARY KEY,
            command TEXT NOT NULL,
            host TEXT NOT NULL,
            user TEXT NOT NULL,
            pid INTEGER NOT NULL,
            source TEXT,                      -- the Git commit that it applied; NULL where it read the disk, or none yet
            started_at INTEGER NOT NULL,
            ended_at INTEGER,
            status INTEGER
        ) STRICT, WITHOUT ROWID;

        -- Widget declarations as last committed; a removed one leaves its row.
        CREATE TABLE widgets (
            subscriber TEXT NOT NULL,
            app TEXT NOT NULL,
            name TEXT NOT NULL,
            target TEXT NOT NULL UNIQUE,      -- tgt_…
            body TEXT NOT NULL,               -- the declaration, as JSON
            revision INTEGER NOT NULL,
            changed_commit INTEGER NOT NULL,  -- the commit that last changed what a device shows
            changed_at INTEGER NOT NULL,
            PRIMARY KEY (subscriber, app, name)
        ) STRICT, WITHOUT ROWID;

        -- Template versions that were applied, each as it was then: what runs with one goes on with it, whatever becomes of
        -- its file.
        CREATE TABLE templates (
            name TEXT PRIMARY KEY,            -- name@version
            digest TEXT NOT NULL,             -- SHA-256 of the document without "sensitive" in canonical form, as hex digits
            document TEXT NOT NULL,           -- the file, as JSON
            at INTEGER NOT NULL               -- when a declaration that names it was first applied
        ) STRICT, WITHOUT ROWID;

        -- Owners of whom something changed that the diff looks at, since the index of the source files was made; kept by
        -- triggers, and only while there is an index.
        CREATE TABLE touched (
            subscriber TEXT NOT NULL,
            app TEXT NOT NULL,
            PRIMARY KEY (subscriber, app)
        ) STRICT, WITHOUT ROWID;

        -- Owners whose published file is older than their committed widgets; a row goes once the file is written.
        CREATE TABLE unpublished (
            subscriber TEXT NOT NULL,
            app TEXT NOT NULL,
            PRIMARY KEY (subscriber, app)
        ) STRICT, WITHOUT ROWID;

        -- Activity declarations as last committed; a removed one keeps its row, because its life goes on counting.
        CREATE TABLE activities (
            subscriber TEXT NOT NULL,
            app TEXT NOT NULL,
            name TEXT NOT NULL,
            body TEXT NOT NULL,               -- the declaration, as JSON
            life INTEGER NOT NULL,            -- +1 with a new generation, and with a return after a removal
            revision INTEGER NOT NULL,
            changed_commit INTEGER NOT NULL,  -- the commit that last changed it
            removed INTEGER NOT NULL DEFAULT 0,
            adopted_life INTEGER NOT NULL DEFAULT 0, -- the life that was adopted as applied; 0: none
            alert_at INTEGER NOT NULL,        -- when the alert was committed that it declares
            PRIMARY KEY (subscriber, app, name)
        ) STRICT, WITHOUT ROWID;

        -- Whose device it is, by the report with the highest time.
        CREATE TABLE devices (
            app TEXT NOT NULL,
            device TEXT NOT NULL,
            subscriber TEXT,                  -- NULL after a logout
            owner_since INTEGER NOT NULL,     -- the last report of the owner before; what is older registers nothing
            last_report INTEGER NOT NULL,     -- the highest time of any report
            PRIMARY KEY (app, device)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX devices_owner ON devices (subscriber, app) WHERE subscriber IS NOT NULL;

        -- Widget push tokens, one per device and app; a dead one keeps its row without a token.
        CREATE TABLE widget_registrations (
            app TEXT NOT NULL,
            device TEXT NOT NULL,
            id TEXT NOT NULL UNIQUE,          -- wgt_…
            subscriber TEXT,                  -- as in devices
            token TEXT,                       -- lower-case hex
            environment TEXT NOT NULL,
            kinds TEXT NOT NULL,              -- the installed widgets, as a JSON array
            os TEXT,
            at INTEGER NOT NULL,              -- the time of the report
            reloaded_commit INTEGER NOT NULL, -- reloaded up to this commit
            reloaded_at INTEGER NOT NULL DEFAULT 0, -- the last reload that may have arrived; 0 before
            owes_reload INTEGER NOT NULL,     -- its owner changed since, or one that was asked for is still due
            rejected_revision INTEGER,        -- a definite refusal: of this commit …
            rejected_token_at INTEGER,        -- … for the token reported then
            PRIMARY KEY (app, device)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX widget_registrations_owner ON widget_registrations (subscriber, app, device)
            WHERE subscriber IS NOT NULL;
        CREATE INDEX widget_registrations_token ON widget_registrations (token) WHERE token IS NOT NULL;

        -- Push-to-start tokens, one per device, app and attributes type; a dead one keeps its row without a token.
        CREATE TABLE start_targets (
            app TEXT NOT NULL,
            device TEXT NOT NULL,
            attributes_type TEXT NOT NULL,
            id TEXT NOT NULL UNIQUE,          -- stt_…
            subscriber TEXT,                  -- as in devices
            token TEXT,                       -- lower-case hex
            environment TEXT NOT NULL,
            os TEXT,
            at INTEGER NOT NULL,              -- the time of the report
            frequent_pushes INTEGER,          -- NULL where not reported
            templates TEXT,                   -- the versions the app can decode, as a JSON array; NULL: any
            PRIMARY KEY (app, device, attributes_type)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX start_targets_owner ON start_targets (subscriber, app, device) WHERE subscriber IS NOT NULL;
        CREATE INDEX start_targets_token ON start_targets (token) WHERE token IS NOT NULL;

        -- Activities on devices, from the commit of their launch or their first report on; kept when they are over.
        CREATE TABLE instances (
            id TEXT PRIMARY KEY,              -- tgt_…
            launch TEXT,                      -- lrq_…; NULL where the app started it
            subscriber TEXT NOT NULL,         -- the subscriber of its launch, for ever
            app TEXT NOT NULL,
            name TEXT NOT NULL,               -- of the declaration; empty where none is known
            device TEXT NOT NULL,
            origin TEXT NOT NULL,             -- remote, app, unknownLaunch, unattributed, ambiguous
            attributes_type TEXT NOT NULL,
            attributes TEXT,                  -- as started, as JSON; NULL until a declaration adopts it
            template TEXT,
            life INTEGER NOT NULL,            -- of the declaration
            sequence INTEGER NOT NULL,        -- the order of launches
            replaces TEXT,                    -- the instance whose place it takes
            start_target TEXT,                -- stt_…, of a remote start
            phase TEXT NOT NULL,              -- queued, outstanding, unconfirmed, running, closed, failed, cancelled
            closure TEXT,                     -- why it is closed
            ending TEXT,                      -- why it is to end
            activity_id TEXT,                 -- ActivityKit's
            token TEXT,                       -- its update token, lower-case hex; NULL once APNs found it dead
            token_at INTEGER NOT NULL,
            environment TEXT NOT NULL,
            os TEXT,
            started_at INTEGER NOT NULL,      -- 0 before
            start_expires_at INTEGER NOT NULL DEFAULT 0, -- of its start push; 0 before
            registered_at INTEGER NOT NULL,   -- 0 before
            inferred INTEGER NOT NULL,        -- 1 where the report carried no id, and no other launch could be meant
            updated_at INTEGER NOT NULL DEFAULT 0, -- the last update that may have arrived; 0 before
            revision INTEGER NOT NULL,
            shown TEXT,                       -- the content last accepted, or uncertain, as JSON
            last_timestamp INTEGER NOT NULL DEFAULT 0, -- of its last push, in seconds; the next one is higher
            rejected_revision INTEGER,        -- a definite refusal: of this revision …
            rejected_token_at INTEGER         -- … for the token reported then
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX instances_owner ON instances (subscriber, app, name, sequence, id);
        CREATE INDEX instances_device ON instances (app, device);
        CREATE INDEX instances_launch ON instances (launch) WHERE launch IS NOT NULL;
        CREATE INDEX instances_activity ON instances (app, activity_id) WHERE activity_id IS NOT NULL;
        CREATE INDEX instances_token ON instances (token) WHERE token IS NOT NULL;
        CREATE INDEX instances_open ON instances (phase, started_at)
            WHERE phase IN ('outstanding', 'unconfirmed', 'running');

        -- How launches were reconciled: a row for each, and a launch can have several.
        CREATE TABLE resolutions (
            number INTEGER PRIMARY KEY,       -- in the order of happening
            launch TEXT NOT NULL,             -- lrq_…
            resolution TEXT NOT NULL,         -- adopted, failed, unconfirmed, expired, duplicate-ended, replaced
            target TEXT NOT NULL REFERENCES instances (id),
            at INTEGER NOT NULL,
            run TEXT,                         -- NULL where a report resolved it
            UNIQUE (launch, target, resolution)
        ) STRICT;
        -- A trigger of instances makes SQLite look for children of each that is inserted.
        CREATE INDEX resolutions_target ON resolutions (target);

        -- Activities that were reported over before they were reported at all.
        CREATE TABLE closed_early (
            app TEXT NOT NULL,
            device TEXT NOT NULL,
            key TEXT NOT NULL,                -- an activityId or a launchRequestId
            PRIMARY KEY (app, device, key)
        ) STRICT, WITHOUT ROWID;

        -- Tokens that APNs found dead: only a report with a later time revives one.
        CREATE TABLE dead_tokens (
            token TEXT PRIMARY KEY,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Anonymous ids that were identified: everything of them belongs to the person.
        CREATE TABLE aliases (
            app TEXT NOT NULL,
            anonymous TEXT NOT NULL,
            subscriber TEXT NOT NULL,
            PRIMARY KEY (app, anonymous)
        ) STRICT, WITHOUT ROWID;

        -- Report lines whose time lay more than 5 minutes ahead: they count as of their first ingestion.
        CREATE TABLE early_reports (
            digest TEXT PRIMARY KEY,          -- SHA-256 of the canonical line
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- The transport of one write; its status follows from its deliveries.
        CREATE TABLE operations (
            id TEXT PRIMARY KEY,              -- op_…
            kind TEXT NOT NULL,               -- start, update, end, reload
            subscriber TEXT NOT NULL,         -- as addressed then
            app TEXT NOT NULL,
            run TEXT NOT NULL REFERENCES runs (id),
            commit_number INTEGER NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- One push to one token.
        CREATE TABLE deliveries (
            id TEXT PRIMARY KEY,              -- dlv_…
            operation TEXT NOT NULL REFERENCES operations (id),
            kind TEXT NOT NULL,               -- start, update, end, reload
            subscriber TEXT NOT NULL,
            app TEXT NOT NULL,
            device TEXT NOT NULL,
            target TEXT REFERENCES instances (id), -- the instance; NULL for a reload
            registration TEXT,                -- wgt_… of a reload, stt_… of a start
            environment TEXT NOT NULL,
            status TEXT NOT NULL,             -- queued, dispatching, accepted, failed, unknown, superseded, cancelled, expired
            open INTEGER NOT NULL,            -- 1 while it may still be sent
            rank INTEGER NOT NULL,            -- 0 ends, 1 starts and alerts, 2 silent updates, 3 reloads; +4 a time as suspect
            commit_number INTEGER NOT NULL,
            revision INTEGER NOT NULL,        -- of the instance; of a reload, the commit it reloads up to
            cost INTEGER NOT NULL,            -- what it counts in the quota: 0 or 1
            quota_day INTEGER,                -- the UTC day, since 1970, that it is booked to; NULL: free, or no quota
            created_at INTEGER NOT NULL,
            expires_after INTEGER,            -- in seconds, as declared; NULL: as its kind has it
            not_before INTEGER NOT NULL DEFAULT 0,
            dispatched_at INTEGER,            -- first
            attempts INTEGER NOT NULL DEFAULT 0,
            content TEXT,                     -- what the last attempt carried, as JSON
            apns_id TEXT,
            apns_status INTEGER,
            apns_reason TEXT,
            note TEXT,                        -- why it is not accepted, where APNs gave no reason
            answered_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX deliveries_order ON deliveries (app, environment, rank, commit_number, subscriber, id)
            WHERE open = 1;
        CREATE INDEX deliveries_owner ON deliveries (subscriber, app, id) WHERE open = 1;
        CREATE INDEX deliveries_dispatching ON deliveries (id) WHERE status = 'dispatching';
        CREATE INDEX deliveries_operation ON deliveries (operation);
        CREATE INDEX deliveries_target ON deliveries (target) WHERE target IS NOT NULL;
        CREATE INDEX deliveries_quota ON deliveries (quota_day, status) WHERE quota_day IS NOT NULL;

        -- What the account sent by other means than this ledger, by UTC day since 1970; it counts in the quota.
        CREATE TABLE sent_elsewhere (
            day INTEGER PRIMARY KEY,
            pushes INTEGER NOT NULL
        ) STRICT;

        -- Scopes that were ever paused or revoked; every other subject is in its first one, open.
        CREATE TABLE scopes (
            kind TEXT NOT NULL,               -- subscriber, widget, activity, startTarget, widgets
            subscriber TEXT NOT NULL,         -- of the first three, else empty
            app TEXT NOT NULL,                -- of widget and activity, else empty
            name TEXT NOT NULL,               -- of the declaration; stt_… and wgt_… of the last two; else empty
            device TEXT NOT NULL,             -- of an activity, else empty
            number INTEGER NOT NULL,          -- counts the generations, from 1
            paused INTEGER NOT NULL,
            revoked INTEGER NOT NULL,
            opened_at INTEGER NOT NULL,       -- when this generation was opened; 0 for the first
            PRIMARY KEY (kind, subscriber, app, name, device)
        ) STRICT, WITHOUT ROWID;

        -- Apps and environments that answered as wrongly configured; a run sends one probe there until that changes.
        CREATE TABLE faults (
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            reason TEXT NOT NULL,
            fingerprint TEXT NOT NULL,        -- of key, team and endpoint; another one clears the fault
            since INTEGER NOT NULL,
            PRIMARY KEY (app, environment)
        ) STRICT, WITHOUT ROWID;

        -- Results of `reload --idempotency-key`: the same key answers with them and pushes nothing.
        CREATE TABLE idempotency (
            key TEXT PRIMARY KEY,
            request TEXT NOT NULL,            -- the addressed subscribers, as JSON
            results TEXT,                     -- as JSON; NULL while the first call is not over
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- What happened, in the order of happening: one line each for people and for `log`.
        CREATE TABLE events (
            number INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            run TEXT,
            kind TEXT NOT NULL,               -- a stable snake_case code
            subscriber TEXT,
            app TEXT,
            subject TEXT,                     -- the id it is about
            text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX events_subject ON events (subject) WHERE subject IS NOT NULL;
        """,
        // Triggers of version 1, which recorded touched owners; now the writer does.
        dropTriggers,
    ]

    /// Statements that drop the triggers of version 1.
    private static let dropTriggers = {
        let tables = [
            "widgets", "activities", "widget_registrations", "start_targets", "instances", "deliveries", "scopes",
        ]
        let events = ["INSERT", "DELETE", "UPDATE"]
        let names = tables.flatMap { table in events.map { "\(table)_\($0)" } }
        return names.map { "DROP TRIGGER IF EXISTS \($0);" }.joined(separator: "\n")
    }()

    /// `PRAGMA application_id` of a ledger: "LkSp".
    private static let applicationID: Int64 = 0x4C6B_5370

    /// Makes the tables of a ledger, with its name and the key of the digests in saved plans.
    static func create(in database: Database, _ lineage: Text, _ seal: Text) throws {
        try database.execute("PRAGMA application_id = \(applicationID)")
        for migration in migrations { try database.execute(migration) }
        try database.execute("PRAGMA user_version = \(migrations.count)")
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
    /// - Throws: ``LedgerError``, ``SQLiteError``.
    static func check(_ database: Database, path: String) throws {
        try database.execute("PRAGMA foreign_keys = ON")
        guard try database.first("PRAGMA application_id", read: { $0.integer(0) }) == applicationID else {
            throw LedgerError.foreign(path: path)
        }
        let (version, known) = (try version(of: database), Int64(migrations.count))
        guard version <= known else { throw LedgerError.newer(path: path, version: version, known: known) }
    }

    /// Brings an older ledger up to date.
    static func migrate(_ database: Database) throws {
        guard try version(of: database) < Int64(migrations.count) else { return }
        try database.transaction {
            for migration in migrations[Int(try version(of: database))...] { try database.execute(migration) }
            try database.execute("PRAGMA user_version = \(migrations.count)")
        }
    }

    private static func version(of database: Database) throws -> Int64 {
        try database.first("PRAGMA user_version", read: { $0.integer(0) }) ?? 0
    }
}
