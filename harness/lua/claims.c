/*
 * claims.c - the claim files that the build embedded, or a text in their place: loaded, declared.
 *
 *     lab.claim{id =, source =, statement =, cases = {...}, check = function(case) ... end,
 *               controls = {{what =, case = 1, KEY = VALUE, ...}, ...}}
 *
 * is known to claim files alone. check is called for every element of cases, in a worker of its
 * own. A control is a wrong input that must make the claim fail: what says which, case is the
 * element that it starts from, and the other keys are put into a copy of that. What common.lua
 * returns is handed to every other file.
 */
#include "harness/lua/claims.h"

#include <ctype.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

#include "claims.inc"
#include "harness/base/text.h"
#include "harness/lua/base/args.h"

static const char CLAIMS[] = "impactlab.claims"; /* in the registry: the array of claims */
static const char COMMON[] = "common";

enum { CLAIM_FILES = sizeof claim_files / sizeof claim_files[0] };

const char *il_claims_text(lua_State *L, const char *key) {
    const char *text = lua_getfield(L, -1, key) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    lua_pop(L, 1);
    return text;
}

size_t il_claims_count(lua_State *L, const char *key) {
    size_t n = lua_getfield(L, -1, key) == LUA_TTABLE ? (size_t)lua_rawlen(L, -1) : 0;
    lua_pop(L, 1);
    return n;
}

/* ---- declaring ------------------------------------------------------------------------------ */
void il_claims_push(lua_State *L) {
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, CLAIMS);
}

static void require_field(lua_State *L, const char *key, int type) {
    if (lua_getfield(L, 1, key) != type) {
        (void)luaL_error(L, "lab.claim: %s is a %s; allowed: a %s", key, luaL_typename(L, -1),
                         lua_typename(L, type));
    }
    lua_pop(L, 1);
}

