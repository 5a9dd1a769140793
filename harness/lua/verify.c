/*
 * verify.c - claims, shared out to workers: their checks, and their negative controls.
 *
 * A check returns a row or an array of rows:
 *
 *     {problem =, scheme =, what =, measured =, bound =, sense = "<=" | ">=", near =, evidence =,
 *      shows =, finding =, not_applicable =, inconclusive =}
 *
 * which verdict.h judges.
 */
#include "harness/lua/verify.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build_id.h"
#include "harness/base/json.h"
#include "harness/io/workers/jobs.h"
#include "harness/io/workers/pool.h"
#include "harness/lua/base/args.h"
#include "harness/lua/base/context.h"
#include "harness/lua/claims.h"
#include "harness/lua/script.h"
#include "harness/lua/unbroken.h"
#include "harness/study/verdict.h"

typedef struct {
    lua_Integer claim, check,
        control; /* from 1 into the claims, cases, controls; control 0: none */
} job;

typedef struct {
    const il_verify_options *options; /* NULL: list */
    bool controls;
    lua_State *L;
    job *jobs; /* [njobs] owned by an arena */
    size_t njobs;
    il_jobs *watch; /* shows how far they are; owned by the arena; or NULL */
    json_t **rows;  /* [njobs] array of rows of each job; owned by the arena */
    json_t *result;
} verification;

/* ---- rows ----------------------------------------------------------------------------------- */

static double number_at(lua_State *L, const char *key, double fallback) {
    double x = lua_getfield(L, -1, key) == LUA_TNUMBER ? lua_tonumber(L, -1) : fallback;
    lua_pop(L, 1);
    return x;
}

static json_t *text_or_null(const char *text) {
    return text != NULL ? json_string(text) : json_null();
}

static json_t *make_row(il_check_verdict verdict, const char *reason) {
    return json_pack("{s:n, s:n, s:n, s:n, s:s, s:n, s:s, s:o, s:n}", "problem", "scheme", "what",
                     "measured", "sense", "<=", "bound", "verdict", il_check_word(verdict),
                     "reason", text_or_null(reason), "evidence");
}

/* Between worker and parent a row that fails by its numbers says so, as infinities are null in
 * JSON; the report has no such field. */
static const char BY_NUMBER[] = "by_number";

/* The row at the top of the stack with its verdict. */
static json_t *judge_row(lua_State *L) {
    static const char *const texts[] = {"problem", "scheme", "what", "evidence"};
    if (!lua_istable(L, -1)) {
        return make_row(IL_CHECK_FAIL, "the check returned no row");
    }
    const char *sense = il_claims_text(L, "sense");
    il_check check = {.measured = number_at(L, "measured", NAN),
                      .bound = number_at(L, "bound", NAN),
                      .above = sense != NULL && strcmp(sense, ">=") == 0,
                      .near = number_at(L, "near", 0.0),
                      .shows = il_claims_text(L, "shows"),
                      .finding = il_claims_text(L, "finding"),
                      .not_applicable = il_claims_text(L, "not_applicable"),
                      .inconclusive = il_claims_text(L, "inconclusive")};
    il_checked checked;
    il_check_judge(&check, &checked);
    il_json w = {false};
    json_t *row = make_row(checked.verdict, checked.reason);
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        il_json_put_text(&w, row, texts[k], il_claims_text(L, texts[k]));
    }
    il_json_put(&w, row, "measured", check.measured);
    il_json_put_text(&w, row, "sense", check.above ? ">=" : "<=");
    il_json_put(&w, row, "bound", check.bound);
    if (checked.verdict == IL_CHECK_FAIL && !isnan(check.measured)) {
        il_json_set(&w, row, BY_NUMBER, json_true());
    }
    return il_json_done(&w, row);
}

/* The rows that a check returned, at the top of the stack: one, or an array of them. */
static json_t *judge_all(lua_State *L) {
    il_json w = {false};
    json_t *rows = json_array();
    size_t n = lua_istable(L, -1) ? (size_t)lua_rawlen(L, -1) : 0;
    for (size_t k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, -1, (lua_Integer)k);
        il_json_append(&w, rows, judge_row(L));
        lua_pop(L, 1);
    }
    if (n == 0) {
        il_json_append(&w, rows, judge_row(L));
    }
    return il_json_done(&w, rows);
}

/* ---- one check, in a worker ----------------------------------------------------------------- */

static int with_traceback(lua_State *L) {
    luaL_traceback(L, L, luaL_tolstring(L, 1, NULL), 1);
    return 1;
}

