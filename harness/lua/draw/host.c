/*
 * host.c - what the library's charts and tables, written in Lua (harness/lua/library), ask of C.
 *
 *     host.draw(call, figure, result)    draw it (figure.c); the path of the PNG
 *     host.table(call, {name =, order =, txt =, csv =, tex =}, result, manifest)
 *         write these texts into RESULTS/tables; the path of the first
 *     host.is_number(text)              does the whole of it spell one?
 *     host.is_simple(text)              is it the same in all formats?
 *     host.section(section)             what is drawn from now on belongs there (origin.c)
 *     host.journal(kind, verdict, text)  a line for the top of the page
 *     host.say(text)   host.failed()    a message; has a run failed until now?
 *
 * of a result (the first of a sweep too):
 *
 *     host.sweep(r)                 {name, reference, sizes, steps = | h =, cases =, ensemble =,
 *                                   problems = {...}, types = {...} of these, schemes = {...},
 *                                   chosen = {...} colours, by the numbers of schemes}
 *     host.numbers(r, path, first, n)   of every case, or of n from the first on; NaN for none
 *     host.numbers(r, nil, first, n)    the steps, also of cases that did not run
 *     host.texts(r, path, first, n)     as numbers; "" for none
 *     host.complete(r, call)        an error where cases are missing
 *
 * Case ((p - 1) #schemes + s - 1) sizes + k is problem p by scheme s at size k, all from 1.
 */
#include <ctype.h>
#include <lauxlib.h>
#include <math.h>

#include "harness/base/text.h"
#include "harness/draw/publish.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/draw/draw.h"
#include "harness/lua/sweep/result.h"

/* ---- a sweep --------------------------------------------------------------------------------- */

/* The solution that errors are errors against. */
static void push_reference(lua_State *L, const il_sweep *s) {
    switch (s->reference) {
    case IL_REFERENCE_SELF:
        lua_pushfstring(L, "%s in %I steps", s->reference_scheme->name,
                        (LUAI_UACINT)s->reference_steps);
        break;
    case IL_REFERENCE_EVENTS:
        lua_pushliteral(L, "the event-driven solution");
        break;
    case IL_REFERENCE_OWN:
        lua_pushfstring(L, "%s, of the script's own", il_lua_reference_exact(s->own)->name);
        break;
    case IL_REFERENCE_EXACT:
    case IL_REFERENCE_NONE:
        lua_pushliteral(L, "the exact solution");
        break;
    }
}

static int sweep(lua_State *L) {
    const il_sweep *s = il_lua_sweep_at(L, 1);
    il_lua_arena *arena = il_lua_arena_open(L);
    il_lua_make(L, IL_SET("name", s->name));
    push_reference(L, s);
    lua_setfield(L, -2, "reference");
    il_lua_set(L, IL_SET("sizes", s->nsizes), IL_SET("cases", il_sweep_count(s)),
               IL_SET("ensemble", s->ensemble));
    il_lua_set_numbers(L, s->steps != NULL ? "steps" : "h", s->steps != NULL ? s->steps : s->hs,
                       s->nsizes, 1);
    const char **names = il_lua_take(L, arena, s->nproblems + s->nschemes, sizeof *names, NULL);
    for (size_t k = 0; k < s->nproblems; k++) {
        names[k] = s->problems[k].label;
    }
    il_lua_push_texts(L, names, s->nproblems);
    lua_setfield(L, -2, "problems");
    for (size_t k = 0; k < s->nproblems; k++) {
        names[k] = s->problems[k].type->name;
    }
    il_lua_push_texts(L, names, s->nproblems);
    lua_setfield(L, -2, "types");
    for (size_t k = 0; k < s->nschemes; k++) {
        names[k] = s->schemes[k]->name;
    }
    il_lua_push_texts(L, names, s->nschemes);
    lua_setfield(L, -2, "schemes");
    lua_newtable(L);
    for (size_t k = 0; k < s->nschemes; k++) {
        const il_scheme_choice *scheme = s->schemes[k];
        lua_pushstring(L, scheme->functions != NULL ? scheme->type->color : NULL);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, "chosen");
    return 1;
}

/* ---- records --------------------------------------------------------------------------------- */

/* The step of case k, also where it did not run. */
static double step_of(const il_result *r, size_t k) {
    double h = il_json_pack_number(r->records, k, "h");
    const il_sweep *s = r->sweep;
    size_t size = k % s->nsizes;
    return isfinite(h) ? h : s->hs != NULL ? s->hs[size] : 1.0 / s->steps[size];
}

