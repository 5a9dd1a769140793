/*
 * case.h - a case: all that one run of a script depends on, read from tables, kept in C.
 */
#ifndef IL_LUA_CASE_H
#define IL_LUA_CASE_H

#include <jansson.h>
#include <lua.h>

#include "harness/lua/args.h"
#include "harness/lua/scripted.h"
#include "harness/run/registry.h"
#include "harness/run/run.h"
#include "harness/run/substitute.h"

/* One parameter as the script gave it: a text or numbers. */
typedef struct {
    const char *key;
    const char *text; /* or NULL */
    size_t n;
    const double *x; /* [n] */
} il_setting;

/* A problem with its parameters. All is owned by an arena. */
typedef struct {
    const il_problem_type *type;
    il_scripted *scripted; /* the problem's own if it was made by lab.problem, else NULL */
    size_t nsettings;
    const il_setting *settings; /* [nsettings] by key */
    const char *label;          /* "two_spheres" or "two_spheres(scenario=free)" */
} il_choice;

typedef struct {
    const il_choice *problem;
    const il_scheme_choice *scheme;
    const il_projector_type *projector;
    il_projector_options projection;
    bool accept_stalled, final_only, series;
    bool exact;         /* the run in exact arithmetic too, as field "exact" of the record */
    const char *h_text; /* of h, for that; NULL: the shortest decimal */
    bool has_seed;
    size_t seed;
    size_t steps;
    double h, horizon; /* 0: not given */
    size_t nsamples;
    const double *samples;
    bool event_driven;                  /* compare with event_driven.h */
    size_t multipliers;                 /* as il_run_spec has it */
    const il_exact *reference;          /* or NULL: the problem's own */
    const il_trajectory *reference_run; /* the run that it is, or NULL */
    const json_t *reference_error;      /* its own distance from what it stands for, or NULL */
    unsigned norms;                     /* IL_NORM_... */
    const il_substitutes *substitutes;  /* of the script's options */
    bool loads;                         /* of lab.run: no part of a case's key */
    const il_observer *observers;       /* [nobservers] */
    size_t nobservers;
    const char *reference_key; /* what the reference depends on, for the case's key; or NULL */
} il_case;

/* Read the problem at the top of the stack (which stays): a name, {"name", key = value, ...} or a
 * value of lab.problem. keeper is the index of a table in which the value is kept alive. what names
 * it in messages. */
il_choice il_choice_read(const il_fields *f, const char *what, int keeper);

/* Fill what lab.run and lab.sweep have in common: projector, tol, max_iterations, rho,
 * accept_stalled, horizon, seed, samples, record, norms. */
void il_case_read_common(const il_fields *f, il_case *c);
#define IL_CASE_COMMON_KEYS                                                                        \
    "projector", "tol", "max_iterations", "rho", "accept_stalled", "horizon", "seed", "samples",   \
        "record", "norms"

/* Read "maury" or "moreau_jean:theta=0.5"; raises an error that says what there is. Owned by the
 * arena. */
const il_scheme_choice *il_case_scheme(const il_fields *f, const char *name);

/* What one run takes: problem, scheme, steps, h, and what is in common. problem receives the choice
 * and outlives the case; keeper as above. */
il_case il_case_read_run(const il_fields *f, il_choice *problem, int keeper);
#define IL_CASE_RUN_KEYS "problem", "scheme", "steps", "h", IL_CASE_COMMON_KEYS

/* The parameters of a case, fresh. The caller destroys. */
il_status il_case_params(const il_case *c, il_params **params, il_error *err);

/* The problem of a case, created with params (which the caller destroys later). */
il_status il_case_problem(const il_case *c, il_params **params, il_problem **problem,
                          il_error *err);

/* The same, and the parameters, owned by the arena; errors are raised, call being the function's
 * name. */
il_problem *il_lua_case_problem(lua_State *L, il_lua_arena *arena, const char *call,
                                const il_case *c, const il_params **params);

/* The problem that the keys problem and horizon of f name, made and owned by f's arena; *made
 * receives what was named. keeper as for il_choice_read. */
il_problem *il_lua_make_problem(const il_fields *f, int keeper, il_choice **made);

/* Callbacks of a problem written in Lua cannot fail where they are called: they leave a note.
 * Raises the error that it holds, if any. */
void il_lua_expect_callbacks(const il_fields *f, const il_choice *choice);

/* Can the case run: the problem can be created, the scheme means something on it. Without exact the
 * reason in err when needs_exact. */
il_status il_case_check(const il_case *c, bool needs_exact, il_error *err);

/* Run as a function of the module does, call being its name: il_case_run with callbacks on this
 * thread, errors raised, a failure told. *record is room that the caller's arena owns. */
void il_lua_run_case(lua_State *L, const char *call, const il_case *c, il_trajectory *trajectory,
                     json_t **record);

/* Run. *record is the JSON record, the caller's. A run that ends badly is IL_OK and has its status
 * in the record; otherwise nothing ran. trajectory as il_run takes it. */
il_status il_case_run(const il_case *c, il_trajectory *trajectory, json_t **record, il_error *err);

/* A record for a case that could not run at all: status, message, what it was to be, and null where
 * errors would stand. NULL when memory ran out. */
json_t *il_case_lost(const il_case *c, il_status status, const char *message);

/* All the record depends on as one line of text, the caller's; NULL if the case cannot be named
 * (memory ran out, or the problem was written in Lua: functions cannot be compared). */
char *il_case_key(const il_case *c);

#endif
