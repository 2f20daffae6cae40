#ifndef LOCKSTEP_CSQLITE_SHIM_H
#define LOCKSTEP_CSQLITE_SHIM_H

#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast macro, which Swift cannot import: these bind a private copy of the bytes. */
static inline int lockstep_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int lockstep_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* Variadic, which Swift cannot call: leaves out the count of allocated bytes, and with it a lock for each allocation. */
static inline int lockstep_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static inline void lockstep_result_blob(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
    sqlite3_result_blob64(context, count == 0 ? "" : bytes, count, SQLITE_TRANSIENT);
}

#endif
