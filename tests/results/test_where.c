/*
 * test_where.c - conditions on stored cases: what they find is what the same condition in C finds,
 * and what does not parse says where.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/store/store.h"
#include "harness/lua/results.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

enum { CASES = 40 };

typedef struct {
    char folder[IL_SCRATCH_ROOM];
    il_index index;
} bench;

/* Case k: two schemes, steps 10 k, alpha 1 + k / 20 unless k is a multiple of 8, every fifth
 * failed. */
static const char *scheme_of(size_t k) {
    return k % 2 == 0 ? "maury" : "paoli";
}

static bool has_alpha(size_t k) {
    return k % 8 != 0;
}

static double alpha_of(size_t k) {
    return 1.0 + (double)k / 20.0;
}

static bool is_ok(size_t k) {
    return k % 5 != 0;
}

static void put(il_store *store, size_t k) {
    json_t *parameters = has_alpha(k) ? json_pack("{s:f, s:s}", "alpha", alpha_of(k), "scenario",
                                                  k % 3 == 0 ? "free" : "pressed")
                                      : json_pack("{s:[f,f]}", "u0", 0.25, -0.5);
    json_t *key = json_pack("{s:s, s:s, s:O, s:s, s:{s:s}, s:i, s:n}", "build", "b", "problem",
                            "sticky", "parameters", parameters, "scheme", scheme_of(k), "projector",
                            "name", "auto", "steps", (int)(10 * k), "h");
    char date[40];
    (void)snprintf(date, sizeof date, "2026-%02zu-10T00:00:00Z", 1 + k % 12);
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:i, s:f, s:s, s:o, s:{s:f}, s:{s:s, s:s}}", "problem", "sticky",
                  "scheme", scheme_of(k), "projector", "auto", "steps", (int)(10 * k), "h", 0.1,
                  "status", is_ok(k) ? "ok" : "not_converged", "parameters", parameters, "error",
                  "u_L1", 1.0 / (double)(k + 1), "provenance", "date", date, "script", "a b.lua");
    char *text = json_dumps(key, JSON_COMPACT | JSON_SORT_KEYS);
    CU_ASSERT_EQUAL(il_store_put(store, text, record, NULL), IL_OK);
    free(text);
    json_decref(key);
    json_decref(record);
}

static void bench_open(bench *b) {
    il_store *store = NULL;
    il_error err = {IL_OK, ""};
    il_scratch_open(b->folder);
    CU_ASSERT_EQUAL_FATAL(il_store_open(&store, b->folder, NULL), IL_OK);
    for (size_t k = 0; k < CASES; k++) {
        put(store, k);
    }
    il_store_close(store);
    CU_ASSERT_EQUAL_FATAL(il_index_open(&b->index, b->folder, NULL, &err), IL_OK);
    CU_ASSERT(b->index.files == CASES && b->index.read == CASES && b->index.damaged == 0);
}

static void bench_close(bench *b) {
    char command[2 * IL_SCRATCH_ROOM];
    il_index_close(&b->index);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", b->folder);
    CU_ASSERT_EQUAL(system(command), 0);
}

/* How many cases meet the condition; SIZE_MAX and err if it is refused. */
static size_t count(bench *b, const char *text, il_error *err) {
    const il_index *const index[2] = {&b->index, NULL};
    const il_lua_results_request request = {.action = "list", .results = b->folder, .where = text};
    char *said = NULL;
    char *last = NULL;
    size_t n = 0;
    json_t *answer = NULL;
    FILE *out = open_memstream(&said, &n);
    *err = (il_error){IL_OK, ""};
    il_status status = il_lua_results(&request, index, out, &answer, err);
    (void)fclose(out);
    json_decref(answer);
    for (char *line = strtok_r(said, "\n", &last); line != NULL;
         line = strtok_r(NULL, "\n", &last)) {
        n = (size_t)strtoul(line, NULL, 10); /* "N of 40 cases" comes last */
    }
    free(said);
    return status == IL_OK ? n : SIZE_MAX;
}

#define COUNT(n, condition)                                                                        \
    size_t n = 0;                                                                                  \
    for (size_t k = 0; k < CASES; k++) {                                                           \
        (n) += (condition) ? 1 : 0;                                                                \
    }

