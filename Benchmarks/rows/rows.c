// The rows of the ledger by themselves, without Swift: what each of its transactions costs in one schema or another.
//
// usage: rows DATABASE SCHEMA.sql today|compact N [VARIANT ...]
//
// It plays the day of N subscribers as `Benchmarks/run` does: registrations, a first apply, the reports of what was
// started, an idle plan, an update of everybody; each with the statements of the program in batches of 500, full syncs
// and a log of the same size. It prints processor microseconds each, and at the end the bytes of each table and index.
//
// Variants of the compact rows that were given up, each with a schema of its own (see run): text: widgets and
// activities are keyed by the owner's text; one: an instance and its progress are one row; arrival: owners, devices and
// instances are numbered as they come; seeks: the ordered read is six look-ups for each owner, not six joins over all.
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { batch = 500, waves = 10 };
static const char *app = "com.example.courier";
static sqlite3 *db;
static int isCompact, usesText, isOneRow, isByArrival, usesStreams = 1;

// One subscriber with one widget, one activity and one phone, in the spelling of either schema.
typedef struct {
    char subscriber[24], key[40], device[40], activityID[40];
    unsigned char deviceBytes[16], activityBytes[16];
    char wgt[32], stt[32], widget[32], target[32], launch[32];
    unsigned char wgtBytes[16], sttBytes[16], widgetBytes[16], targetBytes[16], launchBytes[16];
    char tokens[3][65];
    unsigned char tokenBytes[3][32];
    char attributes[48], body[2][360], content[2][200], widgetBody[80];
    int64_t owner, phone, instance;
} Subscriber;
static Subscriber *all;
static int *byReport, *byWave, *byOwner, n;

static void fail(const char *what) { fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(db)); exit(1); }
static void execute(const char *sql) { if (sqlite3_exec(db, sql, 0, 0, 0)) fail(sql); }

static double processor(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1e-6 * (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// --- Statements

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, 0)) fail(sql);
    return statement;
}

// Binds values: i integer, t text, b 16 bytes, T 32 bytes, n NULL.
static void bindAll(sqlite3_stmt *statement, const char *kinds, va_list values) {
    sqlite3_reset(statement);
    for (int place = 1; *kinds; kinds++, place++) switch (*kinds) {
        case 'i': sqlite3_bind_int64(statement, place, va_arg(values, int64_t)); break;
        case 't': sqlite3_bind_text(statement, place, va_arg(values, char *), -1, SQLITE_STATIC); break;
        case 'b': sqlite3_bind_blob(statement, place, va_arg(values, void *), 16, SQLITE_STATIC); break;
        case 'T': sqlite3_bind_blob(statement, place, va_arg(values, void *), 32, SQLITE_STATIC); break;
        case 'n': sqlite3_bind_null(statement, place); break;
    }
}

static int64_t sink;
// Reads every column, as the program does.
static void readRow(sqlite3_stmt *statement) {
    int count = sqlite3_column_count(statement);
    for (int column = 0; column < count; column++) switch (sqlite3_column_type(statement, column)) {
        case SQLITE_INTEGER: sink += sqlite3_column_int64(statement, column); break;
        case SQLITE_NULL: break;
        default: {
            const char *bytes = sqlite3_column_blob(statement, column);
            if (bytes) sink += bytes[0] + sqlite3_column_bytes(statement, column);
        }
    }
}

static int stepRow(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE) fail(sqlite3_sql(statement));
    return code == SQLITE_ROW;
}

// Runs a statement to its end and returns how many rows it had.
static int run(sqlite3_stmt *statement, const char *kinds, ...) {
    va_list values;
    va_start(values, kinds);
    bindAll(statement, kinds, values);
    va_end(values);
    int rows = 0;
    for (; stepRow(statement); rows++) readRow(statement);
    sqlite3_reset(statement);
    return rows;
}
static void need(int found, int wanted, const char *what) {
    if (found != wanted) { fprintf(stderr, "%s: %d rows, not %d\n", what, found, wanted); exit(1); }
}

// The first column of a statement's only row; 0 where there is none.
static int64_t number(sqlite3_stmt *statement, const char *kinds, ...) {
    va_list values;
    va_start(values, kinds);
    bindAll(statement, kinds, values);
    va_end(values);
    int64_t found = stepRow(statement) ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_reset(statement);
    return found;
}

// One compiled form of each statement that stands in the source.
#define S(sql) ({ static sqlite3_stmt *kept; if (!kept) kept = prepare(sql); kept; })

// --- The world

static uint64_t seed = 88172645463325252ull;
static uint64_t chance(void) { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17;
    return seed * 2685821657736338717ull; }

static void shuffle(int *list, int count) {
    for (int i = count - 1; i > 0; i--) {
        int j = chance() % (i + 1), kept = list[i];
        list[i] = list[j]; list[j] = kept;
    }
}

