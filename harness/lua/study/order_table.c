/*
 * order_table.c - an order as a table of a script, and as a line of text:
 *
 *     maury u_L1 on two_spheres: order 1.02 [0.98, 1.06] (95 %, 48 runs), Theil-Sen 1.01 [0.97,
 *     1.05], 6 of 6 levels: PASS, why
 */
#include "harness/lua/study/order_table.h"

#include <lauxlib.h>
#include <math.h>

#include "harness/base/text.h"
#include "harness/lua/base/setfield.h"

/* ---- words ---------------------------------------------------------------------------------- */

const char *il_order_levels_text(lua_State *L, il_lua_arena *arena, const il_order *o) {
    size_t used = 0;
    for (size_t k = 0; k < o->levels; k++) {
        used += o->level[k].fate == IL_LEVEL_USED;
    }
    return il_lua_print(L, arena, "%zu of %zu", isnan(o->slope) ? 0 : used, o->levels);
}

const char *il_order_plateau_text(lua_State *L, il_lua_arena *arena, const il_order *o) {
    return isnan(o->plateau)
               ? NULL
               : il_lua_print(L, arena, "%.1e (%s)", o->plateau, il_plateau_name(o->cause));
}

static const char *fate_name(il_level_fate fate) {
    return fate == IL_LEVEL_USED ? "used" : fate == IL_LEVEL_COARSE ? "coarse" : "plateau";
}

/* ", 4 of 6 levels (1 coarse dropped, p = 0.003; 1 plateau)" */
static void tell_levels(lua_State *L, il_lua_arena *arena, const il_order *o, char *out,
                        size_t capacity) {
    size_t coarse = 0;
    size_t plateau = 0;
    double misfit = NAN;
    for (size_t k = 0; k < o->levels; k++) {
        bool mine = o->level[k].fate == IL_LEVEL_COARSE;
        coarse += mine;
        plateau += o->level[k].fate == IL_LEVEL_PLATEAU;
        misfit = mine ? o->level[k].misfit : misfit;
    }
    il_text_append(out, capacity, ", %s level%s", il_order_levels_text(L, arena, o),
                   il_lua_plural(o->levels));
    if (coarse > 0) {
        il_text_append(out, capacity, " (dropped the coarsest %zu, bent by %.2g standard errors)",
                       coarse, fabs(misfit));
    }
    if (plateau > 0 || !isnan(o->plateau)) {
        il_text_append(out, capacity, ", plateau of %zu at %s", plateau,
                       il_order_plateau_text(L, arena, o));
    }
}

/* The line that an order prints as. */
static const char *order_line(lua_State *L, il_lua_arena *arena, const char *head,
                              const il_order *o, const il_claim *claim) {
    char out[1600] = "";
    il_text_append(out, sizeof out, "%s: ", head);
    if (isnan(o->slope)) {
        il_text_append(out, sizeof out, "no order (%zu run%s)", o->runs, il_lua_plural(o->runs));
    } else {
        il_text_append(out, sizeof out,
                       "order %.2f [%.2f, %.2f] (%g %%, %zu run%s), Theil-Sen %.2f [%.2f, %.2f]",
                       o->slope, o->low, o->high, 100.0 * o->confidence, o->n, il_lua_plural(o->n),
                       o->sen.slope, o->sen.low, o->sen.high);
        tell_levels(L, arena, o, out, sizeof out);
    }
    il_text_append(out, sizeof out, ": %s, %s", il_verdict_name(o->verdict), o->reason);
    if (claim != NULL && claim->source != NULL && !isnan(o->slope)) {
        il_text_append(out, sizeof out, " (%s)", claim->source);
    }
    return il_lua_copy(L, arena, out);
}

/* ---- tables --------------------------------------------------------------------------------- */

/* levels = {{h =, n =, fate =, misfit =}, ...} and dropped, those of them that are not used. */
static void set_levels(lua_State *L, const il_order *o) {
    lua_Integer ndropped = 0;
    lua_newtable(L);
    lua_createtable(L, (int)o->levels, 0);
    for (size_t k = 0; k < o->levels; k++) {
        const il_order_level *level = &o->level[k];
        lua_createtable(L, 0, 4);
        il_lua_set_number(L, "h", level->h);
        il_lua_set_count(L, "n", level->n);
        il_lua_set_text(L, "fate", fate_name(level->fate));
        if (level->fate != IL_LEVEL_USED) {
            il_lua_set_number(L, "misfit", level->misfit);
            lua_pushvalue(L, -1);
            lua_rawseti(L, -4, ++ndropped);
        }
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -3, "levels");
    lua_setfield(L, -2, "dropped");
}

static void set_claim(lua_State *L, const il_claim *claim) {
    static const char *const kinds[] = {"converges", "bound", "sharp"};
    if (claim == NULL) {
        return;
    }
    lua_createtable(L, 0, 4);
    il_lua_set_text(L, "kind", kinds[claim->kind]);
    il_lua_set_number(L, "order", claim->order);
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

static void set_numbers(lua_State *L, const il_order *o) {
    const struct {
        const char *key;
        double value;
    } numbers[] = {{"order", o->slope},
                   {"slope", o->slope},
                   {"low", o->low},
                   {"high", o->high},
                   {"level", o->confidence},
                   {"constant", o->constant},
                   {"spread", o->spread},
                   {"h_max", o->h_max},
                   {"h_min", o->h_min},
                   {"theil_sen", o->sen.slope},
                   {"theil_sen_low", o->sen.low},
                   {"theil_sen_high", o->sen.high},
                   {"power", o->power.slope},
                   {"power_low", o->power.low},
                   {"power_high", o->power.high},
                   {"half", o->half.slope},
                   {"half_low", o->half.low},
                   {"half_high", o->half.high},
                   {"fine", o->fine.slope},
                   {"fine_low", o->fine.low},
                   {"fine_high", o->fine.high},
                   {"sure_low", o->sure.low},
                   {"sure_high", o->sure.high},
                   {"floor", o->floor},
                   {"floor_low", o->floor_low},
                   {"floor_high", o->floor_high},
                   {"finest", o->finest},
                   {"floor_below", o->floor_below},
                   {"plateau", o->plateau},
                   {"at_floor", o->at_floor}};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        il_lua_set_number(L, numbers[k].key, numbers[k].value);
    }
    il_lua_set_count(L, "runs", o->runs);
    il_lua_set_count(L, "n", o->n);
    il_lua_set_count(L, "repeated", o->repeated);
    il_lua_set_count(L, "at_rounding", o->at_rounding);
    il_lua_set_count(L, "far_below", o->far_below);
}

void il_order_push(lua_State *L, il_lua_arena *arena, const char *head, const il_order *o,
                   const il_claim *claim) {
    lua_createtable(L, 0, 40);
    il_lua_set_text(L, "verdict", il_verdict_name(o->verdict));
    il_lua_set_text(L, "reason", o->reason);
    il_lua_set_text(L, "cause", il_plateau_name(o->cause));
    il_lua_set_text(L, "text", order_line(L, arena, head, o, claim));
    set_numbers(L, o);
    il_lua_set_flag(L, "several_limits", o->several_limits);
    set_levels(L, o);
    set_claim(L, claim);
    if (luaL_newmetatable(L, "impactlab.order")) {
        lua_pushcfunction(L, order_text);
        lua_setfield(L, -2, "__tostring");
    }
    lua_setmetatable(L, -2);
}