/* Push the values of the records at the path at index 2 (nil: their steps), of the cases from the
 * one at index 3, all by default, as many as index 4 says. */
static int push_column(lua_State *L, bool texts) {
    const il_result *r = il_lua_check_result(L, 1);
    const char *path = luaL_optstring(L, 2, NULL);
    size_t first = (size_t)luaL_optinteger(L, 3, 1) - 1;
    lua_Integer n = luaL_optinteger(L, 4, (lua_Integer)il_sweep_count(r->sweep));
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < (size_t)n; k++) {
        if (texts) {
            lua_pushstring(L, il_json_pack_text(r->records, first + k, path));
        } else {
            lua_pushnumber(L, path != NULL ? il_json_pack_number(r->records, first + k, path)
                                           : step_of(r, first + k));
        }
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    return 1;
}

static int numbers(lua_State *L) {
    return push_column(L, false);
}

static int texts(lua_State *L) {
    return push_column(L, true);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* The texts of the formats that the table at index 2 has. */
static int table(lua_State *L) {
    static const char *const names[] = {"txt", "csv", "tex"};
    static const char *const ends[] = {".txt", ".csv", ".tex"};
    const char *suffixes[3];
    const char *texts[3];
    int n = 0;
    il_error err = {IL_OK, ""};
    il_section section;
    lua_settop(L, 4);
    il_fields f = il_fields_open(L, il_lua_arena_open(L), 2, luaL_checkstring(L, 1), "");
    const char *folder = il_lua_push_folder(L, "tables");
    il_publication files = {.dir = folder,
                            .name = il_fields_text(&f, "name", NULL),
                            .order = il_lua_place(&f),
                            .section = il_lua_section(L, &section),
                            .origin = il_lua_origin(L, f.arena, 3)};
    for (size_t k = 0; k < 3; k++) {
        if (il_fields_push(&f, names[k])) {
            suffixes[n] = ends[k];
            texts[n++] = lua_tostring(L, -1); /* the table keeps it */
        }
    }
    il_lua_tell_other(L, folder, files.name, ".table.json");
    lua_pushvalue(L, 4);
    json_t *manifest = il_lua_report_take(L);
    il_status status = il_publish_texts(&files, suffixes, texts, n, ".table.json", manifest, &err);
    il_lua_expect(L, f.call, status, &err);
    lua_pushfstring(L, "%s/%s%s", folder, files.name, suffixes[0]);
    il_lua_tell(il_lua_context_of(L), "wrote %s", lua_tostring(L, -1));
    return 1;
}

/* host.is_number(text): does the whole of it spell one? */
static int is_number(lua_State *L) {
    double x = 0.0;
    lua_pushboolean(L, il_text_number(luaL_checkstring(L, 1), &x));
    return 1;
}

/* ---- messages and words ---------------------------------------------------------------------- */

static int complete(lua_State *L) {
    il_result_expect_complete(L, il_lua_check_result(L, 1), luaL_checkstring(L, 2));
    return 0;
}

static int say(lua_State *L) {
    il_lua_say(il_lua_context_of(L), "%s", luaL_checkstring(L, 1));
    return 0;
}

static int failed(lua_State *L) {
    const il_lua_outcome *o = &il_lua_context_of(L)->outcome;
    lua_pushboolean(L, o->failed + o->runs_failed > 0);
    return 1;
}

static int journal(lua_State *L) {
    il_journal_judge(il_lua_context_of(L)->journal, luaL_checkstring(L, 1), luaL_checkstring(L, 2),
                     luaL_checkstring(L, 3));
    return 0;
}

/* host.is_simple(text): only letters, digits and what no format writes in another way? */
static int is_simple(lua_State *L) {
    const char *text = luaL_checkstring(L, 1);
    while (isalnum((unsigned char)*text) || *text == ' ' || *text == '.' || *text == ':' ||
           *text == '+' || *text == '-') {
        text++;
    }
    lua_pushboolean(L, *text == '\0');
    return 1;
}

const luaL_Reg il_lua_host_drawing[] = {{"draw", il_lua_draw_figure},
                                        {"table", table},
                                        {"is_number", is_number},
                                        {"is_simple", is_simple},
                                        {"section", il_lua_begin_section},
                                        {"journal", journal},
                                        {"say", say},
                                        {"failed", failed},
                                        {"sweep", sweep},
                                        {"numbers", numbers},
                                        {"texts", texts},
                                        {"complete", complete},
                                        {NULL, NULL}};