static void spell(char *text, const char *prefix, const unsigned char *bytes) {
    static const char letters[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    char *out = text + sprintf(text, "%s", prefix);
    for (int place = 0; place < 26; place++) {
        int value = 0;
        for (int bit = 5 * place - 2; bit < 5 * place + 3; bit++)
            value = value << 1 | (bit < 0 ? 0 : bytes[bit / 8] >> (7 - bit % 8) & 1);
        *out++ = letters[value];
    }
    *out = 0;
}

// A ULID of a time; ids of one time count up from chance.
static void mint(unsigned char *bytes, char *text, const char *prefix, int64_t time) {
    static int64_t last;
    static uint64_t lower;
    if (time != last) { last = time; lower = chance(); }
    lower++;
    for (int i = 0; i < 6; i++) bytes[i] = time >> (40 - 8 * i);
    bytes[6] = time * 31 >> 3; bytes[7] = time * 17;
    for (int i = 0; i < 8; i++) bytes[8 + i] = lower >> (56 - 8 * i);
    spell(text, prefix, bytes);
}

static void uuid(unsigned char *bytes, char *text) {
    for (int i = 0; i < 16; i++) bytes[i] = chance() >> 32;
    char *out = text;
    for (int i = 0; i < 16; i++) out += sprintf(out, "%s%02X", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
        bytes[i]);
}

static int compareOwners(const void *left, const void *right) {
    return strcmp(all[*(const int *)left].subscriber, all[*(const int *)right].subscriber);
}
static int *order(void) {
    int *list = malloc(n * sizeof *list);
    for (int i = 0; i < n; i++) list[i] = i;
    return list;
}

static void makeWorld(void) {
    all = calloc(n, sizeof *all);
    byReport = order(); shuffle(byReport, n);
    byOwner = order();
    for (int i = 0; i < n; i++) {
        Subscriber *s = &all[i];
        sprintf(s->subscriber, "user_%010llu", (unsigned long long)(chance() % 10000000000ull));
        sprintf(s->key, "%s\x01", s->subscriber);
        uuid(s->deviceBytes, s->device);
        uuid(s->activityBytes, s->activityID);
        for (int t = 0; t < 3; t++) for (int b = 0; b < 32; b++) {
            s->tokenBytes[t][b] = chance() >> 32;
            sprintf(s->tokens[t] + 2 * b, "%02x", s->tokenBytes[t][b]);
        }
        sprintf(s->attributes, "{\"orderId\":\"%d\"}", i);
        sprintf(s->widgetBody, "{\"state\":{\"orders\":%d,\"savedMinutes\":%d},\"template\":\"stats@1\"}", i % 50,
            i % 1000);
        for (int p = 0; p < 2; p++) {
            char alert[96];
            sprintf(alert, "\"alert\":{\"body\":\"On its way\",\"sound\":\"default\",\"title\":\"Order %d\"}", i);
            sprintf(s->content[p], "{%s,\"state\":{\"courier\":\"Courier %d\",\"progress\":%s,\"status\":\"on its "
                "way\"}}",
                    alert, i % 97, p ? "0.75" : "0.5");
            sprintf(s->body[p], "{%s,\"attributes\":%s,\"attributesType\":\"DeliveryAttributes\",\"state\":"
                "{\"courier\":"
                    "\"Courier %d\",\"progress\":%s,\"status\":\"on its way\"},\"template\":\"delivery@3\"}",
                    alert, s->attributes, i % 97, p ? "0.75" : "0.5");
        }
    }
    qsort(byOwner, n, sizeof *byOwner, compareOwners);
    // Everybody comes in one of ten waves; in each, owners are committed in their order.
    byWave = malloc(n * sizeof *byWave);
    int at = 0;
    char *wave = malloc(n);
    for (int i = 0; i < n; i++) wave[i] = chance() % waves;
    for (int w = 0; w < waves; w++) for (int i = 0; i < n; i++) if (wave[byOwner[i]] == w) byWave[at++] = byOwner[i];
    free(wave);
}

static int64_t now = 1795000000000, step;
static int64_t deliveryNumber(int64_t ordinal) { return step << 24 | ordinal; }

// Every transaction of the program begins a step or reads it, and writes the fact.
static void begin(void) {
    execute("BEGIN IMMEDIATE");
    step++; now += 1000;
    run(S("INSERT INTO facts (key, value) VALUES ('commit', ?) ON CONFLICT (key) DO UPDATE SET value = "
        "excluded.value"), "i", step);
    if (isCompact) run(S("INSERT OR IGNORE INTO steps (number, run) VALUES (?, 1)"), "i", step);
}
static void commit(void) { execute("COMMIT"); }

static double began;
static int isFirst = 1;
static void start(void) { began = processor(); }
static void report(const char *name, int count) {
    printf("%s\"%s\": %.3f", isFirst ? "" : ", ", name, 1e6 * (processor() - began) / count);
    isFirst = 0;
    fflush(stdout);
}
#define EACH(list, i) for (int from = 0; from < n; from += batch) for (int begun = (begin(), 1); begun; begun = 0, \
    commit()) \
    for (int place = from, i; place < n && place < from + batch && (i = list[place], 1); place++)

// --- Columns, as the readers of the program have them

#define WIDGET "target, name, body, revision, changed_commit, changed_at"
#define ACTIVITY "name, body, life, revision, removed, changed_commit, adopted_life, alert_at"
#define REGISTRATION "id, token, environment, kinds, os, at, reloaded_commit, owes_reload, rejected_revision, " \
    "rejected_token_at, reloaded_at"
#define START "id, attributes_type, token, environment, os, at, frequent_pushes, templates"
#define INSTANCE "id, launch, name, device, origin, attributes_type, attributes, template, life, sequence, " \
    "replaces, phase, closure, ending, " \
    "activity_id, token, token_at, environment, os, started_at, registered_at, revision, shown, rejected_revision, " \
        "rejected_token_at, " \
    "start_expires_at, inferred, updated_at, start_target, last_timestamp"
#define DELIVERY "id, operation, kind, subscriber, app, device, target, registration, environment, status, open, " \
    "rank, commit_number, revision, " \
    "cost, quota_day, created_at, expires_after, not_before, dispatched_at, attempts, content, apns_id, " \
        "apns_status, apns_reason, note, answered_at"

// --- Today's rows

static void ingestToday(void) {
    for (int kind = 0; kind < 2; kind++) EACH(byReport, i) {
        Subscriber *s = &all[i];
        const char *token = s->tokens[kind];
        int known = run(S("SELECT subscriber, owner_since, last_report FROM devices WHERE app = ? AND device = ?"),
            "tt", app, s->device);
        run(S("SELECT " REGISTRATION " FROM widget_registrations WHERE app = ? AND device = ?"), "tt", app, s->device);
        if (known) run(S("SELECT " DELIVERY " FROM deliveries WHERE open = 1 AND subscriber = ? AND app = ? AND "
            "registration = ? ORDER BY id"), "ttt", s->subscriber, app, s->wgt);
        run(S("SELECT " START " FROM start_targets WHERE app = ? AND device = ? ORDER BY attributes_type"), "tt", app,
            s->device);
        run(S("SELECT subscriber, " INSTANCE " FROM instances WHERE app = ? AND device = ? AND phase IN ('queued', "
            "'outstanding', 'unconfirmed', 'running') ORDER BY id"), "tt", app, s->device);
        run(S("SELECT key FROM closed_early WHERE app = ? AND device = ?"), "tt", app, s->device);
        run(S("SELECT at FROM dead_tokens WHERE token = ?"), "t", token);
        run(S("SELECT app, device, subscriber, " REGISTRATION " FROM widget_registrations WHERE token = ?"), "t",
            token);
        run(S("SELECT app, device, subscriber, " START " FROM start_targets WHERE token = ?"), "t", token);
        if (known) run(S("UPDATE devices SET last_report = ? WHERE app = ? AND device = ?"), "itt", now, app,
            s->device);
        else run(S("INSERT INTO devices (app, device, subscriber, owner_since, last_report) VALUES (?, ?, ?, 0, ?)"),
            "ttti", app, s->device, s->subscriber, now);
        if (!kind) {
            mint(s->wgtBytes, s->wgt, "wgt_", now);
            run(S("INSERT INTO widget_registrations (app, device, id, subscriber, token, environment, kinds, os, at, "
                "reloaded_commit, reloaded_at, owes_reload) VALUES (?, ?, ?, ?, ?, 'production', '[\"Stats\"]', "
                "'26.1', ?, ?, 0, 0)"),
                "tttttii", app, s->device, s->wgt, s->subscriber, token, now, step);
        } else {
            mint(s->sttBytes, s->stt, "stt_", now);
            run(S("INSERT INTO start_targets (app, device, attributes_type, id, subscriber, token, environment, os, "
                "at, frequent_pushes) VALUES (?, ?, 'DeliveryAttributes', ?, ?, ?, 'production', '26.1', ?, 1)"),
                "tttttii", app, s->device, s->stt, s->subscriber, token, now);
        }
    }
}

