/*
 * index_seal.c - a sum over pages, read through SQLite's own file while it holds a lock.
 */
#include "harness/results/index_seal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Of the first page: the counter of changes, and the two numbers that follow it (SQLite's "Database
 * File Format", 1.3). */
enum { COUNTER = 24, COUNTER_SIZE = 4, VALID_FOR = 92, VALID_FOR_SIZE = 8 };

static int number(sqlite3 *db, const char *sql, sqlite3_int64 *value, bool *null) {
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &s, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_step(s);
        *null = code == SQLITE_ROW && sqlite3_column_type(s, 0) == SQLITE_NULL;
        *value = code == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
        code = code == SQLITE_ROW ? SQLITE_OK : code == SQLITE_DONE ? SQLITE_CORRUPT : code;
    }
    (void)sqlite3_finalize(s);
    return code;
}

/* The database's file; NULL where it has none. */
static sqlite3_file *file_of(sqlite3 *db) {
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return code == SQLITE_OK && file != NULL && file->pMethods != NULL ? file : NULL;
}

/* Every step is one to one in the sum and in the word: no single word changes without the sum. */
static uint64_t add(uint64_t sum, const unsigned char *page, size_t size) {
    for (size_t at = 0; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, page + at, sizeof word);
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 32;
    }
    return sum;
}

/* Inside a transaction, which holds the lock: no page changes meanwhile. */
static int sum_of(sqlite3 *db, sqlite3_file *file, sqlite3_int64 *sum) {
    sqlite3_int64 size = 0;
    sqlite3_int64 pages = 0;
    sqlite3_int64 own = 0;
    bool null = false;
    int code = number(db, "PRAGMA page_size", &size, &null);
    code = code == SQLITE_OK ? number(db, "PRAGMA page_count", &pages, &null) : code;
    code = code == SQLITE_OK
               ? number(db, "SELECT rootpage FROM sqlite_master WHERE name = 'seal'", &own, &null)
               : code;
    unsigned char *page = code == SQLITE_OK ? malloc((size_t)size) : NULL;
    if (page == NULL) {
        return code == SQLITE_OK ? SQLITE_NOMEM : code;
    }
    uint64_t all = (uint64_t)pages;
    for (sqlite3_int64 k = 0; k < pages && code == SQLITE_OK; k++) {
        code = k + 1 == own ? SQLITE_OK
                            : file->pMethods->xRead(file, page, (int)size, (sqlite3_int64)k * size);
        if (k == 0) {
            memset(page + COUNTER, 0, COUNTER_SIZE);
            memset(page + VALID_FOR, 0, VALID_FOR_SIZE);
        }
        all = k + 1 == own || code != SQLITE_OK ? all : add(all, page, (size_t)size);
    }
    free(page);
    memcpy(sum, &all, sizeof *sum);
    return code;
}

static int end(sqlite3 *db, int code, const char *how) {
    int ended = sqlite3_exec(db, code == SQLITE_OK ? how : "ROLLBACK", NULL, NULL, NULL);
    return code == SQLITE_OK ? ended : code;
}

int il_index_seal_check(sqlite3 *db, bool *sealed) {
    sqlite3_file *file = file_of(db);
    sqlite3_int64 written = 0;
    sqlite3_int64 found = 0;
    bool null = false;
    *sealed = true;
    if (file == NULL) {
        return SQLITE_OK;
    }
    int code = sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
    if (code != SQLITE_OK) {
        return code;
    }
    code = number(db, "SELECT sum FROM seal", &written, &null); /* takes the lock */
    if (code == SQLITE_OK && !null) {
        code = sum_of(db, file, &found);
        code = code == SQLITE_OK && found != written ? SQLITE_CORRUPT : code;
    }
    *sealed = !null;
    return end(db, code, "COMMIT");
}

int il_index_seal_break(sqlite3 *db) {
    return sqlite3_exec(db, "UPDATE seal SET sum = NULL", NULL, NULL, NULL);
}

/* BEGIN IMMEDIATE: nobody else writes until the sum stands there; the file itself is as the last
 * transaction left it until this one ends. */
int il_index_seal(sqlite3 *db) {
    sqlite3_file *file = file_of(db);
    sqlite3_int64 sum = 0;
    sqlite3_stmt *s = NULL;
    int code = file != NULL ? sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) : SQLITE_OK;
    if (file == NULL || code != SQLITE_OK) {
        return code;
    }
    code = sum_of(db, file, &sum);
    code =
        code == SQLITE_OK ? sqlite3_prepare_v2(db, "UPDATE seal SET sum = ?", -1, &s, NULL) : code;
    code = code == SQLITE_OK ? sqlite3_bind_int64(s, 1, sum) : code;
    if (code == SQLITE_OK) {
        code = sqlite3_step(s);
        code = code == SQLITE_DONE ? SQLITE_OK : code;
    }
    (void)sqlite3_finalize(s);
    return end(db, code, "COMMIT");
}