static char *work(void *data, size_t k) {
    const verification *v = data;
    lua_State *L = v->L;
    (void)il_jobs_begin(v->watch, k);
    json_t *rows = NULL;
    lua_pushcfunction(L, with_traceback);
    lua_pushcfunction(L, il_claims_call);
    lua_pushinteger(L, v->jobs[k].claim);
    lua_pushinteger(L, v->jobs[k].check);
    lua_pushinteger(L, v->jobs[k].control);
    il_lua_context_of(L)->raised.code = IL_OK;
    int code = lua_pcall(L, 3, 1, -5);
    if (code == LUA_OK) {
        rows = judge_all(L);
    } else if (code != LUA_ERRMEM && il_lua_context_of(L)->raised.code != IL_ENOMEM) {
        rows = json_pack("[o]", make_row(IL_CHECK_FAIL, lua_tostring(L, -1)));
    }
    lua_pop(L, 2);
    char *text = rows != NULL ? il_json_text(rows) : NULL; /* NULL: memory ran out */
    json_decref(rows);
    return text;
}

/* In the parent. */
static il_status receive(void *data, size_t k, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    verification *v = data;
    json_t *rows = NULL;
    if (text != NULL && il_json_parse(text, &rows, err) == IL_ENOMEM) {
        return IL_ENOMEM;
    }
    if (rows == NULL) {
        rows = json_pack("[o]", make_row(IL_CHECK_FAIL, loss->why));
    }
    if (rows == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a verdict");
    }
    v->rows[k] = rows;
    il_jobs_end(v->watch, k);
    return IL_OK;
}

static void name_of(const void *data, size_t k, char *room, size_t capacity) {
    const verification *v = data;
    (void)lua_rawgeti(v->L, -1, v->jobs[k].claim);
    (void)snprintf(room, capacity, "%s", il_claims_text(v->L, "id"));
    lua_pop(v->L, 1);
}

static void tick(void *data) {
    const verification *v = data;
    il_jobs_show(v->watch, "", name_of, v);
}

/* What the claim at the top says that case k of it costs: cost = {...}, an ordinary one being 1. */
static double cost_of(lua_State *L, lua_Integer k) {
    double cost = 0.0;
    if (lua_getfield(L, -1, "cost") == LUA_TTABLE) {
        (void)lua_rawgeti(L, -1, k);
        cost = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return cost > 0.0 ? cost : 1.0;
}

/* For the forecast alone. Costs are processor times of a release build. Judged by another run of
 * the 353 checks there were then, 90 s of a processor, replayed: from a tenth of the work on,
 * until a fiftieth of the time is left, the estimate was off by a factor of at most 1.25 with one
 * worker and 1.3 with two; with four 1.6, at the end, when three checks of six seconds are left.
 * Learned by claims, it was 30. Waited for, it is as good as the machine's load is steady: 1.1 to
 * 1.6 where each of twenty jobs had a tenth of a processor. */
static void expect_costs(lua_State *L, const verification *v) {
    il_jobs_scale(v->watch);
    for (size_t k = 0; k < v->njobs; k++) {
        (void)lua_rawgeti(L, -1, v->jobs[k].claim);
        il_jobs_expect(v->watch, k, 0, cost_of(L, v->jobs[k].check));
        lua_pop(L, 1);
    }
}

static void close_jobs(void *room) {
    il_jobs_destroy(*(il_jobs **)room);
}

/* ---- all checks ----------------------------------------------------------------------------- */

static void close_rows(void *room) {
    verification *v = *(verification **)room;
    for (size_t k = 0; v != NULL && k < v->njobs; k++) {
        json_decref(v->rows[k]);
    }
}

/* Which case control k of the claim at the top starts from. */
static lua_Integer case_of(lua_State *L, lua_Integer k) {
    (void)lua_getfield(L, -1, "controls");
    (void)lua_rawgeti(L, -1, k);
    lua_Integer at = lua_getfield(L, -1, "case") == LUA_TNIL ? 1 : lua_tointeger(L, -1);
    lua_pop(L, 3);
    return at;
}

/* Every case, or every control, of every wanted claim, in the order of declaration; the array of
 * claims is at the top of the stack. */
static void list_jobs(lua_State *L, il_lua_arena *arena, verification *v) {
    const il_verify_options *o = v->options;
    const char *key = v->controls ? "controls" : "cases";
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    size_t room = 0;
    for (lua_Integer k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, -1, k);
        room += il_claims_wanted(L, o->nids, o->ids) ? il_claims_count(L, key) : 0;
        lua_pop(L, 1);
    }
    v->jobs = il_lua_take(L, arena, room, sizeof *v->jobs, NULL);
    v->rows = il_lua_take(L, arena, room, sizeof *v->rows, NULL);
    for (lua_Integer k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, -1, k);
        size_t count = il_claims_wanted(L, o->nids, o->ids) ? il_claims_count(L, key) : 0;
        for (lua_Integer c = 1; c <= (lua_Integer)count; c++) {
            v->jobs[v->njobs++] = v->controls ? (job){k, case_of(L, c), c} : (job){k, c, 0};
        }
        lua_pop(L, 1);
    }
    verification **owner = il_lua_take(L, arena, 1, sizeof(verification *), close_rows);
    *owner = v;
}

