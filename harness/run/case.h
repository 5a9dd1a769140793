/*
 * case.h - a case: everything that one run depends on, as given by the command line or a script. It
 * owns nothing; what it points to must outlive it.
 */
#ifndef IL_CASE_H
#define IL_CASE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/progress.h"
#include "harness/run/registry.h"
#include "harness/run/spec.h"

/* One parameter as it was given: a text or numbers. */
typedef struct {
    const char *key;
    const char *text; /* or NULL */
    size_t n;
    const double *x; /* [n] */
} il_setting;

/* A problem whose callbacks are functions of a script or of a caller. Its callbacks cannot return
 * an error where they are called: they store it instead. */
typedef struct {
    const void *self;
    const il_error *(*failure)(const void *self); /* the stored error, or NULL */
    const char *(*derivatives)(const void *self); /* "given" or "differences": for the record */
    /* Constraints i with first[i], [p] of them, become active for the first time, in a step that
     * ends at (t,q): are the derivatives that they give right there? IL_ESCRIPT if not. */
    il_status (*contact)(const void *self, const il_problem *problem, double t, const double *q,
                         const bool *first, il_error *err);
    void (*begin)(const void *self); /* a run begins: no note; NULL: not asked for */
    const il_functions *functions;   /* what they depend on */
} il_callbacks;

/* A problem with its parameters. */
typedef struct {
    const il_problem_type *type;
    const il_callbacks *callbacks; /* or NULL, as for every member that was compiled */
    size_t nsettings;
    const il_setting *settings; /* [nsettings] */
    const char *label;          /* "two_spheres" or "two_spheres(scenario=free)" */
} il_choice;

/* Files that a run writes. NULL: not wanted. */
typedef struct {
    const char *trajectory; /* NAME.h5, NAME.csv */
    const char *paraview;   /* NAME.pvd */
    const char *fclib;      /* NAME.hdf5 */
    size_t every;           /* of paraview; 0: every node */
    size_t fclib_step;      /* 0: the last */
} il_files;

/* A function that adds to the record of a run that ended well, before it is written. */
typedef struct {
    void *self;
    il_status (*add)(void *self, json_t *record, il_error *err); /* NULL: none */
} il_addition;

typedef struct il_case {
    const il_choice *problem;
    const il_scheme_choice *scheme;
    union { /* at most IL_CASE_OBSERVERS_MAX observers */
        il_asked asked;
        struct {
            IL_ASKED;
        };
    };
    bool series;                       /* numbers of every step, as field "series" of the record */
    bool exact;                        /* the run in exact arithmetic too, as field "exact" */
    const char *h_text, *horizon_text; /* as they were typed; NULL: the shortest decimals */
    const json_t *reference_error;     /* the reference's own error, or NULL */
    const il_substitutes *substitutes; /* or NULL */
    const char *reference_key;         /* what the reference depends on, for the key; or NULL */
    const il_callbacks *reference_callbacks; /* of a reference that is a function; or NULL */
    const il_functions *norms_functions;     /* functions that `addition` calls; or NULL */

    /* Not part of the key; nor are loads, threads, observers, patience. */
    il_files files;
    size_t ensemble; /* runs from slightly perturbed data, for ensembles; 0: none */
    double perturb;  /* relative size of the perturbation; 0: units in the last place */
    double max_time; /* seconds after which the command is stopped; 0: never */
    bool is_long;    /* it may take longer than an hour */
    il_addition addition;
    /* For a run whose steps a program made (il_scheme_type.starts) and that ended well: adds to its
     * record what its states show, as it wrote them. NULL: nothing is asked. */
    il_status (*look)(const struct il_case *c, const il_trajectory *run, json_t *record,
                      il_error *err);
    const char *references;          /* the folder of stored references (references.h), or NULL */
    const char *script, *script_sum; /* the calling script's file name and SHA-256; NULL: no
                                        script */
    il_progress *progress;           /* a progress display, or NULL */
    volatile double *share;          /* il_pace's, or NULL */
} il_case;

enum { IL_CASE_OBSERVERS_MAX = 4 };

/* Does the problem use random numbers? Then it has the parameter "seed"; others only record one. */
bool il_problem_draws(const il_problem_type *type);

/* The parameters of a case, fresh. The caller destroys. IL_EINVAL for an unknown key, a value out
 * of range, two seeds. */
il_status il_case_params(const il_case *c, il_params **params, il_error *err);

/* The problem of a case, created with params (which the caller destroys later). */
il_status il_case_problem(const il_case *c, il_params **params, il_problem **problem,
                          il_error *err);

/* Can the case run: the problem can be created, the scheme means something on it. Without exact the
 * reason in err when needs_exact. */
il_status il_case_check(const il_case *c, bool needs_exact, il_error *err);

/* The same, and can it run with each of n sizes (numbers of steps or, where these are NULL, steps
 * h): is every requested quantity defined, does the projector accept the rows at the start, and is
 * there an event-driven reference where one is asked for? The first reason in err. */
il_status il_case_check_sizes(const il_case *c, size_t n, const double *steps, const double *h,
                              bool needs_exact, il_error *err);

/* status, or that of the error that the problem's callbacks stored: IL_ESCRIPT, or IL_ENOMEM where
 * Lua has no memory. */
il_status il_choice_verdict(const il_choice *problem, il_status status, il_error *err);

/* All the record depends on as one line of text, *key, the caller's; NULL with IL_OK if the case
 * has no name: il_case_unnamed says why. Refuses what il_case_params refuses. */
il_status il_case_key(const il_case *c, char **key, il_error *err);

/* Why functions of a script that the case depends on cannot stand in its key; NULL if they can. */
const char *il_case_unnamed(const il_case *c);

/* Are its steps those of a program of which nothing but its command and the files in that is
 * known? What these import may have changed since a case was stored. */
bool il_case_imports_unseen(const il_case *c);

/* The provenance of its record: program, machine, script, date. No result depends on it: tests that
 * compare records leave it out, as they do `build` and `work.seconds`.
 *
 * {version, revision, dirty, compiler, flags, libraries, processor, mathematics, host, date,
 * seconds, seed, script, script_sha256}: no objects inside. `revision` is that of git when the
 * program was built, null where there was none, and `dirty` whether files differed from it;
 * `mathematics` is the C library and the variant of its elementary functions that this machine
 * selects; `date` the end of the run in UTC (ISO 8601); `seconds` its duration, null if unknown
 * (NaN); the last two are null without a script. The caller's. */
json_t *il_provenance_json(const il_case *c, double seconds);

#endif