/* controls, if there are any: tables that say what they are and start from a case that is there. */
static void require_controls(lua_State *L) {
    if (lua_getfield(L, 1, "controls") == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    lua_pop(L, 1);
    require_field(L, "controls", LUA_TTABLE);
    (void)lua_getfield(L, 1, "cases");
    (void)lua_getfield(L, 1, "controls");
    lua_Integer cases = (lua_Integer)lua_rawlen(L, -2);
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    for (lua_Integer k = 1; k <= n; k++) {
        if (lua_rawgeti(L, -1, k) != LUA_TTABLE || il_claims_text(L, "what") == NULL) {
            (void)luaL_error(L, "lab.claim: control %I does not say what it is", (LUAI_UACINT)k);
        }
        lua_Integer at = lua_getfield(L, -1, "case") == LUA_TNIL ? 1 : lua_tointeger(L, -1);
        if (at < 1 || at > cases) {
            (void)luaL_error(L, "lab.claim: control %I starts from case %I; allowed: 1 to %I",
                             (LUAI_UACINT)k, (LUAI_UACINT)at, (LUAI_UACINT)cases);
        }
        lua_pop(L, 2);
    }
    lua_pop(L, 2);
}

/* cost, if it is there: positive numbers, of the first cases. */
static void require_costs(lua_State *L) {
    if (lua_getfield(L, 1, "cost") != LUA_TNIL) {
        require_field(L, "cost", LUA_TTABLE);
        lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
        for (lua_Integer k = 1; k <= n; k++) {
            if (lua_rawgeti(L, -1, k) != LUA_TNUMBER || !(lua_tonumber(L, -1) > 0.0)) {
                (void)luaL_error(L, "lab.claim: cost[%I] is %s; allowed: a number above 0",
                                 (LUAI_UACINT)k, luaL_tolstring(L, -1, NULL));
            }
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
}

/* lab.claim */
static int claim(lua_State *L) {
    static const char *const keys[] = {"id",    "source",   "statement", "cases",
                                       "check", "controls", "cost",      NULL};
    (void)il_fields_begin(L, 1, "lab.claim", keys);
    require_field(L, "id", LUA_TSTRING);
    require_field(L, "source", LUA_TSTRING);
    require_field(L, "statement", LUA_TSTRING);
    require_field(L, "cases", LUA_TTABLE);
    require_field(L, "check", LUA_TFUNCTION);
    require_controls(L);
    require_costs(L);
    (void)lua_getfield(L, 1, "id");
    int id = lua_gettop(L);
    il_claims_push(L);
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    for (lua_Integer k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, -1, k);
        (void)lua_getfield(L, -1, "id");
        if (lua_rawequal(L, -1, id)) {
            return luaL_error(L, "lab.claim: id '%s' is declared twice", lua_tostring(L, id));
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

void il_claims_declare(lua_State *L, const char *text) {
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

/* ---- which claims --------------------------------------------------------------------------- */

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

bool il_claims_wanted(lua_State *L, size_t nids, const char *const *ids) {
    const char *id = il_claims_text(L, "id");
    bool found = nids == 0;
    for (size_t k = 0; !found && k < nids; k++) {
        found = same_id(id, ids[k]);
    }
    return found;
}

static void refuse_id(lua_State *L, const char *id) {
    il_error err = {IL_OK, ""};
    char known[IL_MESSAGE_MAX] = "";
    il_claims_push(L);
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    for (lua_Integer k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, -1, k);
        il_text_append(known, sizeof known, "%s%s", k == 1 ? "" : ", ", il_claims_text(L, "id"));
        lua_pop(L, 1);
    }
    (void)il_fail(&err, IL_EINVAL, "unknown claim '%.60s'; known: %s", id, known);
    il_lua_raise(L, NULL, &err);
}

void il_claims_expect_known(lua_State *L, size_t nids, const char *const *ids) {
    for (size_t i = 0; i < nids; i++) {
        bool known = false;
        il_claims_push(L);
        lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
        for (lua_Integer k = 1; k <= n; k++) {
            (void)lua_rawgeti(L, -1, k);
            known |= il_claims_wanted(L, 1, ids + i);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
        if (!known) {
            refuse_id(L, ids[i]);
        }
    }
}

/* ---- one check ------------------------------------------------------------------------------ */

/* Random numbers that depend on the check alone, not on what its worker did before. */
static void seed(lua_State *L) {
    lua_getglobal(L, LUA_MATHLIBNAME);
    (void)lua_getfield(L, -1, "randomseed");
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_call(L, 2, 0);
    lua_pop(L, 1);
}

/* A copy of the table at index from on the top, with what stands in the table at index over put
 * into it; over 0 for nothing. */
static void push_merged(lua_State *L, int from, int over) {
    lua_newtable(L);
    int copy = lua_gettop(L);
    const int sources[] = {from, over};
    for (size_t s = 0; s < 2; s++) {
        lua_pushnil(L);
        while (sources[s] != 0 && lua_next(L, sources[s]) != 0) {
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_rawset(L, copy);
        }
        lua_settop(L, copy);
    }
}

int il_claims_call(lua_State *L) {
    lua_Integer control = lua_tointeger(L, 3);
    seed(L);
    il_claims_push(L);
    (void)lua_rawgeti(L, -1, lua_tointeger(L, 1));
    int claim_at = lua_gettop(L);
    (void)lua_getfield(L, claim_at, "check");
    (void)lua_getfield(L, claim_at, "cases");
    (void)lua_rawgeti(L, -1, lua_tointeger(L, 2));
    int chosen = lua_gettop(L);
    int over = 0;
    if (control > 0) {
        (void)lua_getfield(L, claim_at, "controls");
        (void)lua_rawgeti(L, -1, control);
        over = lua_gettop(L);
        push_merged(L, chosen, over);
        lua_replace(L, chosen);
    }
    lua_settop(L, chosen);
    lua_replace(L, chosen - 1); /* over cases: check and its case are left */
    lua_call(L, 1, 1);
    return 1;
}