static char (*operations)[32], (*deliveries)[32];
static void mintPush(char *operation, char *delivery) {
    unsigned char bytes[16];
    mint(bytes, operation, "op_", now);
    mint(bytes, delivery, "dlv_", now);
}
static void insertPushToday(const Subscriber *s, const char *operation, const char *delivery, const char *kind,
    const char *target, const char *registration, int rank, int64_t revision) {
    run(S("INSERT INTO operations (id, kind, subscriber, app, run, commit_number, created_at) VALUES (?, ?, ?, ?, "
        "'run_01M8Q8NDBG0000000000000001', ?, ?)"), "ttttii", operation, kind, s->subscriber, app, step, now);
    sqlite3_stmt *insert = S("INSERT INTO deliveries (id, operation, kind, app, device, target, registration, "
        "commit_number, created_at, expires_after, subscriber, environment, status, open, rank, revision, cost, "
        "quota_day, not_before, dispatched_at, attempts, content, apns_id, apns_status, apns_reason, note, answered_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, 'production', 'queued', 1, ?, ?, 1, NULL, 0, NULL, 0, NULL, "
            "NULL, NULL, NULL, NULL, NULL)");
    if (!target) run(insert, "tttttntiitii", delivery, operation, kind, app, s->device, registration, step, now,
        s->subscriber, (int64_t)rank, revision);
    else if (!registration) run(insert, "ttttttniitii", delivery, operation, kind, app, s->device, target, step, now,
        s->subscriber, (int64_t)rank, revision);
    else run(insert, "tttttttiitii", delivery, operation, kind, app, s->device, target, registration, step, now,
        s->subscriber, (int64_t)rank, revision);
}

static void launchToday(void) {
    operations = malloc(n * 2 * sizeof *operations); deliveries = malloc(n * 2 * sizeof *deliveries);
    int64_t sequence = 0;
    EACH(byWave, i) {
        Subscriber *s = &all[i];
        mint(s->widgetBytes, s->widget, "tgt_", now);
        run(S("INSERT INTO widgets (subscriber, app, name, target, body, revision, changed_commit, changed_at) "
            "VALUES (?, ?, 'Stats', ?, ?, 1, ?, ?)"), "ttttii", s->subscriber, app, s->widget, s->widgetBody, step,
            now);
        run(S("INSERT INTO activities (subscriber, app, name, body, life, revision, changed_commit, removed, "
            "adopted_life, alert_at) VALUES (?, ?, 'order', ?, 1, 1, ?, 0, 0, ?)"), "tttii", s->subscriber, app,
            s->body[0], step, now);
        mint(s->targetBytes, s->target, "tgt_", now);
        mint(s->launchBytes, s->launch, "lrq_", now);
        run(S("INSERT INTO instances (id, launch, app, device, attributes_type, sequence, start_target, subscriber, "
            "name, origin, attributes, template, life, phase, environment, os, token_at, started_at, "
            "start_expires_at, registered_at, updated_at, last_timestamp, inferred, revision)"
            " VALUES (?, ?, ?, ?, 'DeliveryAttributes', ?, ?, ?, 'order', 'remote', ?, 'delivery@3', 1, 'queued', "
                "'production', '26.1', 0, 0, 0, 0, 0, 0, 0, 1)"),
            "ttttittt", s->target, s->launch, app, s->device, ++sequence, s->stt, s->subscriber, s->attributes);
        mintPush(operations[i], deliveries[i]);
        insertPushToday(s, operations[i], deliveries[i], "start", s->target, s->stt, 1, 1);
        mintPush(operations[n + i], deliveries[n + i]);
        insertPushToday(s, operations[n + i], deliveries[n + i], "reload", 0, s->wgt, 3, step);
        run(S("INSERT OR IGNORE INTO unpublished (subscriber, app) VALUES (?, ?)"), "tt", s->subscriber, app);
    }
}

// The next batch of what is due; all of it is read, and the places go on from the last one.
typedef struct { int64_t rank, step, number; char subscriber[24], id[32]; } Place;
static int dueToday(Place *place) {
    sqlite3_stmt *due = S("SELECT " DELIVERY ", (SELECT name FROM instances WHERE id = deliveries.target) FROM "
        "deliveries WHERE app = ? AND environment = 'production' AND open = 1"
        " AND (rank, commit_number, subscriber, id) > (?, ?, ?, ?) AND not_before <= ? AND (status = 'queued' AND "
            "kind IN ('start', 'update', 'end', 'reload') OR status = 'unknown' AND kind IN ('update', 'end', "
            "'reload')) ORDER BY rank, commit_number, subscriber, id LIMIT 500");
    sqlite3_reset(due);
    sqlite3_bind_text(due, 1, app, -1, SQLITE_STATIC);
    sqlite3_bind_int64(due, 2, place->rank); sqlite3_bind_int64(due, 3, place->step);
    sqlite3_bind_text(due, 4, place->subscriber, -1, SQLITE_TRANSIENT); sqlite3_bind_text(due, 5, place->id, -1,
        SQLITE_TRANSIENT);
    sqlite3_bind_int64(due, 6, now);
    int rows = 0;
    for (; stepRow(due); rows++) {
        readRow(due);
        strcpy(place->id, (char *)sqlite3_column_text(due, 0)); strcpy(place->subscriber,
            (char *)sqlite3_column_text(due, 3));
        place->rank = sqlite3_column_int64(due, 11); place->step = sqlite3_column_int64(due, 12);
    }
    sqlite3_reset(due);
    return rows;
}

static sqlite3_stmt *instanceToday(void) { return S("SELECT " INSTANCE " FROM instances WHERE id = ?"); }
static void dispatchStartToday(int i) {
    Subscriber *s = &all[i];
    need(run(instanceToday(), "t", s->target), 1, "instance");
    need(run(S("SELECT " ACTIVITY " FROM activities WHERE subscriber = ? AND app = ? AND name = ?"), "ttt",
        s->subscriber, app, "order"), 1, "activity");
    need(run(S("SELECT " START " FROM start_targets WHERE app = ? AND device = ? AND attributes_type = ?"), "ttt", app,
        s->device, "DeliveryAttributes"), 1, "start target");
    run(S("SELECT " INSTANCE " FROM instances WHERE subscriber = ? AND app = ? AND name = ? AND device = ? AND life "
        "= 1 AND id <> ?"), "ttttt", s->subscriber, app, "order", s->device, s->target);
    run(S("UPDATE deliveries SET status = 'dispatching', dispatched_at = ?, attempts = 1, content = ? WHERE id = ?"),
        "itt", now, s->content[0], deliveries[i]);
    run(S("UPDATE instances SET phase = 'outstanding', started_at = ?, start_expires_at = ?, last_timestamp = ?, "
        "shown = ? WHERE id = ?"), "iiitt", now, now + 3600000, now / 1000, s->content[0], s->target);
}
static void settleStartToday(int i) {
    need(run(instanceToday(), "t", all[i].target), 1, "instance");
    run(S("UPDATE deliveries SET status = 'accepted', open = 0, apns_id = ?, apns_status = 200, answered_at = ? "
        "WHERE id = ?"), "tit", all[i].device, now, deliveries[i]);
}
static sqlite3_stmt *registrationToday(void) { return S("SELECT " REGISTRATION " FROM widget_registrations WHERE id "
    "= ?"); }
