/*
 * sweep.h - a sweep, as lab.sweep declares it. Not for use outside
 * harness/lua.
 */
#ifndef IL_LUA_SWEEP_H
#define IL_LUA_SWEEP_H

#include "harness/lua/base/context.h"
#include "harness/lua/scripted/case.h"
#include "harness/lua/scripted/reference.h"

typedef enum {
    IL_REFERENCE_NONE,
    IL_REFERENCE_EXACT,
    IL_REFERENCE_EVENTS,
    IL_REFERENCE_SELF,
    IL_REFERENCE_OWN
} il_reference_kind;

/* A problem with its place on the axes projectors, tols, seeds. */
typedef struct {
    il_case common;   /* what its cases share */
    il_choice plain;  /* the problem as a reference of the sweep's own has it */
    size_t reference; /* the first problem that has the same one */
} il_variant;

/* problems x schemes x sizes; every pointer is owned by the arena. */
typedef struct {
    il_lua_arena *arena;
    const char *name; /* of its tables and figures */
    size_t nproblems, nschemes, nsizes;
    il_choice *problems;              /* [nproblems] */
    il_variant *variants;             /* [nproblems] */
    const il_scheme_choice **schemes; /* [nschemes] */
    const double *steps;              /* [nsizes] integers, or NULL */
    const double *hs;                 /* [nsizes] or NULL */
    const double *phase_c, *phase_m;  /* [nsizes] of hs = c 2^-m from lab.phases, or NULL */
    bool quiet;                       /* one of many: what it found and ran is not told */
    bool lenient;    /* who asks tells of runs that fail: no failure of the script */
    size_t ensemble; /* runs from moved data at the ends of the sizes; 0: none */
    il_case common;  /* all else */
    il_reference_kind reference;
    size_t reference_steps;
    const il_scheme_choice *reference_scheme;
    const char *reference_name;  /* "self: maury, 65536 steps", or NULL */
    const il_lua_reference *own; /* the script's, or NULL */
} il_sweep;

/* Case k is problem k / (nschemes nsizes), scheme (k / nsizes) mod nschemes, size k mod nsizes. */
size_t il_sweep_count(const il_sweep *sweep);
il_case il_sweep_case(const il_sweep *sweep, size_t k);

/* The problem whose reference of the sweep's own a problem has: the first of those that have it. */
size_t il_sweep_reference_of(const il_sweep *sweep, size_t problem);

/* The case that makes the reference of problem i: the run that one of the sweep's own is, or that
 * of half its steps; of an event-driven one some case that has it. */
il_case il_sweep_reference_case(const il_sweep *sweep, size_t i, bool half);

/* The sweep at index, or an error. */
const il_sweep *il_lua_check_sweep(lua_State *L, int index);

#endif
