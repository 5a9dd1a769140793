/*
 * script.h - run a script that declares runs, sweeps, figures and tables.
 *
 * The script is plain Lua 5.4, text only, with the libraries base (but load, loadfile, dofile),
 * table, string (but string.dump), math, utf8, coroutine and os.clock: no files, no processes, no
 * other modules. `require "impactlab"` gives the module; `arg` holds the script's name at 0 and its
 * arguments from 1. math.random starts from the same seed in every invocation.
 */
#ifndef IL_LUA_SCRIPT_H
#define IL_LUA_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/base/status.h"

/* See substitute.h. */
typedef struct il_substitutes il_substitutes;

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
    FILE *messages;          /* progress, notes, tracebacks; NULL: nowhere */
    const il_substitutes *substitutes; /* NULL outside tests */
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

/* Run options->script. IL_OK when it came to its end, also with failed runs, orders and checks or
 * missing cases: see outcome (may be NULL). IL_EIO when results cannot be written, or the script
 * cannot be read; IL_ESCRIPT for an error of the script, IL_EINVAL for a value that the module
 * refused, IL_EINTERRUPTED when cases are missing that it needs, IL_EPLOT and others as the failing
 * part says; err then holds "SCRIPT:LINE: MESSAGE", and messages receives the traceback, except of
 * IL_EINTERRUPTED, where nothing is wrong with the script. */
il_status il_lua_run_script(const il_lua_options *options, il_lua_outcome *outcome, il_error *err);

#endif