static void dispatchReloadToday(int i) {
    need(run(registrationToday(), "t", all[i].wgt), 1, "registration");
    run(S("UPDATE deliveries SET status = 'dispatching', revision = ?, dispatched_at = ?, attempts = 1 WHERE id = ?"),
        "iit", step, now, deliveries[n + i]);
}
static void settleReloadToday(int i) {
    need(run(registrationToday(), "t", all[i].wgt), 1, "registration");
    run(S("UPDATE widget_registrations SET reloaded_commit = ?, reloaded_at = ? WHERE app = ? AND device = ?"), "iitt",
        step, now, app, all[i].device);
    run(S("UPDATE deliveries SET status = 'accepted', open = 0, apns_id = ?, apns_status = 200, answered_at = ? "
        "WHERE id = ?"), "tit", all[i].device, now, deliveries[n + i]);
}
static void registerActivityToday(int i) {
    Subscriber *s = &all[i];
    need(run(S("SELECT subscriber, owner_since, last_report FROM devices WHERE app = ? AND device = ?"), "tt", app,
        s->device), 1, "device");
    run(S("SELECT " REGISTRATION " FROM widget_registrations WHERE app = ? AND device = ?"), "tt", app, s->device);
    run(S("SELECT " DELIVERY " FROM deliveries WHERE open = 1 AND subscriber = ? AND app = ? AND registration = ? "
        "ORDER BY id"), "ttt", s->subscriber, app, s->wgt);
    run(S("SELECT " START " FROM start_targets WHERE app = ? AND device = ? ORDER BY attributes_type"), "tt", app,
        s->device);
    need(run(S("SELECT subscriber, " INSTANCE " FROM instances WHERE app = ? AND device = ? AND phase IN ('queued', "
        "'outstanding', 'unconfirmed', 'running') ORDER BY id"), "tt", app, s->device), 1, "instances");
    run(S("SELECT subscriber, " INSTANCE " FROM instances WHERE app = ? AND activity_id = ? ORDER BY id"), "tt", app,
        s->activityID);
    need(run(S("SELECT subscriber, " INSTANCE " FROM instances WHERE launch = ? ORDER BY id"), "t", s->launch), 1,
        "launch");
    run(S("SELECT " DELIVERY " FROM deliveries WHERE target = ? AND (open = 1 OR kind = 'start' AND status = "
        "'unknown')"), "t", s->target);
    run(S("SELECT key FROM closed_early WHERE app = ? AND device = ?"), "tt", app, s->device);
    run(S("SELECT at FROM dead_tokens WHERE token = ?"), "t", s->tokens[2]);
    run(S("UPDATE devices SET last_report = ? WHERE app = ? AND device = ?"), "itt", now, app, s->device);
    run(S("UPDATE instances SET phase = 'running', activity_id = ?, token = ?, token_at = ?, registered_at = ? WHERE "
        "id = ?"), "ttiit", s->activityID, s->tokens[2], now, now, s->target);
    run(S("INSERT INTO resolutions (launch, resolution, target, at, run) VALUES (?, 'adopted', ?, ?, NULL) ON "
        "CONFLICT (launch, target, resolution) DO NOTHING"), "tti", s->launch, s->target, now);
    char text[128];
    sprintf(text, "on device %s: the device reported its launch", s->device);
    run(S("INSERT INTO events (at, run, kind, subscriber, app, subject, text) VALUES (?, NULL, 'adopted', ?, ?, ?, "
        "?)"), "itttt", now, s->subscriber, app, s->launch, text);
}
static void commitUpdateToday(int i) {
    Subscriber *s = &all[i];
    sqlite3_stmt *body = S("UPDATE activities SET body = ?, revision = ?, changed_commit = ? WHERE subscriber = ? "
        "AND app = ? AND name = ?");
    run(body, "tiittt", s->body[1], (int64_t)2, step, s->subscriber, app, "order");
    run(S("UPDATE instances SET revision = ? WHERE id = ?"), "it", (int64_t)2, s->target);
    mintPush(operations[i], deliveries[i]);
    insertPushToday(s, operations[i], deliveries[i], "update", s->target, 0, 2, 2);
}
static void dispatchUpdateToday(int i) {
    Subscriber *s = &all[i];
    need(run(instanceToday(), "t", s->target), 1, "instance");
    need(run(S("SELECT " ACTIVITY " FROM activities WHERE subscriber = ? AND app = ? AND name = ?"), "ttt",
        s->subscriber, app, "order"), 1, "activity");
    need(run(S("SELECT " START " FROM start_targets WHERE app = ? AND device = ? AND attributes_type = ?"), "ttt", app,
        s->device, "DeliveryAttributes"), 1, "start target");
    run(S("UPDATE deliveries SET status = 'dispatching', dispatched_at = ?, attempts = 1, content = ? WHERE id = ?"),
        "itt", now, s->content[1], deliveries[i]);
    run(S("UPDATE instances SET last_timestamp = ? WHERE id = ?"), "it", now / 1000, s->target);
}
static void settleUpdateToday(int i) {
    settleStartToday(i);
    run(S("UPDATE instances SET updated_at = ?, shown = ? WHERE id = ?"), "itt", now, all[i].content[1], all[i].target);
}

static int readToday(void) {
    static const char *statements[] = {
        "SELECT subscriber, app, " WIDGET " FROM widgets WHERE subscriber >= ? AND subscriber <= ? AND 1 ORDER BY "
            "subscriber, app, name",
        "SELECT subscriber, app, " ACTIVITY " FROM activities WHERE subscriber >= ? AND subscriber <= ? AND 1 ORDER "
            "BY subscriber, app, name",
        "SELECT subscriber, app, device, " REGISTRATION " FROM widget_registrations WHERE subscriber >= ? AND "
            "subscriber <= ? AND subscriber IS NOT NULL ORDER BY subscriber, app, device",
        "SELECT subscriber, app, device, " START " FROM start_targets WHERE subscriber >= ? AND subscriber <= ? AND "
            "subscriber IS NOT NULL ORDER BY subscriber, app, device",
        "SELECT subscriber, app, " INSTANCE " FROM instances WHERE subscriber >= ? AND subscriber <= ? AND 1 ORDER "
            "BY subscriber, app, name, sequence, id",
        "SELECT subscriber, app, " DELIVERY " FROM deliveries WHERE subscriber >= ? AND subscriber <= ? AND open = 1 "
            "ORDER BY subscriber, app, id",
    };
    sqlite3_stmt *streams[6];
    int isOpen[6], rows = 0;
    for (int k = 0; k < 6; k++) {
        streams[k] = prepare(statements[k]);
        sqlite3_bind_text(streams[k], 1, "", -1, SQLITE_STATIC);
        sqlite3_bind_text(streams[k], 2, "\xF4\x8F\xBF\xBF", -1, SQLITE_STATIC);
        isOpen[k] = stepRow(streams[k]);
    }
    for (;;) {
        char owner[24] = "", *least = 0;
        for (int k = 0; k < 6; k++) if (isOpen[k]) {
            char *text = (char *)sqlite3_column_text(streams[k], 0);
            if (!least || strcmp(text, least) < 0) least = text;
        }
        if (!least) break;
        strcpy(owner, least);
        for (int k = 0; k < 6; k++)
            for (; isOpen[k] && !strcmp((char *)sqlite3_column_text(streams[k], 0), owner);
                isOpen[k] = stepRow(streams[k])) {
                readRow(streams[k]);
                rows++;
            }
    }
    for (int k = 0; k < 6; k++) sqlite3_finalize(streams[k]);
    return rows;
}

// --- Compact rows

#define CWIDGET "target, name, body, revision, changed_step, changed_at"
#define CACTIVITY "name, body, life, revision, removed, changed_step, adopted_life, alert_at"
#define CREGISTRATION "r.id, r.token, r.environment, r.kinds, r.os, r.at, r.reloaded_step, r.owes_reload, " \
    "r.rejected_revision, r.rejected_token_at, r.reloaded_at"
