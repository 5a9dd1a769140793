/*
 * verify.c - the claims that the build embedded: declared, shared out to workers, judged.
 *
 *     lab.claim{id =, source =, statement =, cases = {...}, check = function(case) ... end}
 *
 * is known to claim files alone. check is called once for every element of cases, in a worker of
 * its own, and returns a row or an array of rows:
 *
 *     {problem =, scheme =, what =, measured =, bound =, sense = "<=" | ">=", evidence =,
 *      finding =, not_applicable =, inconclusive =}
 *
 * finding is a text: the inequality is known not to hold. What common.lua returns is handed to
 * every other file.
 */
#include "harness/lua/verify.h"

#include <ctype.h>
#include <lauxlib.h>
#include <lualib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build_id.h"
#include "claims.inc"
#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/io/pool.h"
#include "harness/lua/args.h"
#include "harness/lua/context.h"
#include "harness/lua/script.h"

static const char CLAIMS[] = "impactlab.claims"; /* in the registry: the array of claims */
static const char COMMON[] = "common";

enum { CLAIM_FILES = sizeof claim_files / sizeof claim_files[0] };

typedef struct {
    lua_Integer claim, check; /* indices from 1 into the array of claims and into its cases */
} job;

typedef struct {
    const il_verify_options *options; /* NULL: list */
    lua_State *L;
    job *jobs; /* [njobs] owned by an arena */
    size_t njobs, done;
    json_t **rows; /* [njobs] array of rows of each job; owned by the arena */
    json_t *result;
} verification;

/* ---- declaring ------------------------------------------------------------------------------ */

static void push_claims(lua_State *L) {
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, CLAIMS);
}

static void require_field(lua_State *L, const char *key, int type) {
    if (lua_getfield(L, 1, key) != type) {
        (void)luaL_error(L, "lab.claim: %s is a %s; allowed: a %s", key, luaL_typename(L, -1),
                         lua_typename(L, type));
    }
    lua_pop(L, 1);
}

/* lab.claim */
static int claim(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    require_field(L, "id", LUA_TSTRING);
    require_field(L, "source", LUA_TSTRING);
    require_field(L, "statement", LUA_TSTRING);
    require_field(L, "cases", LUA_TTABLE);
    require_field(L, "check", LUA_TFUNCTION);
    (void)lua_getfield(L, 1, "id");
    push_claims(L);
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    for (lua_Integer k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, -1, k);
        (void)lua_getfield(L, -1, "id");
        if (lua_rawequal(L, -1, 2)) {
            return luaL_error(L, "lab.claim: id '%s' is declared twice", lua_tostring(L, 2));
        }
        lua_pop(L, 2);
    }
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, n + 1);
    return 0;
}

/* Load text and call it with what stands at index common. */
static void load(lua_State *L, const char *text, size_t size, const char *name, int common,
                 int results) {
    if (luaL_loadbufferx(L, text, size, name, "t") != LUA_OK) {
        (void)lua_error(L);
    }
    lua_pushvalue(L, common);
    lua_call(L, 1, results);
}

static void load_file(lua_State *L, size_t k, int common, int results) {
    char name[64];
    (void)snprintf(name, sizeof name, "@scripts/claims/%s.lua", claim_files[k].name);
    load(L, (const char *)claim_files[k].text, claim_files[k].size, name, common, results);
}

/* common.lua and its sequels common_*.lua, in this order. */
static bool is_common(size_t k) {
    return strncmp(claim_files[k].name, COMMON, sizeof COMMON - 1) == 0;
}

/* text: claims in place of those that are embedded, or NULL. */
static void declare(lua_State *L, const char *text) {
    lua_getglobal(L, "require");
    lua_pushliteral(L, "impactlab");
    lua_call(L, 1, 1);
    lua_pushcfunction(L, claim);
    lua_setfield(L, -2, "claim");
    lua_pushnil(L);
    int common = lua_gettop(L);
    for (size_t k = 0; k < CLAIM_FILES; k++) {
        if (is_common(k)) {
            bool first = lua_isnil(L, common);
            load_file(L, k, common, first ? 1 : 0);
            if (first) {
                lua_replace(L, common);
            }
        }
    }
    for (size_t k = 0; text == NULL && k < CLAIM_FILES; k++) {
        if (!is_common(k)) {
            load_file(L, k, common, 0);
        }
    }
    if (text != NULL) {
        load(L, text, strlen(text), "=claims", common, 0);
    }
}

