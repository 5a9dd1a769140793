/*
 * test_lua_outcome.c - what becomes of a script is known afterwards; cli/results.sh has those that
 * are killed.
 */
#include <stdio.h>
#include <string.h>

#include "harness/io/store/journal.h"
#include "tests/support/lua_stage.h"
#include "tests/support/suite.h"

#define LAB "local lab = require 'impactlab'\n"

/* A sweep of Uzawa's iteration over eight particles needs more than one iteration. */
#define FAILING                                                                                    \
    "{problem = {'sticky', N = 8, seed = 1}, scheme = 'maury', projector = 'uzawa', "              \
    "max_iterations = 1, steps = "

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* The journal of the stage's script, whose root the caller decrefs; NULL if there is none. */
static json_t *journal(const il_stage *s) {
    json_t *all = il_journal_all(s->results, NULL);
    json_t *mine = json_incref(il_journal_find(all, s->script, NULL));
    json_decref(all);
    return mine;
}

/* Failure k is of this kind, at this line, and says this. */
static bool is(const il_stage *s, const json_t *root, size_t k, const char *kind, int line,
               const char *says) {
    const json_t *failure = json_array_get(json_object_get(root, "failures"), k);
    char place[128];
    (void)snprintf(place, sizeof place, "%s:%d", s->script, line);
    bool good = strcmp(text_of(failure, "kind"), kind) == 0 &&
                strcmp(text_of(failure, "place"), place) == 0 &&
                strstr(text_of(failure, "text"), says) != NULL;
    if (!good) {
        (void)printf("\nfailure %zu is '%s' at '%s': '%s'\n", k, text_of(failure, "kind"),
                     text_of(failure, "place"), text_of(failure, "text"));
    }
    return good;
}

static void failures_have_their_places(void) {
    il_stage s;
    il_stage_new(&s);
    il_stage_write(s.script,
                   LAB "lab.check(1 == 1, 'holds')\n"
                       "lab.check(1 == 2, 'planted')\n"
                       "lab.run" FAILING "5}\n"
                       "lab.sweep" FAILING "{6, 7}}:run()\n" /* of the same kind: told once */
                       "local r = lab.sweep{problem = 'bouncing_ball', scheme = 'maury',\n"
                       "  steps = lab.levels{from = 64, jitter = 4}, reference = 'exact'}:run()\n"
                       "r:order{claim = {order = 5}}\n"
                       "local function inner() error('the end') end\n"
                       "inner()\n");
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_ESCRIPT);
    json_t *root = journal(&s);
    CU_ASSERT_STRING_EQUAL(text_of(root, "ending"), "error");
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(root, "traceback"), "script.lua:10: in main chunk"));
    CU_ASSERT_PTR_NULL(strstr(text_of(root, "traceback"), "[C]"));
    size_t n = json_array_size(json_object_get(root, "failures"));
    CU_ASSERT_EQUAL(n, 4);
    CU_ASSERT_EQUAL(s.outcome.failed, 2);
    CU_ASSERT(is(&s, root, 0, "check", 3, "planted"));
    CU_ASSERT(is(&s, root, 1, "run", 4, "sticky(N=8, seed=1) by maury, 5 steps: not_converged"));
    CU_ASSERT(is(&s, root, 2, "order", 8, "FAIL"));
    CU_ASSERT(is(&s, root, 3, "error", 9, "the end"));
    const json_t *checks = json_object_get(json_object_get(root, "counts"), "checks");
    CU_ASSERT_EQUAL(json_integer_value(json_array_get(checks, 0)), 1);
    CU_ASSERT_EQUAL(json_integer_value(json_array_get(checks, 1)), 2);
    json_decref(root);
    il_stage_write(s.script, LAB "lab.check(true, 'mended')\n");
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
    root = journal(&s);
    CU_ASSERT_STRING_EQUAL(text_of(root, "ending"), "ok");
    CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "failures")), 0);
    json_decref(root);
    il_stage_free(&s);
}

static const il_test tests[] = {
    {"failures have their kinds, places and reasons", failures_have_their_places}, {.name = NULL}};

extern const il_suite il_suite_lua_outcome;
const il_suite il_suite_lua_outcome = {"outcomes of scripts", tests};