#define CSTART "s.id, s.attributes_type, s.token, s.environment, s.os, s.at, s.frequent_pushes, s.templates"
#define CINSTANCE "i.number, i.id, i.launch, i.name, v.id, i.origin, i.attributes_type, i.attributes, i.template, " \
    "i.life, i.sequence, i.replaces, " \
    "i.phase, i.closure, i.ending, i.activity_id, i.token, i.token_at, i.environment, i.os, i.started_at, " \
        "i.registered_at, p.revision, p.shown, " \
    "p.rejected_revision, p.rejected_token_at, i.start_expires_at, i.inferred, p.updated_at, i.start_target, " \
        "p.last_timestamp, i.owner, i.device"
#define CFROM " FROM instances AS i JOIN progress AS p ON p.instance = i.number JOIN devices AS v ON v.number = " \
    "i.device "
#define CFROMONE " FROM instances AS i JOIN instances AS p ON p.number = i.number JOIN devices AS v ON v.number = " \
    "i.device "
#define CDELIVERY "d.number, d.operation, d.kind, d.owner, o.subscriber, o.app, d.device, v.id, d.instance, i.id, " \
    "i.name, d.environment, d.status, d.rank, d.revision, " \
    "d.cost, d.quota_day, d.created_at, d.expires_after, d.not_before, d.dispatched_at, d.attempts, d.content, " \
        "d.apns_id, d.apns_status, " \
    "d.apns_reason, d.note, d.answered_at, d.id, d.operation_id, coalesce(i.start_target, (SELECT id FROM " \
        "widget_registrations WHERE device = d.device))"
#define CDELIVERIES " FROM open_deliveries AS d JOIN owners AS o ON o.number = d.owner JOIN devices AS v ON " \
    "v.number = d.device LEFT JOIN instances AS i ON i.number = d.instance "

static int64_t *numbers, crowded;
// Statements that name the progress of an instance, which may be part of its row.
#define P(split, one) (isOneRow ? S(one) : S(split))
static sqlite3_stmt *instanceCompact(void) {
    return P("SELECT " CINSTANCE CFROM "WHERE i.number = ?", "SELECT i.*, v.id FROM instances AS i JOIN devices AS v "
        "ON v.number = i.device WHERE i.number = ?");
}

// Numbers are places: a row that belongs to an owner takes the owner's number where it is free, else the next of all.
static int64_t freePlace(int64_t wanted, sqlite3_stmt *taken, sqlite3_stmt *next) {
    if (!isByArrival && !run(taken, "i", wanted)) return wanted;
    return number(next, "");
}
// A new owner lies half-way between its neighbours in the order of bytes; where there is no room, behind all.
static int64_t placeOfOwner(const Subscriber *s) {
    const int64_t first = 1ll << 40, gap = 1ll << 32;
    int64_t last = number(S("SELECT max(number) FROM owners"), "");
    if (isByArrival) return last + 1;
    int64_t low = number(S("SELECT number FROM owners WHERE (subscriber, app) < (?, ?) ORDER BY subscriber DESC, app "
        "DESC LIMIT 1"), "tt", s->subscriber, app);
    int64_t high = number(S("SELECT number FROM owners WHERE (subscriber, app) > (?, ?) ORDER BY subscriber, app "
        "LIMIT 1"), "tt", s->subscriber, app);
    if (!low && !high) return first;
    int64_t wanted = !low ? high - gap : !high ? low + gap : low < high ? low + (high - low) / 2 : low;
    if (!run(S("SELECT 1 FROM owners WHERE number = ?"), "i", wanted)) return wanted;
    crowded++;
    return last + gap;
}

static void ingestCompact(void) {
    run(S("INSERT INTO words (number, word) VALUES (1, ?), (2, '[\"Stats\"]'), (3, '26.1'), (4, "
        "'DeliveryAttributes'), (5, 'delivery@3'), (6, 'adopted')"), "t", app);
    for (int kind = 0; kind < 2; kind++) EACH(byReport, i) {
        Subscriber *s = &all[i];
        unsigned char *token = s->tokenBytes[kind];
        sqlite3_stmt *device = S("SELECT v.number, v.owner, o.subscriber, v.owner_since, v.last_report FROM devices "
            "AS v LEFT JOIN owners AS o ON o.number = v.owner WHERE v.id = ? AND v.app = 1");
        int known = run(device, "b", s->deviceBytes);
        int64_t phone = known ? s->phone : 0;
        run(S("SELECT " CREGISTRATION " FROM widget_registrations AS r WHERE r.device = ?"), "i", phone);
        if (known) run(S("SELECT " CDELIVERY CDELIVERIES "WHERE d.owner = ? AND d.device = ? AND d.kind = 3 ORDER BY "
            "d.number"), "ii", s->owner, phone);
        run(S("SELECT " CSTART " FROM start_targets AS s WHERE s.device = ?"), "i", phone);
        if (isOneRow) run(S("SELECT i.* FROM instances AS i WHERE i.device = ? AND i.phase < 4"), "i", phone);
        else run(S("SELECT " CINSTANCE CFROM "WHERE i.device = ? AND i.phase < 4"), "i", phone);
        run(S("SELECT key FROM closed_early WHERE device = ?"), "i", phone);
        run(S("SELECT at FROM dead_tokens WHERE token = ?"), "T", token);
        run(S("SELECT v.id, v.app, v.owner, " CREGISTRATION " FROM widget_registrations AS r JOIN devices AS v ON "
            "v.number = r.device WHERE substr(r.token, 1, 8) = substr(?1, 1, 8) AND r.token = ?1"), "T", token);
        run(S("SELECT v.id, v.app, v.owner, " CSTART " FROM start_targets AS s JOIN devices AS v ON v.number = "
            "s.device WHERE substr(s.token, 1, 8) = substr(?1, 1, 8) AND s.token = ?1"), "T", token);
        if (known) run(S("UPDATE devices SET last_report = ? WHERE number = ?"), "ii", now, phone);
        else {
            if (!run(S("SELECT number FROM owners WHERE subscriber = ? AND app = ?"), "tt", s->subscriber, app)) {
                s->owner = placeOfOwner(s);
                run(S("INSERT INTO owners (number, subscriber, app) VALUES (?, ?, ?)"), "itt", s->owner, s->subscriber,
                    app);
            }
            run(S("SELECT max(number) FROM devices WHERE owner = ?"), "i", s->owner);
            phone = s->phone = freePlace(s->owner, S("SELECT 1 FROM devices WHERE number = ?"), S("SELECT "
                "max(number) + 1 FROM devices"));
            run(S("INSERT INTO devices (number, app, id, owner, owner_since, last_report) VALUES (?, 1, ?, ?, 0, ?)"),
                "ibii", phone, s->deviceBytes, s->owner, now);
        }
        if (!kind) {
            mint(s->wgtBytes, s->wgt, "wgt_", now);
            run(S("INSERT INTO widget_registrations (device, id, token, environment, kinds, os, at, reloaded_step, "
                "reloaded_at, owes_reload) VALUES (?, ?, ?, 0, 2, 3, ?, ?, 0, 0)"), "ibTii", phone, s->wgtBytes, token,
                now, step);
        } else {
            mint(s->sttBytes, s->stt, "stt_", now);
            run(S("INSERT INTO start_targets (device, attributes_type, id, token, environment, os, at, "
                "frequent_pushes) VALUES (?, 4, ?, ?, 0, 3, ?, 1)"), "ibTi", phone, s->sttBytes, token, now);
        }
    }
}

