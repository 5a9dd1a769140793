/*
 * compare.c - matches cases of two programs by their keys, without the members that differ.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/results/results.h"

/* In each folder: its cases by what programs do not change of a key, the latest of each. The key
 * without the step, too, is that of a study. */
static const char SIDE[] =
    "CREATE TEMP TABLE side(same PRIMARY KEY, study, problem, scheme, steps, h, q, u);"
    "INSERT OR REPLACE INTO side SELECT " IL_RESULTS_SAME("specification") ", " IL_RESULTS_SAME(
        "json_remove(specification, '$.steps', '$.h')") ", problem, scheme, steps, h, %s, %s FROM "
                                                        "cases WHERE damaged ISNULL AND "
                                                        "specification NOTNULL ORDER BY date, key";

static il_status make_side(const il_index *index, il_error *err) {
    static const char *const names[] = {"error.q_Linf", "error.u_L1"};
    char column[2][IL_INDEX_COLUMN];
    for (size_t k = 0; k < 2; k++) { /* where no case has an error */
        if (il_results_column(index, "", names[k], column[k], NULL) != IL_OK) {
            strcpy(column[k], "NULL");
        }
    }
    char *sql = il_alloc_format(SIDE, column[0], column[1]);
    il_status status = il_index_run(index, sql, NULL, err);
    free(sql);
    return status;
}

/* The second folder's, as table `other` of the first's index. */
static il_status copy_side(const il_index *from, const il_index *to, il_error *err) {
    sqlite3_stmt *row = NULL;
    sqlite3_stmt *put = NULL;
    int code = sqlite3_exec(to->db, "CREATE TEMP TABLE other AS SELECT * FROM side WHERE 0", NULL,
                            NULL, NULL);
    code = code == SQLITE_OK
               ? sqlite3_prepare_v2(to->db, "INSERT INTO other VALUES(?,?,?,?,?,?,?,?)", -1, &put,
                                    NULL)
               : code;
    code = code == SQLITE_OK ? sqlite3_prepare_v2(from->db, "SELECT * FROM side", -1, &row, NULL)
                             : code;
    while (code == SQLITE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        for (int k = 0; k < 8; k++) {
            (void)sqlite3_bind_value(put, k + 1, sqlite3_column_value(row, k));
        }
        code = il_index_step(put);
    }
    (void)sqlite3_finalize(row);
    (void)sqlite3_finalize(put);
    return il_index_fail(to, code == SQLITE_DONE ? SQLITE_OK : code, err);
}

il_status il_results_compare(const char *first, const char *second, json_t **matched,
                             json_t **counts, il_error *err) {
    il_index a = {.db = NULL};
    il_index b = {.db = NULL};
    *matched = NULL;
    *counts = NULL;
    il_status status = il_index_open(&a, first, NULL, err);
    status = status == IL_OK ? il_index_open(&b, second, NULL, err) : status;
    status = status == IL_OK ? make_side(&a, err) : status;
    status = status == IL_OK ? make_side(&b, err) : status;
    status = status == IL_OK ? copy_side(&b, &a, err) : status;
    if (status == IL_OK) {
        status = il_index_rows(
            &a,
            "SELECT a.study, a.problem, a.scheme, a.steps, a.h, a.q AS first_q_Linf, b.q AS "
            "second_q_Linf, a.u AS first_u_L1, b.u AS second_u_L1 FROM side a JOIN other b ON "
            "a.same = b.same WHERE a.h NOTNULL ORDER BY a.study, a.h DESC",
            NULL, matched, err);
    }
    if (status == IL_OK) {
        status = il_index_rows(
            &a,
            "SELECT (SELECT count(*) FROM side WHERE h NOTNULL AND same NOT IN (SELECT same FROM "
            "other)) AS first_alone, (SELECT count(*) FROM other WHERE h NOTNULL AND same NOT IN "
            "(SELECT same FROM side)) AS second_alone, (SELECT count(*) FROM side WHERE h ISNULL) "
            "AS first_limits, (SELECT count(*) FROM other WHERE h ISNULL) AS second_limits",
            NULL, counts, err);
    }
    il_index_close(&a);
    il_index_close(&b);
    return status;
}
