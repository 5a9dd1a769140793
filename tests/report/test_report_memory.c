/*
 * test_report_memory.c - each allocation of a report fails in turn: the page is whole, or the
 * answer is IL_ENOMEM; never a page that leaves something out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/draw/table.h"
#include "harness/io/file.h"
#include "harness/io/store/journal.h"
#include "harness/report/report.h"
#include "tests/support/allocation.h"
#include "tests/support/expect.h"
#include "tests/support/suite.h"

enum { CALLS_MAX = 5000 };

static const char *const scripts[] = {"scripts/one.lua", "scripts/never.lua"};

/* Two tables, one that is broken, one script that failed and one that did not run. */
static void store(const char *results) {
    static const char *const heads[] = {"scheme", "error"};
    static const char *const cells[] = {"maury", "1e-3", "paoli, \"too\"", "-2.5"};
    char path[256];
    il_table one = {"one", "A table", 2, 2, heads, cells, 1, NULL, NULL, NULL};
    il_table two = {"two", "Another", 2, 2, heads, cells, 0, NULL, NULL, NULL};
    (void)snprintf(path, sizeof path, "%s/tables", results);
    CU_ASSERT_EQUAL_FATAL(il_table_write(&one, path, IL_TABLE_ALL, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_table_write(&two, path, IL_TABLE_ALL, NULL), IL_OK);
    (void)snprintf(path, sizeof path, "%s/tables/broken.json", results);
    FILE *broken = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(broken);
    (void)fputs("{\"kind\": \"table\", \"name\": \"broken\"}", broken);
    (void)fclose(broken);
    il_journal *journal = NULL;
    CU_ASSERT_EQUAL_FATAL(il_journal_open(&journal, results, scripts[0], "build", NULL), IL_OK);
    il_journal_note(journal, "check", "one.lua:3:", "two is not three");
    il_journal_count(journal, "checks", 1, 2);
    CU_ASSERT_EQUAL(il_journal_close(journal, "failed", "", NULL, NULL), IL_OK);
}

/* The page, to be freed; NULL when there is none. */
static char *page(const char *results, const char *out, il_status *status, bool *happened) {
    il_report_summary summary;
    il_error err = {IL_OK, ""};
    *status = il_report_write(results, out, scripts, 2, &summary, NULL, NULL, &err);
    *happened = allocation_failed();
    allocation_fail(0);
    if (*status != IL_OK && *status != IL_ENOMEM) {
        (void)printf("\n%s\n", err.message);
    }
    return *status == IL_OK ? il_test_slurp(out, "index.html", NULL) : NULL;
}

static void a_page_is_whole_or_memory_ran_out(void) {
    char folder[] = "/tmp/il-report-XXXXXX";
    char results[64];
    char out[64];
    char command[64];
    if (!allocation_counted()) {
        return;
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    (void)snprintf(results, sizeof results, "%s/results", folder);
    (void)snprintf(out, sizeof out, "%s/out", folder);
    store(results);
    il_status status = IL_OK;
    bool happened = true;
    char *whole = page(results, out, &status, &happened);
    CU_ASSERT_PTR_NOT_NULL_FATAL(whole);
    CU_ASSERT(strstr(whole, "two is not three") != NULL && strstr(whole, "never.lua") != NULL &&
              strstr(whole, "Another") != NULL);
    size_t refused = 0;
    happened = true;
    for (size_t k = 1; happened && k < CALLS_MAX; k++) {
        allocation_fail(k);
        char *text = page(results, out, &status, &happened);
        bool right = status == IL_OK ? text != NULL && strcmp(text, whole) == 0
                                     : happened && status == IL_ENOMEM;
        if (!right) {
            (void)printf("\nallocation %zu of a report: %s\n", k, il_status_name(status));
        }
        CU_ASSERT(right);
        refused += status != IL_OK;
        free(text);
    }
    CU_ASSERT_FALSE(happened);
    CU_ASSERT(refused > 10);
    free(whole);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    CU_ASSERT_EQUAL(system(command), 0);
}

static const il_test tests[] = {
    {"a page is whole, or memory ran out", a_page_is_whole_or_memory_ran_out}, {.name = NULL}};

extern const il_suite il_suite_report_memory;
const il_suite il_suite_report_memory = {"report_memory", tests};