static int64_t ordinal, ordinalStep;
static int64_t nextNumber(void) {
    if (ordinalStep != step) { ordinalStep = step; ordinal = 0; }
    return deliveryNumber(++ordinal);
}
static void insertPushCompact(const Subscriber *s, int at, int64_t kind, int64_t rank, int64_t revision) {
    numbers[at] = nextNumber();
    sqlite3_stmt *insert = S("INSERT INTO open_deliveries (number, operation, kind, owner, app, device, instance, "
        "environment, status, rank, revision, cost, created_at, not_before, attempts) VALUES (?, ?, ?, ?, 1, ?, ?, "
        "0, 0, ?, ?, 1, ?, 0, 0)");
    if (kind == 3) run(insert, "iiiiiniii", numbers[at], ordinal, kind, s->owner, s->phone, rank, revision, now);
    else run(insert, "iiiiiiiii", numbers[at], ordinal, kind, s->owner, s->phone, s->instance, rank, revision, now);
}

static void launchCompact(void) {
    numbers = malloc(2 * n * sizeof *numbers);
    int64_t sequence = 0;
    EACH(byWave, i) {
        Subscriber *s = &all[i];
        mint(s->widgetBytes, s->widget, "tgt_", now);
        sqlite3_stmt *widget = S("INSERT INTO widgets (owner, name, target, body, revision, changed_step, "
            "changed_at) VALUES (?, 'Stats', ?, ?, 1, ?, ?)");
        if (usesText) run(widget, "tbtii", s->key, s->widgetBytes, s->widgetBody, step, now); else run(widget, "ibtii",
            s->owner, s->widgetBytes, s->widgetBody, step, now);
        sqlite3_stmt *activity = S("INSERT INTO activities (owner, name, body, life, revision, changed_step, "
            "removed, adopted_life, alert_at) VALUES (?, 'order', ?, 1, 1, ?, 0, 0, ?)");
        if (usesText) run(activity, "ttii", s->key, s->body[0], step, now); else run(activity, "itii", s->owner,
            s->body[0], step, now);
        mint(s->targetBytes, s->target, "tgt_", now);
        mint(s->launchBytes, s->launch, "lrq_", now);
        s->instance = freePlace(s->owner, S("SELECT 1 FROM instances WHERE number = ?"), S("SELECT max(number) + 1 "
            "FROM instances"));
        run(S("INSERT INTO instances (number, id, launch, owner, name, device, origin, attributes_type, attributes, "
            "template, life, sequence, start_target, phase, token_at, environment, os, started_at, start_expires_at, "
            "registered_at, inferred) VALUES (?, ?, ?, ?, 'order', ?, 0, 4, ?, 5, 1, ?, ?, 0, 0, 0, 3, 0, 0, 0, 0)"),
            "ibbiitib", s->instance, s->targetBytes, s->launchBytes, s->owner, s->phone, s->attributes, ++sequence,
                s->sttBytes);
        if (!isOneRow) run(S("INSERT INTO progress (instance, revision, last_timestamp, updated_at) VALUES (?, 1, 0, "
            "0)"), "i", s->instance);
        insertPushCompact(s, i, 0, 1, 1);
        insertPushCompact(s, n + i, 3, 3, step);
        run(S("INSERT OR IGNORE INTO unpublished (owner) VALUES (?)"), "i", s->owner);
    }
}

// Within a rank the index finds the next number; a comparison of pairs would find the rank alone and step over the rest.
static int dueCompact(Place *place) {
    sqlite3_stmt *due = S("SELECT " CDELIVERY CDELIVERIES "WHERE d.app = 1 AND d.environment = 0 AND d.rank = ? AND "
        "d.number > ? AND d.not_before <= ? AND (d.status = 0 OR d.status = 4 AND d.kind <> 0) "
        "ORDER BY d.number LIMIT ?");
    int rows = 0;
    for (;;) {
        sqlite3_reset(due);
        sqlite3_bind_int64(due, 1, place->rank);
        sqlite3_bind_int64(due, 2, place->number);
        sqlite3_bind_int64(due, 3, now);
        sqlite3_bind_int64(due, 4, batch - rows);
        for (; stepRow(due); rows++) {
            readRow(due);
            place->number = sqlite3_column_int64(due, 0);
        }
        sqlite3_reset(due);
        if (rows == batch) return rows;
        int64_t next = number(S("SELECT rank FROM open_deliveries WHERE app = 1 AND environment = 0 AND rank > ? "
            "ORDER BY rank LIMIT 1"), "i", place->rank);
        if (!next) return rows;
        *place = (Place){ .rank = next };
    }
}
static sqlite3_stmt *activityCompact(void) { return S("SELECT " CACTIVITY " FROM activities WHERE owner = ? AND name "
    "= ?"); }
static void readForDispatch(int i) {
    Subscriber *s = &all[i];
    need(run(instanceCompact(), "i", s->instance), 1, "instance");
    need(usesText ? run(activityCompact(), "tt", s->key, "order") : run(activityCompact(), "it", s->owner, "order"), 1,
        "activity");
    need(run(S("SELECT " CSTART " FROM start_targets AS s WHERE s.device = ? AND s.attributes_type = 4"), "i",
        s->phone), 1, "start target");
}
static void dispatchStartCompact(int i) {
    Subscriber *s = &all[i];
    readForDispatch(i);
    if (isOneRow) run(S("SELECT i.* FROM instances AS i WHERE i.owner = ? AND i.name = ? AND i.device = ? AND i.life "
        "= 1 AND i.number <> ?"), "itii", s->owner, "order", s->phone, s->instance);
    else run(S("SELECT " CINSTANCE CFROM "WHERE i.owner = ? AND i.name = ? AND i.device = ? AND i.life = 1 AND "
        "i.number <> ?"), "itii", s->owner, "order", s->phone, s->instance);
    run(S("UPDATE open_deliveries SET status = 1, dispatched_at = ?, attempts = 1, content = ? WHERE number = ?"),
        "iti", now, s->content[0], numbers[i]);
    run(S("UPDATE instances SET phase = 1, started_at = ?, start_expires_at = ? WHERE number = ?"), "iii", now,
        now + 3600000, s->instance);
    run(P("UPDATE progress SET last_timestamp = ?, shown = ? WHERE instance = ?", "UPDATE instances SET "
        "last_timestamp = ?, shown = ? WHERE number = ?"), "iti", now / 1000, s->content[0], s->instance);
}
// What is settled leaves the open deliveries: the values were read with it.
static void finish(const Subscriber *s, int at, int64_t kind, int64_t rank, int64_t revision) {
    sqlite3_stmt *insert = S("INSERT INTO finished_deliveries (number, operation, kind, owner, device, instance, "
        "environment, status, rank, revision, cost, created_at, not_before, dispatched_at, attempts, apns_id, "
        "apns_status, answered_at) VALUES (?, ?, ?, ?, ?, ?, 0, 2, ?, ?, 1, ?, 0, ?, 1, ?, 200, ?)");
    int64_t number = numbers[at], operation = number & 0xFFFFFF;
    if (kind == 3) run(insert, "iiiiiniiiibi", number, operation, kind, s->owner, s->phone, rank, revision, now - 9000,
        now - 500, s->deviceBytes, now);
    else run(insert, "iiiiiiiiiibi", number, operation, kind, s->owner, s->phone, s->instance, rank, revision,
        now - 9000, now - 500, s->deviceBytes, now);
    run(S("DELETE FROM open_deliveries WHERE number = ?"), "i", number);
}
static void settleStartCompact(int i) {
    need(run(instanceCompact(), "i", all[i].instance), 1, "instance");
    finish(&all[i], i, 0, 1, 1);
}
static sqlite3_stmt *registrationCompact(void) { return S("SELECT " CREGISTRATION " FROM widget_registrations AS r "
    "WHERE r.device = ?"); }
