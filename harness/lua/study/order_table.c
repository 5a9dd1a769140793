/*
 * order_table.c - an order as a table of a script, which prints as a line of text.
 */
#include "harness/lua/study/order.h"

#include <lauxlib.h>
#include <math.h>

#include "harness/lua/base/record.h"

static void set_claim(lua_State *L, const il_claim *claim) {
    static const char *const kinds[] = {"converges", "bound", "sharp"};
    if (claim == NULL) {
        return;
    }
    lua_createtable(L, 0, 5);
    il_lua_set_text(L, "kind", kinds[claim->kind]);
    il_lua_set_number(L, "order", claim->order);
    il_lua_set_number(L, "factor", claim->factor > 0.0 ? claim->factor : IL_ORDER_FACTOR);
    il_lua_set_text(L, "hypothesis", claim->hypothesis);
    il_lua_set_text(L, "source", claim->source);
    lua_setfield(L, -2, "claim");
}

static int order_text(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    (void)lua_getfield(L, 1, "text");
    (void)luaL_tolstring(L, -1, NULL);
    return 1;
}

/* The curve that was fitted: a + b x^p (1 - v + v x^r), x = h/h_max. */
static void set_curve(lua_State *L, const il_curve *c) {
    lua_createtable(L, 0, 5);
    il_lua_set_number(L, "a", c->a);
    il_lua_set_number(L, "b", c->b);
    il_lua_set_number(L, "p", c->p);
    il_lua_set_number(L, "v", c->v);
    il_lua_set_number(L, "r", c->half ? 0.5 : 1.0);
    lua_setfield(L, -2, "curve");
}

static void set_numbers(lua_State *L, const il_order *o) {
    const struct {
        const char *key;
        double value;
    } numbers[] = {{"order", o->order},
                   {"low", o->low},
                   {"high", o->high},
                   {"level", o->level},
                   {"sure_low", o->sure_low},
                   {"sure_high", o->sure_high},
                   {"fold", o->fold},
                   {"octaves", o->octaves},
                   {"h_max", o->h_max},
                   {"h_min", o->h_min},
                   {"finest", o->finest},
                   {"floor", o->floor},
                   {"floor_high", o->floor_high},
                   {"scatter", o->scatter}};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        il_lua_set_number(L, numbers[k].key, numbers[k].value);
    }
    il_lua_set_count(L, "runs", o->runs);
    il_lua_set_count(L, "used", o->used);
}

void il_order_push(lua_State *L, const char *head, const il_order *o, const il_claim *claim) {
    char text[1200] = "";
    lua_createtable(L, 0, 26);
    il_lua_set_text(L, "verdict", il_verdict_name(o->verdict));
    il_lua_set_text(L, "reason", o->reason);
    il_order_sentence(o, claim != NULL ? claim->source : NULL, text, sizeof text);
    lua_pushfstring(L, "%s: %s", head, text);
    lua_setfield(L, -2, "text");
    set_numbers(L, o);
    if (isfinite(o->order)) {
        set_curve(L, &o->curve);
    }
    il_lua_set_flag(L, "several_limits", o->several_limits);
    set_claim(L, claim);
    if (luaL_newmetatable(L, "impactlab.order")) {
        lua_pushcfunction(L, order_text);
        lua_setfield(L, -2, "__tostring");
    }
    lua_setmetatable(L, -2);
}