/* ---- judging -------------------------------------------------------------------------------- */

/* The string at key of the table at the top, or NULL; it lives as long as the table. */
static const char *text_at(lua_State *L, const char *key) {
    const char *text = lua_getfield(L, -1, key) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    lua_pop(L, 1);
    return text;
}

static double number_at(lua_State *L, const char *key) {
    double x = lua_getfield(L, -1, key) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    lua_pop(L, 1);
    return x;
}

static json_t *text_or_null(const char *text) {
    return text != NULL ? json_string(text) : json_null();
}

static json_t *make_row(const char *verdict, const char *reason) {
    return json_pack("{s:n, s:n, s:n, s:n, s:s, s:n, s:s, s:o, s:n}", "problem", "scheme", "what",
                     "measured", "sense", "<=", "bound", "verdict", verdict, "reason",
                     text_or_null(reason), "evidence");
}

/* The row at the top of the stack with its verdict. */
static json_t *judge(lua_State *L) {
    static const char *const texts[] = {"problem", "scheme", "what", "evidence"};
    if (!lua_istable(L, -1)) {
        return make_row("FAIL", "the check returned no row");
    }
    const char *not_applicable = text_at(L, "not_applicable");
    const char *inconclusive = text_at(L, "inconclusive");
    const char *finding = text_at(L, "finding");
    const char *sense = text_at(L, "sense");
    double measured = number_at(L, "measured");
    double bound = number_at(L, "bound");
    bool above = sense != NULL && strcmp(sense, ">=") == 0;
    bool holds = above ? measured >= bound : measured <= bound;
    const char *verdict = holds ? "PASS" : "FAIL";
    const char *reason = NULL;
    if (not_applicable != NULL) {
        verdict = "NOT APPLICABLE";
        reason = not_applicable;
    } else if (inconclusive != NULL) {
        verdict = "INCONCLUSIVE";
        reason = inconclusive;
    } else if (finding != NULL) {
        verdict = holds ? "FAIL" : "FINDING";
        reason = holds ? "this is known not to hold, and now it does" : finding;
    }
    json_t *row = make_row(verdict, reason);
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        (void)json_object_set_new(row, texts[k], text_or_null(text_at(L, texts[k])));
    }
    (void)json_object_set_new(row, "measured", il_json_number(measured));
    (void)json_object_set_new(row, "sense", json_string(above ? ">=" : "<="));
    (void)json_object_set_new(row, "bound", il_json_number(bound));
    return row;
}

/* The rows that a check returned, at the top of the stack: one, or an array of them. */
static json_t *judge_all(lua_State *L) {
    json_t *rows = json_array();
    size_t n = lua_istable(L, -1) ? (size_t)lua_rawlen(L, -1) : 0;
    for (size_t k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, -1, (lua_Integer)k);
        (void)json_array_append_new(rows, judge(L));
        lua_pop(L, 1);
    }
    if (n == 0) {
        (void)json_array_append_new(rows, judge(L));
    }
    return rows;
}

/* ---- one check, in a worker ----------------------------------------------------------------- */

static int with_traceback(lua_State *L) {
    luaL_traceback(L, L, luaL_tolstring(L, 1, NULL), 1);
    return 1;
}

/* Random numbers that depend on the check alone, not on what its worker did before. */
static void seed(lua_State *L) {
    lua_getglobal(L, LUA_MATHLIBNAME);
    (void)lua_getfield(L, -1, "randomseed");
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_call(L, 2, 0);
    lua_pop(L, 1);
}

/* Arguments: claim, check. Returns what the check returns. */
static int call_check(lua_State *L) {
    seed(L);
    push_claims(L);
    (void)lua_rawgeti(L, -1, lua_tointeger(L, 1));
    (void)lua_getfield(L, -1, "check");
    (void)lua_getfield(L, -2, "cases");
    (void)lua_rawgeti(L, -1, lua_tointeger(L, 2));
    lua_replace(L, -2);
    lua_call(L, 1, 1);
    return 1;
}

