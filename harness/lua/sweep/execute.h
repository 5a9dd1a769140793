/*
 * execute.h - a sweep at work. Not for use outside harness/lua.
 */
#ifndef IL_LUA_EXECUTE_H
#define IL_LUA_EXECUTE_H

#include "harness/io/workers/jobs.h"
#include "harness/io/workers/pool.h"
#include "harness/lua/sweep/kept.h"
#include "harness/lua/sweep/norm.h"
#include "harness/lua/sweep/result.h"
#include "harness/lua/sweep/sweep_reference.h"
#include "harness/run/checkpoint.h"

typedef struct {
    il_lua_context *context;
    const il_sweep *sweep;
    il_result *result;
    char **keys;         /* [il_sweep_count] of cases that are not stored; NULL where one is made
                          * when it is asked for */
    size_t *pending;     /* [npending] cases to run */
    const double *sizes; /* [nproblems] what the work of a step goes with (waiting.h) */
    double *work;        /* [npending] that is expected of them */
    size_t npending;
    il_exact *references; /* [nproblems] of a self reference, else NULL */
    const il_trajectory **reference_runs;
    json_t **reference_errors; /* [nproblems] how far these are from runs of half as many steps */
    size_t *referred;          /* [nreferred] problems whose references the pool makes first */
    size_t nreferred;
    bool *ready;             /* [nproblems] the reference is stored */
    il_trajectory kept;      /* in a worker: the reference that it has read, */
    size_t kept_problem;     /* of this problem + 1; 0: none */
    const il_lua_norm *norm; /* that records are to have besides, or NULL */
    const char *title;       /* of what is told */
    double began;
    bool waited;                   /* it was told that another sweep has a case */
    size_t failed;                 /* of those run now */
    il_jobs **jobs;                /* shows how far they are (waiting.h); or NULL */
    bool scripted;                 /* cases depend on functions of the script */
    char unkept[IL_FUNCTIONS_WHY]; /* the last reason for which a record was not stored, or "" */
} il_execution;

/* Find, run and store the cases into e->result. Errors are raised. */
void il_execution_run(lua_State *L, il_execution *e);

/* The references of the problems that still have cases to run: left to the pool (referred), but
 * where nothing is stored or functions of the script decide; there those of the sweep's own are run
 * here, and event-driven ones made by each case. */
void il_execution_refer(lua_State *L, il_execution *e);

/* Who shows how far the jobs are, references before cases, while so many workers run them; classes
 * are (problem, scheme), and the reference of each problem. What it points to is the arena's, NULL
 * where nobody waits; whoever destroys it before puts NULL there. */
il_jobs **il_execution_watch(lua_State *L, const il_execution *e, size_t workers);

/* What reference job `job` is, for people. */
void il_execution_reference_name(const il_execution *e, size_t job, char *room, size_t capacity);

/* What a pool asks of reference job `job` < nreferred; a case waits until its own is ready. */
il_status il_execution_reference_take(il_execution *e, size_t job, il_pool_turn *turn,
                                      il_error *err);
char *il_execution_reference_work(il_execution *e, size_t job);
il_status il_execution_reference_receive(il_execution *e, size_t job, const char *text,
                                         const il_pool_loss *loss, il_error *err);

/* The same of event-driven references: execute_events.c. */
void il_execution_events_name(const il_execution *e, size_t job, char *room, size_t capacity);
il_status il_execution_events_take(il_execution *e, size_t job, il_pool_turn *turn, il_error *err);
char *il_execution_events_work(il_execution *e, size_t job);
il_status il_execution_events_receive(il_execution *e, size_t job, const char *text, il_error *err);

/* All references of the sweep into the roster: a script that asks for them keeps them. Errors are
 * raised. */
void il_execution_note_references(lua_State *L, const il_execution *e);

/* In a worker: the reference of problem i, from where it is stored. IL_EIO, IL_ENOMEM. */
il_status il_execution_reference_read(il_execution *e, size_t i, il_error *err);

/* The error that a half record of a reference says, for records of cases; in the record. */
json_t *il_execution_reference_error(json_t *half, size_t steps);

/* Where a case of key, which is `what` for people, leaves its state; checkpoint.path is NULL where
 * none is kept. il_execution_forget frees. */
typedef struct {
    il_checkpoint checkpoint;
    const il_execution *e;
    const il_case *c;
    const char *what;
    char *path, *key;
} il_execution_state;

void il_execution_remember(const il_execution *e, il_case *c, const char *what,
                           il_execution_state *state);
void il_execution_forget(il_execution_state *state);

/* The state of a case of key goes, which came to an end. */
void il_execution_finish(const il_execution *e, const char *key);

/* What has come of a case. */
typedef struct {
    const json_t *record; /* NULL where it is text alone */
    const char *text;     /* as the worker sent it; NULL: it was lost */
    bool kept;            /* it may be kept */
    bool stored;          /* it is, by its worker */
} il_execution_come;

/* In a worker: store the record of case k, if its name has been known since before it ran. What
 * fails here the parent tries again, and tells. */
bool il_execution_store(const il_execution *e, size_t k, const char *text);

/* In the parent: what has come of the case of key, which may be NULL, into the store, unless it is
 * there or may not be kept. */
il_status il_execution_keep(const il_execution *e, const char *key, const il_execution_come *come,
                            il_error *err);

/* Did the case of the record end with status? */
bool il_execution_has_status(const json_t *record, il_status status);

/* What would, or for an error of the script may, come out otherwise next time is not kept. */
bool il_execution_repeatable(const json_t *record);

#endif