static void dispatchReloadCompact(int i) {
    need(run(registrationCompact(), "i", all[i].phone), 1, "registration");
    run(S("UPDATE open_deliveries SET status = 1, revision = ?, dispatched_at = ?, attempts = 1 WHERE number = ?"),
        "iii", step, now, numbers[n + i]);
}
static void settleReloadCompact(int i) {
    need(run(registrationCompact(), "i", all[i].phone), 1, "registration");
    run(S("UPDATE widget_registrations SET reloaded_step = ?, reloaded_at = ? WHERE device = ?"), "iii", step, now,
        all[i].phone);
    finish(&all[i], n + i, 3, 3, step);
}
static void registerActivityCompact(int i) {
    Subscriber *s = &all[i];
    need(run(S("SELECT v.number, v.owner, o.subscriber, v.owner_since, v.last_report FROM devices AS v LEFT JOIN "
        "owners AS o ON o.number = v.owner WHERE v.id = ? AND v.app = 1"), "b", s->deviceBytes), 1, "device");
    run(registrationCompact(), "i", s->phone);
    run(S("SELECT " CDELIVERY CDELIVERIES "WHERE d.owner = ? AND d.device = ? AND d.kind = 3 ORDER BY d.number"), "ii",
        s->owner, s->phone);
    run(S("SELECT " CSTART " FROM start_targets AS s WHERE s.device = ?"), "i", s->phone);
    if (isOneRow) {
        need(run(S("SELECT i.* FROM instances AS i WHERE i.device = ? AND i.phase < 4"), "i", s->phone), 1,
            "instances");
        run(S("SELECT i.* FROM instances AS i WHERE i.activity_id = ?"), "b", s->activityBytes);
        need(run(S("SELECT i.* FROM instances AS i WHERE i.launch = ?"), "b", s->launchBytes), 1, "launch");
    } else {
        need(run(S("SELECT " CINSTANCE CFROM "WHERE i.device = ? AND i.phase < 4"), "i", s->phone), 1, "instances");
        run(S("SELECT " CINSTANCE CFROM "WHERE i.activity_id = ?"), "b", s->activityBytes);
        need(run(S("SELECT " CINSTANCE CFROM "WHERE i.launch = ?"), "b", s->launchBytes), 1, "launch");
    }
    run(S("SELECT " CDELIVERY CDELIVERIES "WHERE d.owner = ? AND d.instance = ?"), "ii", s->owner, s->instance);
    run(S("SELECT * FROM finished_deliveries WHERE instance = ? AND kind = 0 AND status = 4"), "i", s->instance);
    run(S("SELECT key FROM closed_early WHERE device = ?"), "i", s->phone);
    run(S("SELECT at FROM dead_tokens WHERE token = ?"), "T", s->tokenBytes[2]);
    run(S("UPDATE devices SET last_report = ? WHERE number = ?"), "ii", now, s->phone);
    run(S("UPDATE instances SET phase = 3, activity_id = ?, token = ?, token_at = ?, registered_at = ? WHERE number "
        "= ?"), "bTiii", s->activityBytes, s->tokenBytes[2], now, now, s->instance);
    run(S("INSERT INTO resolutions (instance, resolution, at) VALUES (?, 0, ?) ON CONFLICT DO NOTHING"), "ii",
        s->instance, now);
    unsigned char subject[17] = { 4 };
    memcpy(subject + 1, s->launchBytes, 16);
    sqlite3_stmt *event = S("INSERT INTO events (at, kind, owner, device, subject) VALUES (?, 6, ?, ?, ?)");
    sqlite3_bind_blob(event, 4, subject, 17, SQLITE_STATIC);
    run(event, "iii", now, s->owner, s->phone);
}
static void commitUpdateCompact(int i) {
    Subscriber *s = &all[i];
    sqlite3_stmt *body = S("UPDATE activities SET body = ?, revision = ?, changed_step = ? WHERE owner = ? AND name "
        "= ?");
    if (usesText) run(body, "tiitt", s->body[1], (int64_t)2, step, s->key, "order");
    else run(body, "tiiit", s->body[1], (int64_t)2, step, s->owner, "order");
    run(P("UPDATE progress SET revision = ? WHERE instance = ?", "UPDATE instances SET revision = ? WHERE number = ?"),
        "ii", (int64_t)2, s->instance);
    insertPushCompact(s, i, 1, 2, 2);
}
static void dispatchUpdateCompact(int i) {
    Subscriber *s = &all[i];
    readForDispatch(i);
    run(S("UPDATE open_deliveries SET status = 1, dispatched_at = ?, attempts = 1, content = ? WHERE number = ?"),
        "iti", now, s->content[1], numbers[i]);
    run(P("UPDATE progress SET last_timestamp = ? WHERE instance = ?", "UPDATE instances SET last_timestamp = ? "
        "WHERE number = ?"), "ii", now / 1000, s->instance);
}
static void settleUpdateCompact(int i) {
    Subscriber *s = &all[i];
    need(run(instanceCompact(), "i", s->instance), 1, "instance");
    finish(s, i, 1, 2, 2);
    run(P("UPDATE progress SET updated_at = ?, shown = ? WHERE instance = ?", "UPDATE instances SET updated_at = ?, "
        "shown = ? WHERE number = ?"), "iti", now, s->content[1], s->instance);
}