static char *work(void *data, size_t k) {
    const verification *v = data;
    lua_State *L = v->L;
    json_t *rows = NULL;
    lua_pushcfunction(L, with_traceback);
    lua_pushcfunction(L, call_check);
    lua_pushinteger(L, v->jobs[k].claim);
    lua_pushinteger(L, v->jobs[k].check);
    if (lua_pcall(L, 2, 1, -4) == LUA_OK) {
        rows = judge_all(L);
    } else {
        rows = json_pack("[o]", make_row("FAIL", lua_tostring(L, -1)));
    }
    lua_pop(L, 2);
    char *text = il_json_text(rows);
    json_decref(rows);
    return text;
}

/* In the parent. */
static il_status take(void *data, size_t k, const char *text, const char *why, il_error *err) {
    verification *v = data;
    json_t *rows = text != NULL ? json_loads(text, 0, NULL) : NULL;
    if (rows == NULL) {
        rows = json_pack("[o]", make_row("FAIL", why));
    }
    if (rows == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a verdict");
    }
    v->rows[k] = rows;
    v->done++;
    if (v->options->progress != NULL) {
        v->options->progress(v->options->data, v->done, v->njobs);
    }
    return IL_OK;
}

/* ---- all checks ----------------------------------------------------------------------------- */

/* Do two ids agree in their letters and digits? */
static bool same_id(const char *a, const char *b) {
    for (;;) {
        while (*a != '\0' && !isalnum((unsigned char)*a)) {
            a++;
        }
        while (*b != '\0' && !isalnum((unsigned char)*b)) {
            b++;
        }
        if (*a == '\0' || *b == '\0') {
            return *a == *b;
        }
        if (tolower((unsigned char)*a++) != tolower((unsigned char)*b++)) {
            return false;
        }
    }
}

/* True if the claim at the top of the stack is wanted. */
static bool wanted(lua_State *L, const il_verify_options *options) {
    const char *id = text_at(L, "id");
    bool found = options == NULL || options->nids == 0;
    for (size_t k = 0; !found && k < options->nids; k++) {
        found = same_id(id, options->ids[k]);
    }
    return found;
}

static void refuse_id(lua_State *L, const char *id) {
    il_error err = {IL_OK, ""};
    char known[IL_MESSAGE_MAX] = "";
    push_claims(L);
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    for (lua_Integer k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, -1, k);
        il_text_append(known, sizeof known, "%s%s", k == 1 ? "" : ", ", text_at(L, "id"));
        lua_pop(L, 1);
    }
    (void)il_fail(&err, IL_EINVAL, "unknown claim '%.60s'; known: %s", id, known);
    il_lua_raise(L, NULL, &err);
}

static void expect_known(lua_State *L, const il_verify_options *options) {
    for (size_t i = 0; i < options->nids; i++) {
        il_verify_options one = {.nids = 1, .ids = options->ids + i};
        bool known = false;
        push_claims(L);
        lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
        for (lua_Integer k = 1; k <= n; k++) {
            (void)lua_rawgeti(L, -1, k);
            known |= wanted(L, &one);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
        if (!known) {
            refuse_id(L, options->ids[i]);
        }
    }
}

/* Cases of the claim at the top of the stack. */
static size_t count_cases(lua_State *L) {
    (void)lua_getfield(L, -1, "cases");
    size_t n = (size_t)lua_rawlen(L, -1);
    lua_pop(L, 1);
    return n;
}

static void close_rows(void *room) {
    verification *v = *(verification **)room;
    for (size_t k = 0; v != NULL && k < v->njobs; k++) {
        json_decref(v->rows[k]);
    }
}

/* Every case of every wanted claim, in the order of declaration; the array of claims is at the top
 * of the stack. */
static void list_jobs(lua_State *L, il_lua_arena *arena, verification *v) {
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    size_t room = 0;
    for (lua_Integer k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, -1, k);
        room += wanted(L, v->options) ? count_cases(L) : 0;
        lua_pop(L, 1);
    }
    v->jobs = il_lua_take(L, arena, room, sizeof *v->jobs, NULL);
    v->rows = il_lua_take(L, arena, room, sizeof *v->rows, NULL);
    for (lua_Integer k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, -1, k);
        size_t cases = wanted(L, v->options) ? count_cases(L) : 0;
        for (size_t c = 1; c <= cases; c++) {
            v->jobs[v->njobs++] = (job){k, (lua_Integer)c};
        }
        lua_pop(L, 1);
    }
    verification **owner = il_lua_take(L, arena, 1, sizeof(verification *), close_rows);
    *owner = v;
}

