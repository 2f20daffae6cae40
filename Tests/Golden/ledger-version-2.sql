PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE facts (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO facts VALUES('applied','7c45da890f83af7a15b4476562a248c56c9a886f');
INSERT INTO facts VALUES('commit','7');
INSERT INTO facts VALUES('confirmed','1796117410295');
INSERT INTO facts VALUES('lineage','ldg_01M8RF1A8FHAJJHAR7KJEYXXQ8');
INSERT INTO facts VALUES('published','96cbd5beb1cc9ea1245f1471029740fe49b36d04abbe5339ccd52a2721c8acb4');
INSERT INTO facts VALUES('seal','0a446e7062515aeb85bd87faa4a1194ce2d8b13a482f668fd09891e8d90cd9be');
INSERT INTO facts VALUES('sequence','1');
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
INSERT INTO runs VALUES('run_01M8RF1A6NTGAJ27Q34EC2X0C5','apply','vm','root',14872,'7c45da890f83af7a15b4476562a248c56c9a886f',1796117407977,1796117408429,0);
INSERT INTO runs VALUES('run_01M8RF1AWEZWMENKHZVE52RMMN','ingest','vm','root',14879,NULL,1796117408672,1796117408816,0);
INSERT INTO runs VALUES('run_01M8RF1BK637434QXMA3JTNNF4','reload','vm','root',14926,NULL,1796117409404,1796117409604,0);
INSERT INTO runs VALUES('run_01M8RF1C0BGKKGYD4GAXTAYWHX','apply','vm','root',14928,NULL,1796117409805,1796117410084,3);
INSERT INTO runs VALUES('run_01M8RF1CEBWNCDQXQT55V5HNH4','apply','vm','root',14932,NULL,1796117410253,1796117410431,3);
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
INSERT INTO widgets VALUES('rider_7','com.example.rider','Stats','tgt_01M8RF1AECNWXA97GN57WE2TJB','{"state":{"steps":2}}',2,6,1796117409929);
INSERT INTO widgets VALUES('user_42','com.example.courier','Stats','tgt_01M8RF1AECNWXA97GN57WE2TJE','{"state":{"owner":"Ada Lovelace","steps":2}}',2,7,1796117410295);
CREATE TABLE templates (
    name TEXT PRIMARY KEY,            -- name@version
    digest TEXT NOT NULL,             -- SHA-256 of the document without "sensitive" in canonical form, as hex digits
    document TEXT NOT NULL,           -- the file, as JSON
    at INTEGER NOT NULL               -- when a declaration that names it was first applied
) STRICT, WITHOUT ROWID;
INSERT INTO templates VALUES('delivery@1','0ecaf1b8974c3f80e334d09f548f012269b69b1d110f9b5618c8f7b405af6dd8','{"attributes":{"type":"object"},"state":{"type":"object"}}',1796117407977);
CREATE TABLE touched (
    subscriber TEXT NOT NULL,
    app TEXT NOT NULL,
    PRIMARY KEY (subscriber, app)
) STRICT, WITHOUT ROWID;
INSERT INTO touched VALUES('anon_d2','com.example.courier');
INSERT INTO touched VALUES('user_42','com.example.courier');
INSERT INTO touched VALUES('user_9','com.example.courier');
CREATE TABLE unpublished (
    subscriber TEXT NOT NULL,
    app TEXT NOT NULL,
    PRIMARY KEY (subscriber, app)
) STRICT, WITHOUT ROWID;
INSERT INTO unpublished VALUES('user_42','com.example.courier');
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
INSERT INTO activities VALUES('user_42','com.example.courier','order-1001','{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"attributes":{"orderId":"1001","to":"Babbage"},"attributesType":"DeliveryAttributes","state":{"code":"Sesame-4711","status":"cooking"},"template":"delivery@1"}',1,1,2,0,0,1796117408204);
CREATE TABLE devices (
    app TEXT NOT NULL,
    device TEXT NOT NULL,
    subscriber TEXT,                  -- NULL after a logout
    owner_since INTEGER NOT NULL,     -- the last report of the owner before; what is older registers nothing
    last_report INTEGER NOT NULL,     -- the highest time of any report
    PRIMARY KEY (app, device)
) STRICT, WITHOUT ROWID;
INSERT INTO devices VALUES('com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','user_42',-9223372036854775808,1796117408672);
INSERT INTO devices VALUES('com.example.courier','421efc0b-1046-48bf-af53-7eddbfbc7b98','user_9',-9223372036854775808,1796117408495);
INSERT INTO devices VALUES('com.example.courier','nobody''s',NULL,0,5);
INSERT INTO devices VALUES('com.example.rider','421eFC0B-1046-48BF-AF53-7EDDBFBC7B98','rider_7',-9223372036854775808,1796117407671);
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
INSERT INTO widget_registrations VALUES('com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','wgt_01M8RF1A7980QS46J6RHMR6T4X','user_42',NULL,'production','["Stats"]','26',1796117407655,3,1796117408343,0,NULL,NULL);
INSERT INTO widget_registrations VALUES('com.example.courier','421efc0b-1046-48bf-af53-7eddbfbc7b98','wgt_01M8RF1A7980QS46J6RHMR6T53','user_9','9056feb358d3eb56567eb25453df864cc487878db9d5813a215e5b96a27d14a3','production','["Stats"]','26',1796117407667,0,0,1,NULL,NULL);
INSERT INTO widget_registrations VALUES('com.example.rider','421eFC0B-1046-48BF-AF53-7EDDBFBC7B98','wgt_01M8RF1A7980QS46J6RHMR6T59','rider_7','acfc721ece7d470868582ba118632aebdef631a861e82ee43510501f30f816a3','production','["Stats"]','26',1796117407671,3,1796117408343,0,NULL,NULL);
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
INSERT INTO start_targets VALUES('com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','DeliveryAttributes','stt_01M8RF1A7980QS46J6RHMR6T4V','user_42','4b533b5fc2b06f2bcf2286f99e84be8c022e86f6fab8b616437914cd864f6d5a','production','26',1796117407655,NULL,NULL);
INSERT INTO start_targets VALUES('com.example.courier','421efc0b-1046-48bf-af53-7eddbfbc7b98','DeliveryAttributes','stt_01M8RF1A7980QS46J6RHMR6T51','user_9','728dd8a674e6532db041ed9a6110fe725e24c9b5640e98a031d6732f2dee2625','production','26',1796117407667,NULL,NULL);
INSERT INTO start_targets VALUES('com.example.rider','421eFC0B-1046-48BF-AF53-7EDDBFBC7B98','DeliveryAttributes','stt_01M8RF1A7980QS46J6RHMR6T57','rider_7','ce75927cb2215a3b368252fbaa0eecf92ba15a61e430337d07be77f0721d7adb','production','26',1796117407671,NULL,NULL);
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
INSERT INTO instances VALUES('tgt_01ARZ3NDEKTSV4RRFFQ69G5F00','lrq_01ARZ3NDEKTSV4RRFFQ69G5F00','user_42','com.example.courier','order-1001','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','remote','DeliveryAttributes','{"orderId":"1001","to":"Babbage"}','delivery@1',1,100,NULL,'stt_01M8RF1A7980QS46J6RHMR6T4V','closed','person','person','odd 0','00',1796117408301,'production','26',1796117408256,1796121008000,1796117408301,0,0,1,'{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"state":{"code":"Sesame-4711","status":"cooking"}}',1796117408,NULL,NULL);
INSERT INTO instances VALUES('tgt_01ARZ3NDEKTSV4RRFFQ69G5F01','lrq_01ARZ3NDEKTSV4RRFFQ69G5F01','user_42','com.example.courier','order-1001','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','remote','DeliveryAttributes','{"orderId":"1001","to":"Babbage"}','delivery@1',1,101,NULL,'stt_01M8RF1A7980QS46J6RHMR6T4V','closed','declared_end','declared_end','odd 1','01',1796117408301,'production','26',1796117408256,1796121008000,1796117408301,0,0,1,'{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"state":{"code":"Sesame-4711","status":"cooking"}}',1796117408,NULL,NULL);
INSERT INTO instances VALUES('tgt_01ARZ3NDEKTSV4RRFFQ69G5F02','lrq_01ARZ3NDEKTSV4RRFFQ69G5F02','user_42','com.example.courier','order-1001','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','remote','DeliveryAttributes','{"orderId":"1001","to":"Babbage"}','delivery@1',1,102,NULL,'stt_01M8RF1A7980QS46J6RHMR6T4V','closed','expired','expired','odd 2','02',1796117408301,'production','26',1796117408256,1796121008000,1796117408301,0,0,1,'{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"state":{"code":"Sesame-4711","status":"cooking"}}',1796117408,NULL,NULL);
INSERT INTO instances VALUES('tgt_01ARZ3NDEKTSV4RRFFQ69G5F03','lrq_01ARZ3NDEKTSV4RRFFQ69G5F03','user_42','com.example.courier','order-1001','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','remote','DeliveryAttributes','{"orderId":"1001","to":"Babbage"}','delivery@1',1,103,NULL,'stt_01M8RF1A7980QS46J6RHMR6T4V','closed','gone','gone','odd 3','03',1796117408301,'production','26',1796117408256,1796121008000,1796117408301,0,0,1,'{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"state":{"code":"Sesame-4711","status":"cooking"}}',1796117408,NULL,NULL);
INSERT INTO instances VALUES('tgt_01ARZ3NDEKTSV4RRFFQ69G5F04','lrq_01ARZ3NDEKTSV4RRFFQ69G5F04','user_42','com.example.courier','order-1001','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','remote','DeliveryAttributes','{"orderId":"1001","to":"Babbage"}','delivery@1',1,104,NULL,'stt_01M8RF1A7980QS46J6RHMR6T4V','closed','logout','logout','odd 4','04',1796117408301,'production','26',1796117408256,1796121008000,1796117408301,0,0,1,'{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"state":{"code":"Sesame-4711","status":"cooking"}}',1796117408,NULL,NULL);
INSERT INTO instances VALUES('tgt_01ARZ3NDEKTSV4RRFFQ69G5F05','lrq_01ARZ3NDEKTSV4RRFFQ69G5F05','user_42','com.example.courier','order-1001','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','remote','DeliveryAttributes','{"orderId":"1001","to":"Babbage"}','delivery@1',1,105,NULL,'stt_01M8RF1A7980QS46J6RHMR6T4V','closed','revoked','revoked','odd 5','05',1796117408301,'production','26',1796117408256,1796121008000,1796117408301,0,0,1,'{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"state":{"code":"Sesame-4711","status":"cooking"}}',1796117408,NULL,NULL);
INSERT INTO instances VALUES('tgt_01ARZ3NDEKTSV4RRFFQ69G5F06','lrq_01ARZ3NDEKTSV4RRFFQ69G5F06','user_42','com.example.courier','order-1001','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','remote','DeliveryAttributes','{"orderId":"1001","to":"Babbage"}','delivery@1',1,106,NULL,'stt_01M8RF1A7980QS46J6RHMR6T4V','closed','removal','removal','odd 6','06',1796117408301,'production','26',1796117408256,1796121008000,1796117408301,0,0,1,'{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"state":{"code":"Sesame-4711","status":"cooking"}}',1796117408,NULL,NULL);
INSERT INTO instances VALUES('tgt_01ARZ3NDEKTSV4RRFFQ69G5F07','lrq_01ARZ3NDEKTSV4RRFFQ69G5F07','user_42','com.example.courier','order-1001','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','remote','DeliveryAttributes','{"orderId":"1001","to":"Babbage"}','delivery@1',1,107,NULL,'stt_01M8RF1A7980QS46J6RHMR6T4V','closed','duplicate','duplicate','odd 7','07',1796117408301,'production','26',1796117408256,1796121008000,1796117408301,0,0,1,'{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"state":{"code":"Sesame-4711","status":"cooking"}}',1796117408,NULL,NULL);
INSERT INTO instances VALUES('tgt_01ARZ3NDEKTSV4RRFFQ69G5F08','lrq_01ARZ3NDEKTSV4RRFFQ69G5F08','user_42','com.example.courier','order-1001','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','remote','DeliveryAttributes','{"orderId":"1001","to":"Babbage"}','delivery@1',1,108,NULL,'stt_01M8RF1A7980QS46J6RHMR6T4V','closed','replaced','replaced','odd 8','08',1796117408301,'production','26',1796117408256,1796121008000,1796117408301,0,0,1,'{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"state":{"code":"Sesame-4711","status":"cooking"}}',1796117408,NULL,NULL);
INSERT INTO instances VALUES('tgt_01ARZ3NDEKTSV4RRFFQ69G5F09','not one of ours','user_42','com.example.courier','ride','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','remote','DeliveryAttributes','{"orderId":"1001","to":"Babbage"}','delivery@1',1,109,'tgt_01ARZ3NDEKTSV4RRFFQ69G5F00','stt_01M8RF1A7980QS46J6RHMR6T4V','queued',NULL,NULL,NULL,NULL,1796117408301,'production','26',1796117408256,1796121008000,1796117408301,0,0,1,'{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"state":{"code":"Sesame-4711","status":"cooking"}}',5,3,1795000000000);
INSERT INTO instances VALUES('tgt_01ARZ3NDEKTSV4RRFFQ69G5F0A','lrq_01ARZ3NDEKTSV4RRFFQ69G5F0A','user_42','com.example.courier','ride','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','app','DeliveryAttributes','{"orderId":"1001","to":"Babbage"}','delivery@1',1,110,'tgt_01ARZ3NDEKTSV4RRFFQ69G5F01','stt_01M8RF1A7980QS46J6RHMR6T4V','outstanding',NULL,NULL,NULL,NULL,1796117408301,'production','26',1796117408256,1796121008000,1796117408301,0,0,1,'{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"state":{"code":"Sesame-4711","status":"cooking"}}',5,3,1795000000000);
INSERT INTO instances VALUES('tgt_01ARZ3NDEKTSV4RRFFQ69G5F0B','lrq_01arz3ndektsv4rrffq69g5f0b','user_42','com.example.courier','ride','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','unknownLaunch','DeliveryAttributes','{"orderId":"1001","to":"Babbage"}','delivery@1',1,111,'tgt_01ARZ3NDEKTSV4RRFFQ69G5F02','stt_01M8RF1A7980QS46J6RHMR6T4V','unconfirmed',NULL,NULL,NULL,NULL,1796117408301,'production','26',1796117408256,1796121008000,1796117408301,0,0,1,'{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"state":{"code":"Sesame-4711","status":"cooking"}}',5,3,1795000000000);
INSERT INTO instances VALUES('tgt_01ARZ3NDEKTSV4RRFFQ69G5F0C','tgt_01ARZ3NDEKTSV4RRFFQ69G5F0C','user_42','com.example.courier','','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','unattributed','DeliveryAttributes','{"orderId":"1001","to":"Babbage"}','delivery@1',1,112,'tgt_01ARZ3NDEKTSV4RRFFQ69G5F03','stt_01M8RF1A7980QS46J6RHMR6T4V','failed',NULL,NULL,NULL,NULL,1796117408301,'production','26',1796117408256,1796121008000,1796117408301,0,0,1,'{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"state":{"code":"Sesame-4711","status":"cooking"}}',5,3,1795000000000);
INSERT INTO instances VALUES('tgt_01ARZ3NDEKTSV4RRFFQ69G5F0D',NULL,'user_42','com.example.courier','','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','ambiguous','DeliveryAttributes','{"orderId":"1001","to":"Babbage"}','delivery@1',1,113,'tgt_01ARZ3NDEKTSV4RRFFQ69G5F04','stt_01M8RF1A7980QS46J6RHMR6T4V','cancelled',NULL,NULL,NULL,NULL,1796117408301,'production','26',1796117408256,1796121008000,1796117408301,0,0,1,'{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"state":{"code":"Sesame-4711","status":"cooking"}}',5,3,1795000000000);
INSERT INTO instances VALUES('tgt_01M8RF1AECNWXA97GN57WE2TJH','lrq_01M8RF1AECNWXA97GN57WE2TJJ','user_42','com.example.courier','order-1001','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','remote','DeliveryAttributes','{"orderId":"1001","to":"Babbage"}','delivery@1',1,1,NULL,'stt_01M8RF1A7980QS46J6RHMR6T4V','running',NULL,NULL,'7DF62544-56C2-4C16-9866-DF1C7857C03D','329f978bd59be189296b770b77a97dcefadf04a203677bfdd897515e7110df369e518f23c916edb64209c151485e4a65db7b73c3df0cb4cb6c64c8fddfdb701f5c058f831bd4f3425233d789fb07537e',1796117408301,'production','26',1796117408256,1796121008000,1796117408301,0,0,1,'{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"state":{"code":"Sesame-4711","status":"cooking"}}',1796117408,NULL,NULL);
CREATE TABLE resolutions (
    number INTEGER PRIMARY KEY,       -- in the order of happening
    launch TEXT NOT NULL,             -- lrq_…
    resolution TEXT NOT NULL,         -- adopted, failed, unconfirmed, expired, duplicate-ended, replaced
    target TEXT NOT NULL REFERENCES instances (id),
    at INTEGER NOT NULL,
    run TEXT,                         -- NULL where a report resolved it
    UNIQUE (launch, target, resolution)
) STRICT;
INSERT INTO resolutions VALUES(1,'lrq_01M8RF1AECNWXA97GN57WE2TJJ','adopted','tgt_01M8RF1AECNWXA97GN57WE2TJH',1796117408672,NULL);
INSERT INTO resolutions VALUES(2,'lrq_01ARZ3NDEKTSV4RRFFQ69G5F00','adopted','tgt_01ARZ3NDEKTSV4RRFFQ69G5F00',1795000000000,NULL);
INSERT INTO resolutions VALUES(3,'lrq_01ARZ3NDEKTSV4RRFFQ69G5F01','failed','tgt_01ARZ3NDEKTSV4RRFFQ69G5F01',1795000000001,'run_01M8RF1A6NTGAJ27Q34EC2X0C5');
INSERT INTO resolutions VALUES(4,'lrq_01ARZ3NDEKTSV4RRFFQ69G5F02','unconfirmed','tgt_01ARZ3NDEKTSV4RRFFQ69G5F02',1795000000002,NULL);
INSERT INTO resolutions VALUES(5,'lrq_01ARZ3NDEKTSV4RRFFQ69G5F03','expired','tgt_01ARZ3NDEKTSV4RRFFQ69G5F03',1795000000003,'run_01M8RF1A6NTGAJ27Q34EC2X0C5');
INSERT INTO resolutions VALUES(6,'lrq_01ARZ3NDEKTSV4RRFFQ69G5F04','duplicate-ended','tgt_01ARZ3NDEKTSV4RRFFQ69G5F04',1795000000004,NULL);
INSERT INTO resolutions VALUES(7,'lrq_01ARZ3NDEKTSV4RRFFQ69G5F05','replaced','tgt_01ARZ3NDEKTSV4RRFFQ69G5F05',1795000000005,'run_01M8RF1A6NTGAJ27Q34EC2X0C5');
CREATE TABLE closed_early (
    app TEXT NOT NULL,
    device TEXT NOT NULL,
    key TEXT NOT NULL,                -- an activityId or a launchRequestId
    PRIMARY KEY (app, device, key)
) STRICT, WITHOUT ROWID;
INSERT INTO closed_early VALUES('com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','early');
INSERT INTO closed_early VALUES('com.example.courier','never heard of','odd');
CREATE TABLE dead_tokens (
    token TEXT PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO dead_tokens VALUES('573499ab62385cadaa6439c4515fd4c048d2d37686efb0c7e53c2e0c04fae300',1796117409558);
INSERT INTO dead_tokens VALUES('abcd',3);
CREATE TABLE aliases (
    app TEXT NOT NULL,
    anonymous TEXT NOT NULL,
    subscriber TEXT NOT NULL,
    PRIMARY KEY (app, anonymous)
) STRICT, WITHOUT ROWID;
INSERT INTO aliases VALUES('com.example.courier','anon_d2','user_9');
CREATE TABLE early_reports (
    digest TEXT PRIMARY KEY,          -- SHA-256 of the canonical line
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO early_reports VALUES('a379846163e023feca716a72130025a1e7765334ad16fb73e3943bf3ef9596fd',1796117408672);
CREATE TABLE operations (
    id TEXT PRIMARY KEY,              -- op_…
    kind TEXT NOT NULL,               -- start, update, end, reload
    subscriber TEXT NOT NULL,         -- as addressed then
    app TEXT NOT NULL,
    run TEXT NOT NULL REFERENCES runs (id),
    commit_number INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F01','end','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9000,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F02','start','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9000,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F03','update','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9001,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F04','end','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9001,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F05','start','anon_1','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9001,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F06','update','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9002,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F07','end','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9002,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F08','start','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9002,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F09','update','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9003,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0A','end','anon_1','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9003,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0B','start','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9003,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0C','update','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9004,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0D','end','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9004,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0E','start','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9004,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0F','update','anon_1','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9005,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0G','end','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9005,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0H','start','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9005,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0J','update','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9006,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0K','end','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9006,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0M','start','anon_1','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9006,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0N','update','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9007,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0P','end','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9007,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0Q','start','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9007,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0R','update','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9008,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0S','end','anon_1','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9008,1795000000000);
INSERT INTO operations VALUES('op_01ARZ3NDEKTSV4RRFFQ69G5F0T','start','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9008,1795000000000);
INSERT INTO operations VALUES('op_01M8RF1AECNWXA97GN57WE2TJC','reload','rider_7','com.example.rider','run_01M8RF1A6NTGAJ27Q34EC2X0C5',2,1796117408204);
INSERT INTO operations VALUES('op_01M8RF1AECNWXA97GN57WE2TJF','reload','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',2,1796117408204);
INSERT INTO operations VALUES('op_01M8RF1AECNWXA97GN57WE2TJK','start','user_42','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',2,1796117408204);
INSERT INTO operations VALUES('op_01M8RF1BP466M1SQD1XCQ1DAM3','reload','user_42','com.example.courier','run_01M8RF1BK637434QXMA3JTNNF4',5,1796117409476);
INSERT INTO operations VALUES('op_01M8RF1C49MXDTWFD8QD2BN59W','reload','rider_7','com.example.rider','run_01M8RF1C0BGKKGYD4GAXTAYWHX',6,1796117409929);
INSERT INTO operations VALUES('op_odd','update','anon_1','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5',9000,1795000000000);
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
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F01','op_01ARZ3NDEKTSV4RRFFQ69G5F01','end','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F01',NULL,'sandbox','queued',1,1,9000,1,1,20001,1795000000000,60,1,NULL,1,'{"state":{"n":1}}','53e99ac9-bed1-455d-84a4-f9e1e887c3e8',400,'BadTopic',NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F02','op_01ARZ3NDEKTSV4RRFFQ69G5F02','start','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F02','stt_01M8RF1A7980QS46J6RHMR6T4V','production','queued',1,2,9000,2,0,NULL,1795000000000,60,2,NULL,2,'{"state":{"n":1}}',NULL,NULL,NULL,'a note',1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F03','op_01ARZ3NDEKTSV4RRFFQ69G5F03','update','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F03',NULL,'sandbox','dispatching',1,3,9001,3,1,20000,1795000000000,60,3,1795000000001,3,'{"state":{"n":1}}','53E99AC9-BED1-455D-84A4-F9E1E887C3E8',200,NULL,NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F04','op_01ARZ3NDEKTSV4RRFFQ69G5F04','end','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F04',NULL,'production','dispatching',1,4,9001,4,0,NULL,1795000000000,60,4,NULL,4,'{"state":{"n":1}}','53e99ac9-bed1-455d-84a4-f9e1e887c3e8',400,'BadTopic',NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F05','op_01ARZ3NDEKTSV4RRFFQ69G5F05','start','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F05','stt_01M8RF1A7980QS46J6RHMR6T4V','sandbox','dispatching',1,5,9001,5,1,20002,1795000000000,60,5,NULL,5,'{"state":{"n":1}}',NULL,NULL,NULL,'a note',1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F06','op_01ARZ3NDEKTSV4RRFFQ69G5F06','update','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F06',NULL,'production','unknown',1,6,9002,6,0,NULL,1795000000000,60,6,1795000000001,6,'{"state":{"n":1}}','53E99AC9-BED1-455D-84A4-F9E1E887C3E8',200,NULL,NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F07','op_01ARZ3NDEKTSV4RRFFQ69G5F07','end','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F07',NULL,'sandbox','unknown',1,7,9002,7,1,20001,1795000000000,60,7,NULL,7,'{"state":{"n":1}}','53e99ac9-bed1-455d-84a4-f9e1e887c3e8',400,'BadTopic',NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F08','op_01ARZ3NDEKTSV4RRFFQ69G5F08','start','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F08','stt_01M8RF1A7980QS46J6RHMR6T4V','production','unknown',1,8,9002,8,0,NULL,1795000000000,60,8,NULL,8,'{"state":{"n":1}}',NULL,NULL,NULL,'a note',1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F09','op_01ARZ3NDEKTSV4RRFFQ69G5F09','update','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F00',NULL,'sandbox','unknown',0,0,9003,9,1,20000,1795000000000,60,9,1795000000001,9,NULL,'53E99AC9-BED1-455D-84A4-F9E1E887C3E8',200,NULL,NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0A','op_01ARZ3NDEKTSV4RRFFQ69G5F0A','end','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F01',NULL,'production','unknown',0,1,9003,10,0,NULL,1795000000000,60,10,NULL,10,NULL,'53e99ac9-bed1-455d-84a4-f9e1e887c3e8',400,'BadTopic',NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0B','op_01ARZ3NDEKTSV4RRFFQ69G5F0B','start','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F02','stt_01M8RF1A7980QS46J6RHMR6T4V','sandbox','unknown',0,2,9003,11,1,20002,1795000000000,60,11,NULL,11,NULL,NULL,NULL,NULL,'a note',1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0C','op_01ARZ3NDEKTSV4RRFFQ69G5F0C','update','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F03',NULL,'production','accepted',0,3,9004,12,0,NULL,1795000000000,60,12,1795000000001,12,NULL,'53E99AC9-BED1-455D-84A4-F9E1E887C3E8',200,NULL,NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0D','op_01ARZ3NDEKTSV4RRFFQ69G5F0D','end','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F04',NULL,'sandbox','accepted',0,4,9004,13,1,20001,1795000000000,60,13,NULL,13,NULL,'53e99ac9-bed1-455d-84a4-f9e1e887c3e8',400,'BadTopic',NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0E','op_01ARZ3NDEKTSV4RRFFQ69G5F0E','start','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F05','stt_01M8RF1A7980QS46J6RHMR6T4V','production','accepted',0,5,9004,14,0,NULL,1795000000000,60,14,NULL,14,NULL,NULL,NULL,NULL,'a note',1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0F','op_01ARZ3NDEKTSV4RRFFQ69G5F0F','update','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F06',NULL,'sandbox','failed',0,6,9005,15,1,20000,1795000000000,60,15,1795000000001,15,NULL,'53E99AC9-BED1-455D-84A4-F9E1E887C3E8',200,NULL,NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0G','op_01ARZ3NDEKTSV4RRFFQ69G5F0G','end','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F07',NULL,'production','failed',0,7,9005,16,0,NULL,1795000000000,60,16,NULL,16,NULL,'53e99ac9-bed1-455d-84a4-f9e1e887c3e8',400,'BadTopic',NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0H','op_01ARZ3NDEKTSV4RRFFQ69G5F0H','start','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F08','stt_01M8RF1A7980QS46J6RHMR6T4V','sandbox','failed',0,8,9005,17,1,20002,1795000000000,60,17,NULL,17,NULL,NULL,NULL,NULL,'a note',1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0J','op_01ARZ3NDEKTSV4RRFFQ69G5F0J','update','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F00',NULL,'production','superseded',0,0,9006,18,0,NULL,1795000000000,60,18,1795000000001,18,NULL,'53E99AC9-BED1-455D-84A4-F9E1E887C3E8',200,NULL,NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0K','op_01ARZ3NDEKTSV4RRFFQ69G5F0K','end','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F01',NULL,'sandbox','superseded',0,1,9006,19,1,20001,1795000000000,60,19,NULL,19,NULL,'53e99ac9-bed1-455d-84a4-f9e1e887c3e8',400,'BadTopic',NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0M','op_01ARZ3NDEKTSV4RRFFQ69G5F0M','start','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F02','stt_01M8RF1A7980QS46J6RHMR6T4V','production','superseded',0,2,9006,20,0,NULL,1795000000000,60,20,NULL,20,NULL,NULL,NULL,NULL,'a note',1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0N','op_01ARZ3NDEKTSV4RRFFQ69G5F0N','update','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F03',NULL,'sandbox','cancelled',0,3,9007,21,1,20000,1795000000000,60,21,1795000000001,21,NULL,'53E99AC9-BED1-455D-84A4-F9E1E887C3E8',200,NULL,NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0P','op_01ARZ3NDEKTSV4RRFFQ69G5F0P','end','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F04',NULL,'production','cancelled',0,4,9007,22,0,NULL,1795000000000,60,22,NULL,22,NULL,'53e99ac9-bed1-455d-84a4-f9e1e887c3e8',400,'BadTopic',NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0Q','op_01ARZ3NDEKTSV4RRFFQ69G5F0Q','start','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F05','stt_01M8RF1A7980QS46J6RHMR6T4V','sandbox','cancelled',0,5,9007,23,1,20002,1795000000000,60,23,NULL,23,NULL,NULL,NULL,NULL,'a note',1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0R','op_01ARZ3NDEKTSV4RRFFQ69G5F0R','update','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F06',NULL,'production','expired',0,6,9008,24,0,NULL,1795000000000,60,24,1795000000001,24,NULL,'53E99AC9-BED1-455D-84A4-F9E1E887C3E8',200,NULL,NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0S','op_01ARZ3NDEKTSV4RRFFQ69G5F0S','end','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F07',NULL,'sandbox','expired',0,7,9008,25,1,20001,1795000000000,60,25,NULL,25,NULL,'53e99ac9-bed1-455d-84a4-f9e1e887c3e8',400,'BadTopic',NULL,1795000000009);
INSERT INTO deliveries VALUES('dlv_01ARZ3NDEKTSV4RRFFQ69G5F0T','op_01ARZ3NDEKTSV4RRFFQ69G5F0T','start','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F08','stt_01M8RF1A7980QS46J6RHMR6T4V','production','expired',0,8,9008,26,0,NULL,1795000000000,60,26,NULL,26,NULL,NULL,NULL,NULL,'a note',1795000000009);
INSERT INTO deliveries VALUES('dlv_01M8RF1AECNWXA97GN57WE2TJD','op_01M8RF1AECNWXA97GN57WE2TJC','reload','rider_7','com.example.rider','421eFC0B-1046-48BF-AF53-7EDDBFBC7B98',NULL,'wgt_01M8RF1A7980QS46J6RHMR6T59','production','accepted',0,3,2,3,1,20788,1796117408204,NULL,0,1796117408331,1,NULL,'b838a831-1d90-4d28-a6c8-71746414878c',200,NULL,NULL,1796117408343);
INSERT INTO deliveries VALUES('dlv_01M8RF1AECNWXA97GN57WE2TJG','op_01M8RF1AECNWXA97GN57WE2TJF','reload','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98',NULL,'wgt_01M8RF1A7980QS46J6RHMR6T4X','production','accepted',0,3,2,3,1,20788,1796117408204,NULL,0,1796117408323,1,NULL,'08af78a5-59f7-415f-b15c-42bfa7fb4c3d',200,NULL,NULL,1796117408343);
INSERT INTO deliveries VALUES('dlv_01M8RF1AECNWXA97GN57WE2TJM','op_01M8RF1AECNWXA97GN57WE2TJK','start','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01M8RF1AECNWXA97GN57WE2TJH','stt_01M8RF1A7980QS46J6RHMR6T4V','production','accepted',0,1,2,1,1,20788,1796117408204,NULL,0,1796117408256,1,'{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"state":{"code":"Sesame-4711","status":"cooking"}}','7feb473c-1adc-4480-abd7-9828fdb57118',200,NULL,NULL,1796117408311);
INSERT INTO deliveries VALUES('dlv_01M8RF1BP466M1SQD1XCQ1DAM2','op_01M8RF1BP466M1SQD1XCQ1DAM3','reload','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98',NULL,'wgt_01M8RF1A7980QS46J6RHMR6T4X','production','failed',0,3,5,5,1,20788,1796117409476,NULL,0,1796117409516,1,NULL,'0591cf07-d785-4090-86b3-d3f2b00129a6',410,'Unregistered',NULL,1796117409567);
INSERT INTO deliveries VALUES('dlv_01M8RF1C49MXDTWFD8QD2BN59X','op_01M8RF1C49MXDTWFD8QD2BN59W','reload','rider_7','com.example.rider','421eFC0B-1046-48BF-AF53-7EDDBFBC7B98',NULL,'wgt_01M8RF1A7980QS46J6RHMR6T59','production','queued',1,3,6,7,1,20788,1796117409929,NULL,0,1796117410008,2,NULL,'a58eb86f-05ca-4472-ac18-448f9cd1cb88',400,'TopicDisallowed',NULL,1796117410392);
INSERT INTO deliveries VALUES('dlv_odd','op_odd','update','user_42','com.example.courier','421EFC0B-1046-48BF-AF53-7EDDBFBC7B98','tgt_01ARZ3NDEKTSV4RRFFQ69G5F00',NULL,'production','queued',1,0,9000,0,0,NULL,1795000000000,60,0,1795000000001,0,'{"state":{"n":1}}','53E99AC9-BED1-455D-84A4-F9E1E887C3E8',200,NULL,NULL,1795000000009);
CREATE TABLE sent_elsewhere (
    day INTEGER PRIMARY KEY,
    pushes INTEGER NOT NULL
) STRICT;
INSERT INTO sent_elsewhere VALUES(20788,3);
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
INSERT INTO scopes VALUES('activity','user_42','com.example.courier','ride','d9',3,1,1,1795000000000);
INSERT INTO scopes VALUES('startTarget','','','stt_01ARZ3NDEKTSV4RRFFQ69G5F01','',3,1,1,1795000000000);
INSERT INTO scopes VALUES('subscriber','user_42','','','',3,1,1,1795000000000);
INSERT INTO scopes VALUES('subscriber','user_9','','','',1,1,0,0);
INSERT INTO scopes VALUES('widget','user_42','com.example.courier','Other','',3,1,1,1795000000000);
INSERT INTO scopes VALUES('widgets','','','wgt_01ARZ3NDEKTSV4RRFFQ69G5F01','',3,1,1,1795000000000);
CREATE TABLE faults (
    app TEXT NOT NULL,
    environment TEXT NOT NULL,
    reason TEXT NOT NULL,
    fingerprint TEXT NOT NULL,        -- of key, team and endpoint; another one clears the fault
    since INTEGER NOT NULL,
    PRIMARY KEY (app, environment)
) STRICT, WITHOUT ROWID;
INSERT INTO faults VALUES('com.example.courier','sandbox','BadTopic','f',1795000000000);
INSERT INTO faults VALUES('com.example.rider','production','TopicDisallowed','6b254bca492a2f8003324a9791790a637807a6985d490292174b1cf84089ad35',1796117410055);
CREATE TABLE idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,            -- the addressed subscribers, as JSON
    results TEXT,                     -- as JSON; NULL while the first call is not over
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO idempotency VALUES('once','["user_42"]','[{"delivery":"dlv_01M8RF1BP466M1SQD1XCQ1DAM2","id":"wgt_01M8RF1A7980QS46J6RHMR6T4X"}]',1796117409404);
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
INSERT INTO events VALUES(1,1796117408672,NULL,'adopted','user_42','com.example.courier','lrq_01M8RF1AECNWXA97GN57WE2TJJ','on device d1: the device reported its launch');
INSERT INTO events VALUES(2,1796117408672,NULL,'identified','user_9','com.example.courier','anon_d2','anon_d2 is user_9: everything of it moved');
INSERT INTO events VALUES(3,1796117409204,NULL,'paused','user_9','','user_9','paused: pushes are held, states still commit');
INSERT INTO events VALUES(4,1796117409567,'run_01M8RF1BK637434QXMA3JTNNF4','invalid_endpoint','user_42','com.example.courier','wgt_01M8RF1A7980QS46J6RHMR6T4X','the token 573499ab… of device d1 is dead');
INSERT INTO events VALUES(5,1796117410055,'run_01M8RF1C0BGKKGYD4GAXTAYWHX','reload_queued','rider_7','com.example.rider','wgt_01M8RF1A7980QS46J6RHMR6T59','on device d3: queued again: 400 TopicDisallowed');
INSERT INTO events VALUES(6,1796117410055,'run_01M8RF1C0BGKKGYD4GAXTAYWHX','configuration_fault',NULL,NULL,'com.example.rider','com.example.rider (production): stopped: APNs answered TopicDisallowed');
INSERT INTO events VALUES(7,1796117410392,'run_01M8RF1CEBWNCDQXQT55V5HNH4','reload_queued','rider_7','com.example.rider','wgt_01M8RF1A7980QS46J6RHMR6T59','on device d3: queued again: 400 TopicDisallowed');
INSERT INTO events VALUES(8,1796117410393,'run_01M8RF1CEBWNCDQXQT55V5HNH4','configuration_fault',NULL,NULL,'com.example.rider','com.example.rider (production): stopped: APNs answered TopicDisallowed');
INSERT INTO events VALUES(9,1795000000000,NULL,'noted','nobody_else','com.example.courier','tgt_01ARZ3NDEKTSV4RRFFQ69G5F01','a line');
INSERT INTO events VALUES(10,1795000000000,NULL,'noted','nobody_else','com.example.courier','op_01ARZ3NDEKTSV4RRFFQ69G5F02','a line');
INSERT INTO events VALUES(11,1795000000000,NULL,'noted','nobody_else','com.example.courier','dlv_01ARZ3NDEKTSV4RRFFQ69G5F01','a line');
INSERT INTO events VALUES(12,1795000000000,NULL,'noted','nobody_else','com.example.courier','wgt_01ARZ3NDEKTSV4RRFFQ69G5F03','a line');
INSERT INTO events VALUES(13,1795000000000,NULL,'noted','nobody_else','com.example.courier','stt_01ARZ3NDEKTSV4RRFFQ69G5F04','a line');
INSERT INTO events VALUES(14,1795000000000,NULL,'noted','nobody_else','com.example.courier','run_01M8RF1A6NTGAJ27Q34EC2X0C5','a line');
INSERT INTO events VALUES(15,1795000000000,NULL,'noted','nobody_else','com.example.courier','anything','a line');
INSERT INTO events VALUES(16,1795000000000,NULL,'noted','nobody_else','com.example.courier',NULL,'a line');
CREATE INDEX devices_owner ON devices (subscriber, app) WHERE subscriber IS NOT NULL;
CREATE INDEX widget_registrations_owner ON widget_registrations (subscriber, app, device)
    WHERE subscriber IS NOT NULL;
CREATE INDEX widget_registrations_token ON widget_registrations (token) WHERE token IS NOT NULL;
CREATE INDEX start_targets_owner ON start_targets (subscriber, app, device) WHERE subscriber IS NOT NULL;
CREATE INDEX start_targets_token ON start_targets (token) WHERE token IS NOT NULL;
CREATE INDEX instances_owner ON instances (subscriber, app, name, sequence, id);
CREATE INDEX instances_device ON instances (app, device);
CREATE INDEX instances_launch ON instances (launch) WHERE launch IS NOT NULL;
CREATE INDEX instances_activity ON instances (app, activity_id) WHERE activity_id IS NOT NULL;
CREATE INDEX instances_token ON instances (token) WHERE token IS NOT NULL;
CREATE INDEX instances_open ON instances (phase, started_at)
    WHERE phase IN ('outstanding', 'unconfirmed', 'running');
CREATE INDEX resolutions_target ON resolutions (target);
CREATE INDEX deliveries_order ON deliveries (app, environment, rank, commit_number, subscriber, id)
    WHERE open = 1;
CREATE INDEX deliveries_owner ON deliveries (subscriber, app, id) WHERE open = 1;
CREATE INDEX deliveries_dispatching ON deliveries (id) WHERE status = 'dispatching';
CREATE INDEX deliveries_operation ON deliveries (operation);
CREATE INDEX deliveries_target ON deliveries (target) WHERE target IS NOT NULL;
CREATE INDEX deliveries_quota ON deliveries (quota_day, status) WHERE quota_day IS NOT NULL;
CREATE INDEX events_subject ON events (subject) WHERE subject IS NOT NULL;
COMMIT;
PRAGMA application_id = 1282102128;
PRAGMA user_version = 2;
