/*
 * switching.h - a search for switching points at work. Not for use outside switching*.c.
 */
#ifndef IL_LUA_SWITCHING_H
#define IL_LUA_SWITCHING_H

#include "harness/lua/limits/limits.h"
#include "harness/study/limits/switching.h"

typedef struct {
    lua_State *L;
    il_lua_context *context;
    const char *call;
    const il_lua_limits *w;
    bool other;  /* runs of another problem than the limits' */
    bool kept;   /* records are stored, and runs made by the pool */
    il_case run; /* but for its step */
    il_trajectory *medoids;
    const char *medoids_key; /* what labels by level depend on, for keys of runs */
    il_switching_flow flow;
    il_switching_label *label;
    void *self;
    double c[2], tol;
} il_lua_search;

/* May records be stored? Not where functions of the script decide. */
bool il_lua_search_keeps(const il_lua_search *s);

/* The record of the run with step h, which has to go well, *record the caller's: found stored, or
 * made and stored. IL_EINVAL names the step of one that failed; IL_EINTERRUPTED. */
il_status il_lua_search_run(const il_lua_search *s, double h, json_t **record, il_error *err);

/* An il_switching_label: the cluster whose medoid is nearest to the run. */
il_status il_lua_search_by_level(void *self, double c, int m, int *label, il_error *err);

/* What is going to be asked for, by workers, each of which stores the runs that it makes: the
 * limits at phases c[n] of level m; the points[n], whose ends and names are known; the points
 * between s->c at levels m[n]. Who asks then finds them stored. IL_EINTERRUPTED, IL_ENOMEM,
 * IL_ECRASHED. */
il_status il_lua_search_phases(void *search, int m, const double *c, size_t n, il_error *err);
il_status il_lua_search_points(void *search, int m, const il_switching_point *points, size_t n,
                               il_error *err);
il_status il_lua_search_levels(il_lua_search *search, const double *m, size_t n, il_error *err);

#endif