/* Append the rows of job k to list, each with the claim that it belongs to, and count them. */
static void append(lua_State *L, const verification *v, size_t k, json_t *list, size_t *counts,
                   const char *const *verdicts) {
    size_t i = 0;
    json_t *row = NULL;
    (void)lua_rawgeti(L, -1, v->jobs[k].claim);
    json_array_foreach(v->rows[k], i, row) {
        json_t *full = json_pack("{s:s, s:s, s:s}", "id", text_at(L, "id"), "statement",
                                 text_at(L, "statement"), "source", text_at(L, "source"));
        (void)json_object_update(full, row);
        (void)json_array_append_new(list, full);
        for (size_t c = 0; verdicts[c] != NULL; c++) {
            counts[c] +=
                strcmp(json_string_value(json_object_get(row, "verdict")), verdicts[c]) == 0;
        }
    }
    lua_pop(L, 1);
}

/* The array of claims is at the top of the stack. */
static json_t *make_report(lua_State *L, const verification *v) {
    static const char *const verdicts[] = {"PASS",           "FAIL",         "FINDING",
                                           "NOT APPLICABLE", "INCONCLUSIVE", NULL};
    static const char *const keys[] = {"passed", "failed", "findings", "not_applicable",
                                       "inconclusive"};
    size_t counts[sizeof keys / sizeof keys[0]] = {0};
    json_t *list = json_array();
    for (size_t k = 0; k < v->njobs; k++) {
        append(L, v, k, list, counts, verdicts);
    }
    json_t *report =
        json_pack("{s:o, s:I}", "claims", list, "checked", (json_int_t)json_array_size(list));
    for (size_t c = 0; c < sizeof keys / sizeof keys[0]; c++) {
        (void)json_object_set_new(report, keys[c], json_integer((json_int_t)counts[c]));
    }
    (void)json_object_set_new(report, "version", json_string(IL_VERSION));
    (void)json_object_set_new(report, "build", json_string(IL_BUILD_ID));
    return report;
}

static int verify_body(lua_State *L) {
    verification *v = lua_touserdata(L, 1);
    il_error err = {IL_OK, ""};
    declare(L, v->options->claims);
    il_lua_arena *arena = il_lua_arena_open(L);
    expect_known(L, v->options);
    push_claims(L);
    list_jobs(L, arena, v);
    v->L = L;
    size_t workers = v->options->workers > 0 ? v->options->workers : 1;
    il_pool pool = {.workers = workers < v->njobs || v->njobs == 0 ? workers : v->njobs,
                    .jobs = v->njobs,
                    .work = work,
                    .take = take,
                    .data = v};
    il_lua_expect(L, NULL, il_pool_run(&pool, &err), &err);
    v->result = make_report(L, v);
    return 0;
}

static int list_body(lua_State *L) {
    verification *v = lua_touserdata(L, 1);
    declare(L, NULL);
    push_claims(L);
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    v->result = json_array();
    for (lua_Integer k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, -1, k);
        (void)json_array_append_new(
            v->result, json_pack("{s:s, s:s, s:s, s:I}", "id", text_at(L, "id"), "statement",
                                 text_at(L, "statement"), "source", text_at(L, "source"), "checks",
                                 (json_int_t)count_cases(L)));
        lua_pop(L, 1);
    }
    return 0;
}

static il_status run_body(lua_CFunction body, verification *v, json_t **out, il_error *err) {
    il_lua_options options = {.workers = 1,
                              .substitutes = v->options != NULL ? v->options->substitutes : NULL};
    il_lua_context context = {.options = &options};
    il_status status = il_lua_call(&context, body, v, err);
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

il_status il_verify_list(json_t **list, il_error *err) {
    verification v = {.options = NULL};
    return run_body(list_body, &v, list, err);
}