/* Append the rows of job k to list, each with the claim that it belongs to, and count them. */
static void append(lua_State *L, const verification *v, size_t k, il_json *w, json_t *list,
                   size_t *counts) {
    size_t i = 0;
    json_t *row = NULL;
    (void)lua_rawgeti(L, -1, v->jobs[k].claim);
    json_array_foreach(v->rows[k], i, row) {
        json_t *full =
            json_pack("{s:s, s:s, s:s}", "id", il_claims_text(L, "id"), "statement",
                      il_claims_text(L, "statement"), "source", il_claims_text(L, "source"));
        il_json_merge(w, full, row);
        (void)json_object_del(full, BY_NUMBER);
        il_json_append(w, list, full);
        const char *word = json_string_value(json_object_get(row, "verdict"));
        for (il_check_verdict c = 0; c < IL_CHECK_COUNT; c++) {
            counts[c] += strcmp(word, il_check_word(c)) == 0;
        }
    }
    lua_pop(L, 1);
}

static void sign(il_json *w, json_t *report) {
    il_json_put_text(w, report, "version", IL_VERSION);
    il_json_put_text(w, report, "build", IL_BUILD_ID);
}

/* The array of claims is at the top of the stack. */
static json_t *make_report(lua_State *L, const verification *v) {
    size_t counts[IL_CHECK_COUNT] = {0};
    il_json w = {false};
    json_t *list = json_array();
    for (size_t k = 0; k < v->njobs; k++) {
        append(L, v, k, &w, list, counts);
    }
    json_t *report =
        json_pack("{s:o, s:I}", "claims", list, "checked", (json_int_t)json_array_size(list));
    for (il_check_verdict c = 0; c < IL_CHECK_COUNT; c++) {
        il_json_put_count(&w, report, il_check_key(c), counts[c]);
    }
    sign(&w, report);
    return il_json_done(&w, report);
}

/* ---- all controls --------------------------------------------------------------------------- */

/* What control k of v came to: the first row that fails by its numbers, or the first there is. */
static json_t *control_row(lua_State *L, const verification *v, size_t k, bool *caught) {
    il_control control = {0};
    const json_t *shown = json_array_get(v->rows[k], 0);
    size_t i = 0;
    const json_t *row = NULL;
    json_array_foreach(v->rows[k], i, row) {
        const char *word = json_string_value(json_object_get(row, "verdict"));
        bool by_number = json_object_get(row, BY_NUMBER) != NULL;
        bool first = !il_control_caught(&control);
        il_control_add(&control, strcmp(word, il_check_word(IL_CHECK_FAIL)) == 0, by_number);
        shown = first && il_control_caught(&control) ? row : shown;
    }
    *caught = il_control_caught(&control);
    (void)lua_rawgeti(L, -1, v->jobs[k].claim);
    const char *id = il_claims_text(L, "id");
    (void)lua_getfield(L, -1, "controls");
    (void)lua_rawgeti(L, -1, v->jobs[k].control);
    il_json w = {false};
    json_t *out = json_pack("{s:s, s:s}", "id", id, "control", il_claims_text(L, "what"));
    lua_pop(L, 3);
    il_json_merge(&w, out, shown);
    (void)json_object_del(out, BY_NUMBER);
    il_json_put_text(&w, out, "verdict", *caught ? "caught" : "MISSED");
    if (!*caught) {
        const json_t *why = json_object_get(shown, "reason");
        json_t *reason =
            json_is_string(why) && control.failed == 0 && i == 1
                ? json_sprintf("%s: %s", il_control_reason(&control), json_string_value(why))
                : json_string(il_control_reason(&control));
        il_json_set(&w, out, "reason", reason);
    }
    return il_json_done(&w, out);
}

/* Wanted claims that have no control; the array of claims is at the top of the stack. */
static json_t *uncontrolled(lua_State *L, const il_verify_options *o) {
    il_json w = {false};
    json_t *ids = json_array();
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    for (lua_Integer k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, -1, k);
        if (il_claims_wanted(L, o->nids, o->ids) && il_claims_count(L, "controls") == 0) {
            il_json_append(&w, ids, json_string(il_claims_text(L, "id")));
        }
        lua_pop(L, 1);
    }
    return il_json_done(&w, ids);
}

