/*
 * test_team.c - a team makes every part once, whatever its size, and starts or says why not.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/base/team.h"
#include "tests/support/suite.h"

enum { SIZES = 4, MOST = 3000 };
static const size_t sizes[SIZES] = {1, 2, 4, 7};

typedef struct {
    int made[MOST];
    size_t member[MOST];
    size_t sum;
} tally;

static void make(void *context, size_t part, size_t member) {
    tally *t = context;
    t->made[part]++;
    t->member[part] = member;
}

static void every_part_is_made_once(void) {
    for (size_t k = 0; k < SIZES; k++) {
        il_team *team = NULL;
        CU_ASSERT_EQUAL_FATAL(il_team_create(&team, sizes[k], NULL), IL_OK);
        CU_ASSERT_EQUAL(il_team_size(team), sizes[k]);
        for (size_t parts = 0; parts < MOST; parts = 2 * parts + 1) {
            tally *t = calloc(1, sizeof *t);
            CU_ASSERT_FATAL(t != NULL);
            il_team_run(team, parts, make, t);
            for (size_t p = 0; p < MOST; p++) {
                CU_ASSERT_EQUAL(t->made[p], p < parts);
                CU_ASSERT(t->member[p] < sizes[k]);
            }
            free(t);
        }
        il_team_destroy(team);
    }
}

/* A part writes without a lock what the next run reads: it is seen, run after run. Runs follow at
 * once, of changing lengths: a thread that comes late takes no part of a run that it does not know.
 */
static void add(void *context, size_t part, size_t member) {
    tally *t = context;
    (void)member;
    volatile size_t wait =
        50 * (t->sum % 5); /* so that threads come to their share, now and then */
    while (wait > 0) {
        wait--;
    }
    t->made[part] += (int)((t->sum + part) % 1000);
}

static void many_runs(size_t size) {
    enum { RUNS = 100000, PARTS = 9 };
    il_team *team = NULL;
    tally *t = calloc(1, sizeof *t);
    CU_ASSERT_FATAL(t != NULL);
    CU_ASSERT_EQUAL_FATAL(il_team_create(&team, size, NULL), IL_OK);
    int expected[PARTS] = {0};
    size_t wrong = 0;
    for (size_t run = 0; run < RUNS; run++) {
        t->sum = run;
        size_t parts = 2 + run % (PARTS - 1);
        il_team_run(team, parts, add, t);
        for (size_t p = 0; p < PARTS; p++) {
            expected[p] += p < parts ? (int)((run + p) % 1000) : 0;
            wrong += t->made[p] != expected[p];
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    il_team_destroy(team);
    free(t);
}

static void what_parts_wrote_is_seen_by_the_caller_and_by_later_parts(void) {
    many_runs(2);
    many_runs(3); /* which take of each other's shares under the thread sanitizer too: team.c */
}

static void count(void *context, size_t part, size_t first, size_t last) {
    tally *t = context;
    t->member[part] = last - first;
    for (size_t k = first; k < last; k++) {
        t->made[k]++;
    }
}

static void a_loop_has_every_item_once_in_few_parts(void) {
    static const size_t lengths[] = {0, 1, 9, 10, 11, 100, 2999, MOST};
    for (size_t k = 0; k < SIZES; k++) {
        il_team *team = NULL;
        CU_ASSERT_EQUAL_FATAL(il_team_create(&team, sizes[k], NULL), IL_OK);
        for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
            tally *t = calloc(1, sizeof *t);
            CU_ASSERT_FATAL(t != NULL);
            size_t n = lengths[l];
            size_t parts = il_team_loop(team, n, 10, count, t);
            CU_ASSERT(parts >= 1 && parts <= IL_TEAM_LOOP);
            CU_ASSERT_EQUAL(parts, team == NULL || n <= 10  ? 1
                                   : n / 10 >= IL_TEAM_LOOP ? IL_TEAM_LOOP
                                                            : (n + 9) / 10);
            for (size_t i = 0; i < MOST; i++) {
                CU_ASSERT_EQUAL(t->made[i], i < n);
            }
            for (size_t p = 1; p < parts; p++) { /* as equal as can be */
                CU_ASSERT(t->member[p] <= t->member[0] && t->member[p] + 1 >= t->member[0]);
            }
            free(t);
        }
        il_team_destroy(team);
    }
}

static const il_test tests[] = {
    {"every part is made once", every_part_is_made_once},
    {"what parts wrote is seen by the caller and by later parts",
     what_parts_wrote_is_seen_by_the_caller_and_by_later_parts},
    {"a loop has every item once, in few parts", a_loop_has_every_item_once_in_few_parts},
    {NULL, NULL}};

const il_suite il_suite_team = {"a team of threads", tests};