// All owners in their order; of each, what it has.
static int readCompact(void) {
    static const char *statements[] = {
        "SELECT " CWIDGET " FROM widgets WHERE owner = ?",
        "SELECT " CACTIVITY " FROM activities WHERE owner = ?",
        "SELECT v.id, " CREGISTRATION " FROM devices AS v JOIN widget_registrations AS r ON r.device = v.number "
            "WHERE v.owner = ?",
        "SELECT v.id, " CSTART " FROM devices AS v JOIN start_targets AS s ON s.device = v.number WHERE v.owner = ?",
        "SELECT " CINSTANCE CFROM "WHERE i.owner = ?",
        "SELECT " CDELIVERY CDELIVERIES "WHERE d.owner = ?",
    };
    static const char *joined[] = {
        "SELECT o.number, o.subscriber, o.app, " CWIDGET " FROM owners AS o CROSS JOIN widgets AS w ON w.owner = "
            "o.number ORDER BY o.subscriber, o.app",
        "SELECT o.number, o.subscriber, o.app, " CACTIVITY " FROM owners AS o CROSS JOIN activities AS a ON a.owner "
            "= o.number ORDER BY o.subscriber, o.app",
        "SELECT o.number, o.subscriber, o.app, v.id, " CREGISTRATION " FROM owners AS o CROSS JOIN devices AS v ON "
            "v.owner = o.number CROSS JOIN widget_registrations AS r ON r.device = v.number ORDER BY o.subscriber, "
            "o.app",
        "SELECT o.number, o.subscriber, o.app, v.id, " CSTART " FROM owners AS o CROSS JOIN devices AS v ON v.owner "
            "= o.number CROSS JOIN start_targets AS s ON s.device = v.number ORDER BY o.subscriber, o.app",
        "SELECT o.number, o.subscriber, o.app, " CINSTANCE " FROM owners AS o CROSS JOIN instances AS i ON i.owner = "
            "o.number CROSS JOIN progress AS p ON p.instance = i.number CROSS JOIN devices AS v ON v.number = "
            "i.device ORDER BY o.subscriber, o.app",
        "SELECT o.number, " CDELIVERY " FROM owners AS o CROSS JOIN open_deliveries AS d ON d.owner = o.number CROSS "
            "JOIN devices AS v ON v.number = d.device LEFT JOIN instances AS i ON i.number = d.instance ORDER BY "
            "o.subscriber, o.app",
    };
    sqlite3_stmt *owners = prepare("SELECT number, subscriber, app FROM owners WHERE subscriber >= '' ORDER BY "
        "subscriber, app");
    sqlite3_stmt *each[6];
    int rows = 0, isOpen[6];
    for (int k = 0; k < 6; k++) {
        const char *one = "SELECT i.*, v.id FROM instances AS i JOIN devices AS v ON v.number = i.device WHERE "
            "i.owner = ?";
        each[k] = prepare(usesStreams ? joined[k] : isOneRow && k == 4 ? one : statements[k]);
        if (usesStreams) isOpen[k] = stepRow(each[k]);
    }
    char key[40];
    while (stepRow(owners)) {
        readRow(owners);
        int64_t owner = sqlite3_column_int64(owners, 0);
        if (usesText) sprintf(key, "%s\x01", sqlite3_column_text(owners, 1));
        for (int k = 0; k < 6; k++)
            if (usesStreams) for (; isOpen[k] && sqlite3_column_int64(each[k], 0) == owner;
                isOpen[k] = stepRow(each[k]), rows++) readRow(each[k]);
            else rows += usesText && k < 2 ? run(each[k], "t", key) : run(each[k], "i", owner);
    }
    for (int k = 0; k < 6; k++) sqlite3_finalize(each[k]);
    sqlite3_finalize(owners);
    return rows;
}

// --- The day

static void send(const char *what, int *list, void (*dispatch)(int), void (*settle)(int), int64_t rank) {
    char name[64];
    Place place = { .rank = rank - 1, .step = INT64_MAX, .number = INT64_MAX };
    start();
    int sent = 0;
    while (sent < n) {
        begin();
        int found = isCompact ? dueCompact(&place) : dueToday(&place);
        need(found, n - sent < batch ? n - sent : batch, "due");
        for (int k = 0; k < found; k++) dispatch(list[sent + k]);
        sent += found;
        commit();
    }
    sprintf(name, "%s dispatch", what);
    report(name, n);
    start();
    EACH(list, i) settle(i);
    sprintf(name, "%s settle", what);
    report(name, n);
}

static void openDatabase(const char *path, int isReader) {
    int access = isReader ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_NOMUTEX | access, 0)) fail(path);
    execute("PRAGMA foreign_keys = ON");
    if (!isReader) execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32000; PRAGMA "
        "wal_autocheckpoint = 8000");
}

static char *contents(const char *path) {
    FILE *file = fopen(path, "r");
    struct stat facts;
    if (!file || stat(path, &facts)) { perror(path); exit(1); }
    char *text = calloc(facts.st_size + 1, 1);
    if (fread(text, 1, facts.st_size, file) != (size_t)facts.st_size) exit(1);
    fclose(file);
    return text;
}

int main(int count, char **arguments) {
    if (count < 5) { fprintf(stderr, "usage: rows DATABASE SCHEMA.sql today|compact N [text] [one] [arrival] "
        "[seeks]\n"); return 64; }
    isCompact = !strcmp(arguments[3], "compact");
    n = atoi(arguments[4]);
    if (n < batch || n % batch) { fprintf(stderr, "N is a multiple of %d\n", batch); return 64; }
    for (int k = 5; k < count; k++) {
        usesText |= !strcmp(arguments[k], "text"); isOneRow |= !strcmp(arguments[k], "one");
            isByArrival |= !strcmp(arguments[k], "arrival"); usesStreams &= strcmp(arguments[k], "seeks") != 0;
    }
    makeWorld();
    openDatabase(arguments[1], 0);
    execute("BEGIN"); execute(contents(arguments[2])); execute("COMMIT");
    if (isCompact) execute("INSERT INTO runs VALUES (1, 'run_01M8Q8NDBG0000000000000001', 'apply', 'host', 'user', "
        "1, NULL, 1, NULL, NULL)");
    else execute("INSERT INTO runs VALUES ('run_01M8Q8NDBG0000000000000001', 'apply', 'host', 'user', 1, NULL, 1, "
        "NULL, NULL)");
    printf("{");
    start();
    if (isCompact) ingestCompact(); else ingestToday();
    report("registration report", 2 * n);
    start();
    if (isCompact) launchCompact(); else launchToday();
    report("start and reload commit", 2 * n);
    // The order of sending is that of the steps, and within one that of the owners: that of the waves.
    if (isCompact) { send("start", byWave, dispatchStartCompact, settleStartCompact, 1); send("reload", byWave,
        dispatchReloadCompact, settleReloadCompact, 3); }
    else { send("start", byWave, dispatchStartToday, settleStartToday, 1); send("reload", byWave, dispatchReloadToday,
        settleReloadToday, 3); }
    execute(isCompact ? "DELETE FROM unpublished" : "DELETE FROM unpublished");
    start();
    EACH(byReport, i) if (isCompact) registerActivityCompact(i); else registerActivityToday(i);
    report("activity report", n);

    // A plan opens the ledger to read it, with the cache that SQLite has by itself.
    sqlite3 *writer = db;
    openDatabase(arguments[1], 1);
    start();
    need(isCompact ? readCompact() : readToday(), 5 * n, "ordered read");
    report("ordered read", n);
    sqlite3_close(db);
    db = writer;
    start();
    need(isCompact ? readCompact() : readToday(), 5 * n, "ordered read");
    report("ordered read by the writer", n);

    execute("PRAGMA wal_checkpoint(TRUNCATE)");
    start();
    EACH(byOwner, i) if (isCompact) commitUpdateCompact(i); else commitUpdateToday(i);
    report("update commit", n);
    if (isCompact) send("update", byOwner, dispatchUpdateCompact, settleUpdateCompact, 2);
    else send("update", byOwner, dispatchUpdateToday, settleUpdateToday, 2);
    start();
    execute("PRAGMA wal_checkpoint(TRUNCATE)");
    report("last checkpoint", n);

    printf(", \"bytes\": {");
    sqlite3_stmt *sizes = prepare("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC");
    for (int k = 0; stepRow(sizes); k++)
        if (sqlite3_column_int64(sizes, 1) > 16384) printf("%s\"%s\": %lld", k ? ", " : "", sqlite3_column_text(sizes,
            0), sqlite3_column_int64(sizes, 1));
    printf("}}\n");
    if (crowded) fprintf(stderr, "%lld of %d owners found no room between their neighbours\n", (long long)crowded, n);
    if (sink == 1) fprintf(stderr, "nothing was read\n");
    return 0;
}
