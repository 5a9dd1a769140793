/*
 * parts.h - a problem whose parts are Lua functions: what lab.problem fills in and what the
 * callbacks read. Not for use outside problem.c, instance.c, callback.c, derivatives.c and check.c
 * of harness/lua.
 */
#ifndef IL_LUA_PARTS_H
#define IL_LUA_PARTS_H

#include <stdbool.h>

#include "harness/lua/base/args.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/identity.h"
#include "harness/run/case.h"
#include "harness/study/hypotheses/derivatives.h"

/* The functions a script may give, and their keys. */
typedef enum {
    IL_LUA_FORCE,
    IL_LUA_FORCE_MEAN,
    IL_LUA_CONSTRAINTS,
    IL_LUA_EXACT,
    IL_LUA_FUNCTIONS
} il_lua_function;
extern const char *const il_lua_function_names[IL_LUA_FUNCTIONS + 1]; /* ends with NULL */

typedef struct {
    il_problem_type type; /* first: an il_problem_type * of ours is an il_scripted * */
    il_callbacks callbacks;
    il_lua_context *context;
    il_lua_arena *arena;            /* owns what the pointers below point to */
    int function[IL_LUA_FUNCTIONS]; /* references into the registry, or LUA_NOREF */
    int order;
    size_t d, p; /* p: SIZE_MAX until the constraints were called once */
    double horizon, restitution;
    const double *q0, *u0; /* [d] */
    const double *mass;    /* [d], or [d][d] if dense */
    bool dense;
    const double *breaks; /* [nbreaks] of the exact solution, inside */
    size_t nbreaks;
    const double *force_breaks; /* [nforce_breaks] increasing: where the force may jump */
    size_t nforce_breaks;
    const double *constant; /* [d] the force where it is numbers, else NULL */
    const double *affine; /* [naffine][d + 2] constraints that are numbers: g, dt, grad; or NULL */
    size_t naffine;
    il_error failure;      /* the first since the last creation */
    unsigned char *absent; /* [p] IL_MADE_...: what the rows came without at the start, likewise */
    unsigned char *made;  /* [p] IL_MADE_...: derivatives that differences stand for; NULL until the
                            problem was tried out */
    il_derivatives found; /* what came of comparing the others at declaration */
    double made_error;    /* of the made ones at the start, relative to the largest of them */
    il_lua_identity identity;
} il_scripted;

/* One problem made of it: the rows at the last (t, q), so that asking for them one by one calls the
 * script once. */
typedef struct {
    il_scripted *w;
    const il_problem *self;
    il_derivatives_work *work; /* differences; NULL until needed */
    unsigned char *missing;    /* [p] IL_MADE_...: what the current rows came without */
    size_t missing_room;
    bool incomplete; /* some row came without a derivative */
    il_rows rows;
    bool valid; /* they are those at (t, q) */
    double t;
    double *q;      /* [d] */
    double *coef;   /* [d] scratch */
    size_t *col;    /* [d] scratch */
    double *breaks; /* with the ends */
    il_exact exact;
} il_lua_instance;

/* A question to the script, and where the answer goes. */
typedef struct {
    il_scripted *w;
    il_lua_function what;
    double t0, t1;
    int side;
    const double *q;       /* [d] argument */
    double *x, *y;         /* [d] answers */
    il_lua_instance *rows; /* receives constraints */
    double *values;        /* [p] or their values alone */
} il_lua_request;

/* The problem at index if lab.problem made it, else NULL. */
il_scripted *il_scripted_test(lua_State *L, int index);

/* As il_callbacks has them; scripted is an il_scripted. */
const il_error *il_scripted_failure(const void *scripted);
const char *il_scripted_derivatives(const void *scripted);
il_status il_scripted_contact(const void *scripted, const il_problem *problem, double t,
                              const double *q, const bool *first, il_error *err);

/* status, or the first failure of a callback since the problem was last created. */
il_status il_scripted_verdict(const il_scripted *problem, il_status status, il_error *err);

/* Ask. False, with the failure noted, unless the script answered. */
bool il_scripted_ask(il_lua_request *request);

/* Fill in the derivatives that the rows at (t,q) came without. IL_ENUMERIC with the failure noted
 * where they cannot be made. */
il_status il_scripted_complete(il_lua_instance *s, double t, const double *q);

/* Which derivatives are missing, and are the others right? IL_EINVAL where one is not. */
il_status il_scripted_survey(il_scripted *w, const il_problem *problem, il_error *err);

/* Set the callbacks that the functions and numbers given call for. */
void il_scripted_bind(il_scripted *w);

/* g_i(t,q) of constraints that are numbers; all of them, into g[naffine]. */
double il_scripted_affine_value(const il_scripted *w, size_t i, double t, const double *q);
void il_scripted_affine_values(const il_scripted *w, double t, const double *q, double *g);

/* Make the problem once and call every function: start, mass and functions are wrong now or never.
 * scratch has room for 2 d numbers. */
il_status il_scripted_try(il_scripted *w, double *scratch, il_error *err);

#endif