static void conditions_find_what_they_say(void) {
    bench b;
    il_error err;
    bench_open(&b);
    COUNT(above, has_alpha(k) && alpha_of(k) > 1.7 && k % 2 == 0)
    COUNT(either, 10 * k < 50 || (k % 2 == 1 && !is_ok(k)))
    COUNT(other, has_alpha(k) && alpha_of(k) != 1.35)
    COUNT(lacking, !(has_alpha(k) && alpha_of(k) > 1.5))
    COUNT(month, k % 12 == 2)
    COUNT(late, k % 12 >= 6)
    COUNT(small, 1.0 / (double)(k + 1) < 0.05)
    COUNT(first, 10 * k < 20 || (10 * k < 100 && k % 2 == 0))
    const struct {
        const char *text;
        size_t n;
    } list[] = {{NULL, CASES},
                {"", CASES},
                {"alpha > 1.7 and scheme = maury", above},
                {"alpha>1.7 AND scheme==\"maury\"", above},
                {"steps < 50 or (scheme = 'paoli' and not status = ok)", either},
                {"alpha != 1.35", other}, /* those without alpha do not meet it */
                {"alpha ~= 1.35 and alpha <> 1.35", other},
                {"not alpha > 1.5", lacking},
                {"not (not not alpha > 3/2)", lacking},
                {"date = 2026-03", month},
                {"date >= 2026-07", late},
                {"u_L1 < 0.05", small},
                {"error.u_L1 < 0.05", small},
                {"steps < 20 or steps < 100 and scheme = maury", first}, /* and binds closer */
                {"u0 = '0.25,-0.5'", CASES / 8},
                {"script = 'a b.lua'", CASES},
                {"steps >= 1e2 and steps <= 1e2", 1},
                {"parameters.alpha > 1.7 and scheme = maury", above},
                {"steps = -1", 0}};
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        size_t n = count(&b, list[k].text, &err);
        if (n != list[k].n) {
            (void)printf("\n%s: %zu, not %zu; %s", list[k].text, n, list[k].n, err.message);
        }
        CU_ASSERT_EQUAL(n, list[k].n);
    }
    bench_close(&b);
}

static void what_does_not_parse_says_where(void) {
    bench b;
    il_error err;
    bench_open(&b);
    static const struct {
        const char *text, *says;
    } list[] = {
        {"alpha >", "column 8: the end"},
        {"alpha > 1.7 and", "column 16: the end"},
        {"alpha > 1.7 scheme = maury", "column 13: 'scheme'"},
        {"alfa > 1.7", "column 1: no case has 'alfa'"},
        {"alpha > 1.7 and schem = x", "did you mean 'scheme'"},
        {"alpha > wide", "column 9: 'wide'"},
        {"steps = 'ten'", "column 9: 'ten'"},
        {"(alpha > 1.7", "column 13: the end"},
        {"alpha > 1.7)", "column 12: ')'"},
        {"alpha = 'x", "column 9: a quotation mark"},
        {"alpha % 2", "column 7: '%'"},
        {"status = ok; DROP TABLE cases", "column 12: ';'"},
        {"\xc3\xa4 = 1", "column 1: no case has"},
        {"steps > 1 and \xc3\xa4\xc3\xa4 % 1", "column 15: no case has"},
        {"and", "column 1: 'and'"},
        {"\xff = 1", "not UTF-8"},
    };
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        CU_ASSERT_EQUAL(count(&b, list[k].text, &err), SIZE_MAX);
        CU_ASSERT_EQUAL(err.code, IL_EINVAL);
        if (strstr(err.message, list[k].says) == NULL) {
            (void)printf("\n%s: '%s' lacks '%s'", list[k].text, err.message, list[k].says);
        }
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, list[k].says));
    }
    bench_close(&b);
}

/* Texts are bound: none of them is SQL. */
static void values_are_no_sql(void) {
    bench b;
    il_error err;
    bench_open(&b);
    CU_ASSERT_EQUAL(count(&b, "status = \"ok' OR '1'='1\"", &err), 0);
    CU_ASSERT_EQUAL(count(&b, "script = \"'; DELETE FROM cases; --\"", &err), 0);
    CU_ASSERT_EQUAL(count(&b, "scheme = \"maury\" or problem = '\\'", &err), CASES / 2);
    CU_ASSERT_EQUAL(count(&b, "", &err), CASES);
    bench_close(&b);
}

static const il_test tests[] = {{"conditions find what they say", conditions_find_what_they_say},
                                {"what does not parse says where", what_does_not_parse_says_where},
                                {"values are bound and no SQL", values_are_no_sql},
                                {NULL, NULL}};

const il_suite il_suite_where = {"where", tests};
