/*
 * settings.h - how a script is to be run, and what came of it.
 */
#ifndef IL_LUA_SETTINGS_H
#define IL_LUA_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/run/registry.h"
#include "harness/run/stored.h"

typedef struct {
    const char *script;  /* file to run; NULL for what comes with the program */
    const char *results; /* folder for cases, figures, tables, trajectories; made if missing */
    size_t nargs;
    const char *const *args; /* [nargs] */
    size_t workers;          /* processes that share the cases of a sweep; 0: 1 */
    bool resume;             /* say how many cases were found */
    bool fresh;              /* run stored cases again */
    size_t shard, shards;    /* run every shards-th case from the shard-th, 1 <= shard <= shards;
                                shards 0: all */
    il_case_limits limits;   /* of each case of a sweep */
    double patience;         /* seconds that the steps of a run may take, as il_run_spec has it */
    bool trusted;            /* the script may do what its user may: guard.h */
    FILE *messages;          /* progress, notes, tracebacks; NULL: nowhere */
    bool quiet;              /* no progress, and no word on what went well */
    json_t **judged; /* receives the verdicts, as harness/io/store/journal.h has them: the caller's;
                        or NULL */
    const il_substitutes *substitutes; /* NULL outside tests */
    struct il_lua_checks *checks;      /* the script is only read (check.h), and no file is written;
                                          NULL: it is run */
} il_lua_options;

typedef struct {
    size_t cases;         /* of all sweeps that ran */
    size_t found;         /* of these, taken from the store */
    size_t ran;           /* of these, run now */
    size_t failed;        /* whose status is not "ok" */
    size_t missing;       /* left to other shards and not stored */
    size_t runs;          /* of lab.run */
    size_t runs_failed;   /* whose status is not "ok" */
    size_t orders;        /* calls of r:order */
    size_t orders_failed; /* with verdict FAIL */
    size_t checks;        /* calls of lab.check */
    size_t checks_failed; /* with a false condition */
} il_lua_outcome;

#endif