/* Rows that no control broke; the array of claims is at the top of the stack. Ids live in it. */
static json_t *unbroken(lua_State *L, il_lua_arena *arena, const verification *v) {
    const char **ids = il_lua_take(L, arena, v->njobs, sizeof *ids, NULL);
    for (size_t k = 0; k < v->njobs; k++) {
        (void)lua_rawgeti(L, -1, v->jobs[k].claim);
        ids[k] = il_claims_text(L, "id");
        lua_pop(L, 1);
    }
    return il_unbroken(v->njobs, ids, v->rows, BY_NUMBER);
}

/* The array of claims is at the top of the stack. */
static json_t *make_controls(lua_State *L, il_lua_arena *arena, const verification *v) {
    json_t *whole = unbroken(L, arena, v); /* first, as it may raise */
    size_t caught = 0;
    il_json w = {false};
    json_t *list = json_array();
    for (size_t k = 0; k < v->njobs; k++) {
        bool one = false;
        il_json_append(&w, list, control_row(L, v, k, &one));
        caught += one;
    }
    json_t *report = json_pack("{s:o, s:I, s:I, s:I, s:o, s:o}", "controls", list, "checked",
                               (json_int_t)v->njobs, "caught", (json_int_t)caught, "missed",
                               (json_int_t)(v->njobs - caught), "uncontrolled",
                               uncontrolled(L, v->options), "unbroken", whole);
    sign(&w, report);
    return il_json_done(&w, report);
}

static void expect_whole(lua_State *L, const json_t *result) {
    il_error err = {IL_OK, ""};
    il_status status = result != NULL ? IL_OK : il_fail(&err, IL_ENOMEM, "no memory for a report");
    il_lua_expect(L, NULL, status, &err);
}

/* ---- entry ---------------------------------------------------------------------------------- */

static int verify_body(lua_State *L) {
    verification *v = lua_touserdata(L, 1);
    il_error err = {IL_OK, ""};
    il_claims_declare(L, v->options->claims);
    il_lua_arena *arena = il_lua_arena_open(L);
    il_claims_expect_known(L, v->options->nids, v->options->ids);
    il_claims_push(L);
    list_jobs(L, arena, v);
    v->L = L;
    size_t workers = v->options->workers > 0 ? v->options->workers : 1;
    il_pool pool = {.workers = workers < v->njobs || v->njobs == 0 ? workers : v->njobs,
                    .jobs = v->njobs,
                    .work = work,
                    .receive = receive,
                    .tick = tick,
                    .data = v};
    il_jobs **watched = il_lua_take(L, arena, 1, sizeof(il_jobs *), close_jobs);
    *watched = v->watch = il_jobs_create(v->options->messages, "verify", v->njobs, 1, workers);
    expect_costs(L, v);
    il_status status = il_pool_run(&pool, &err);
    il_jobs_destroy(*watched);
    *watched = v->watch = NULL;
    il_lua_expect(L, NULL, status, &err);
    v->result = v->controls ? make_controls(L, arena, v) : make_report(L, v);
    expect_whole(L, v->result);
    return 0;
}

static int list_body(lua_State *L) {
    verification *v = lua_touserdata(L, 1);
    il_claims_declare(L, NULL);
    il_claims_push(L);
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    il_json w = {false};
    json_t *list = json_array();
    for (lua_Integer k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, -1, k);
        il_json_append(&w, list,
                       json_pack("{s:s, s:s, s:s, s:I, s:I}", "id", il_claims_text(L, "id"),
                                 "statement", il_claims_text(L, "statement"), "source",
                                 il_claims_text(L, "source"), "checks",
                                 (json_int_t)il_claims_count(L, "cases"), "controls",
                                 (json_int_t)il_claims_count(L, "controls")));
        lua_pop(L, 1);
    }
    v->result = il_json_done(&w, list);
    expect_whole(L, v->result);
    return 0;
}

static il_status run_body(lua_CFunction body, verification *v, json_t **out, il_error *err) {
    il_lua_options options = {.workers = 1,
                              .substitutes = v->options != NULL ? v->options->substitutes : NULL};
    il_lua_context context = {.options = &options};
    il_status status = il_lua_call(&context, body, v, err);
    free(context.traceback);
    *out = status == IL_OK ? v->result : NULL;
    if (status != IL_OK) {
        json_decref(v->result);
    }
    return status;
}

il_status il_verify(const il_verify_options *options, json_t **report, il_error *err) {
    verification v = {.options = options};
    return run_body(verify_body, &v, report, err);
}

il_status il_verify_controls(const il_verify_options *options, json_t **report, il_error *err) {
    verification v = {.options = options, .controls = true};
    return run_body(verify_body, &v, report, err);
}

il_status il_verify_list(json_t **list, il_error *err) {
    verification v = {.options = NULL};
    return run_body(list_body, &v, list, err);
}
