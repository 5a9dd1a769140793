/*
 * impactlab.h - impactlab as a library: problems, exact solutions, schemes, runs, records, the
 * judge of orders and the judge of trajectories.
 *
 *     cc mine.c $(pkg-config --cflags --libs impactlab)
 *
 * Handles are opaque; who creates one destroys it, NULL is fine there. A handle is used by one
 * thread at a time, several handles by several threads. What can fail returns a status and fills an
 * error, which may be NULL, with one line that names the value and what is allowed; so does NULL
 * where it is not allowed, and what returns no status answers it with nothing: 0, NULL, "" or NaN.
 * Vectors are of `dimension` doubles, samples of them follow one another. Nothing is printed, no
 * signal is caught, and nothing of the process is set: no allocator, no handler, no locale. Numbers
 * have a point whatever setlocale was called; functions of the caller run in the caller's locale.
 */
#ifndef IMPACTLAB_H
#define IMPACTLAB_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef IMPACTLAB_API
#define IMPACTLAB_API
#endif

/* bindings read from here */

typedef enum {
    IMPACTLAB_OK = 0,
    IMPACTLAB_BAD_INPUT = 1,
    IMPACTLAB_UNSUPPORTED = 2,
    IMPACTLAB_OUT_OF_MEMORY = 3,
    IMPACTLAB_FAILED = 4 /* another reason: the error's message says which */
} impactlab_status;

typedef struct {
    char message[1024];
} impactlab_error;

/* "0.1.0" */
IMPACTLAB_API const char *impactlab_version(void);

/* Name k of "problem", "scheme", "projector" or "norm"; NULL past the end. */
IMPACTLAB_API const char *impactlab_name(const char *family, size_t k);

/* ---- problems ------------------------------------------------------------------------------- */

typedef struct impactlab_problem impactlab_problem;

/* A problem of the catalogue with n settings "key=value". horizon > 0, or 0: the problem's own. */
IMPACTLAB_API impactlab_status impactlab_problem_create(impactlab_problem **out, const char *name,
                                                        size_t n, const char *const *settings,
                                                        double horizon, impactlab_error *error);

/* A problem of one's own. Each function returns 0, or another number where it failed, which ends
 * the run; context is handed through.
 *
 *     force   f(t,q) into f[dimension]; NULL: none. For order 1 the drift.
 *     gaps    g_i(t,q) into g[constraints], d/dt g_i into rate[constraints] (zeros on entry), and
 *             their gradients, row by row, into gradient[constraints * dimension] (zeros on entry)
 *     exact   q and u at t into q[dimension], u[dimension]; NULL: not known
 */
typedef struct {
    const char *name;
    int order; /* 1 or 2 */
    size_t dimension, constraints;
    double horizon, restitution;
    const double *q0, *u0; /* [dimension]; u0 may be NULL: zeros */
    const double *mass;    /* [dimension] a diagonal; NULL: ones */
    int (*force)(void *context, double t, const double *q, double *f);
    int (*gaps)(void *context, double t, const double *q, double *g, double *rate,
                double *gradient);
    int (*exact)(void *context, double t, double *q, double *u);
    void *context;
} impactlab_definition;

IMPACTLAB_API impactlab_status impactlab_problem_define(impactlab_problem **out,
                                                        const impactlab_definition *definition,
                                                        impactlab_error *error);
IMPACTLAB_API void impactlab_problem_destroy(impactlab_problem *problem);

/* From now on calls that take this problem ask stop(context) every twentieth of a second at most,
 * in their own thread, and end where it does not return 0: a run with the status "interrupted",
 * impactlab_judge with IMPACTLAB_FAILED. NULL: nobody is asked. */
IMPACTLAB_API void impactlab_problem_stop(impactlab_problem *problem, int (*stop)(void *context),
                                          void *context);

IMPACTLAB_API size_t impactlab_problem_dimension(const impactlab_problem *problem);
IMPACTLAB_API size_t impactlab_problem_constraints(const impactlab_problem *problem);
IMPACTLAB_API int impactlab_problem_order(const impactlab_problem *problem);
IMPACTLAB_API double impactlab_problem_horizon(const impactlab_problem *problem);

/* The start, into q[dimension] and u[dimension]; either may be NULL. */
IMPACTLAB_API void impactlab_problem_start(const impactlab_problem *problem, double *q, double *u);

/* The name of exact solution k, such as "exact" or "A"; NULL past the end. */
IMPACTLAB_API const char *impactlab_exact_name(const impactlab_problem *problem, size_t k);

/* Exact solution k at t in [0, horizon], from the left for side < 0. */
IMPACTLAB_API impactlab_status impactlab_exact(const impactlab_problem *problem, size_t k, double t,
                                               int side, double *q, double *u,
                                               impactlab_error *error);

/* ---- runs ----------------------------------------------------------------------------------- */

typedef struct impactlab_record impactlab_record;

/* One step of a scheme of one's own, from (q, u) at t0 to (q1, u1) at t1; 0, or another number
 * where it failed. */
typedef int (*impactlab_step)(void *context, double t0, double t1, const double *q, const double *u,
                              double *q1, double *u1);

typedef struct {
    const char *scheme;    /* "maury", "moreau_jean:theta=0.5", "exec:COMMAND"; NULL with step */
    const char *projector; /* NULL: auto */
    size_t steps;          /* 0: h says */
    double h;              /* 0: steps say; both: steps of h */
    double tolerance;      /* of the projector, > 0; 0: its own */
    int all_norms;         /* 0: those of small runs */
    int keep_trajectory;
    impactlab_step step; /* or NULL */
    void *context;
} impactlab_run_options;

/* Run. IMPACTLAB_OK where something ran, however it ended: impactlab_record_text(record, "status").
 * The record is that of the command line, with what is wrong with the motion of a program behind
 * exec: (`program.findings`), and the caller's. */
IMPACTLAB_API impactlab_status impactlab_run(const impactlab_problem *problem,
                                             const impactlab_run_options *options,
                                             impactlab_record **out, impactlab_error *error);
IMPACTLAB_API void impactlab_record_destroy(impactlab_record *record);

/* The record as JSON, the record's. */
IMPACTLAB_API const char *impactlab_record_json(const impactlab_record *record);

/* A number of it by its path, such as "error.u_L1" or "final.q.0"; NaN where there is none. */
IMPACTLAB_API double impactlab_record_number(const impactlab_record *record, const char *path);

/* A text of it, such as "status" or "judged.findings.0.name"; "" where there is none. The
 * record's. */
IMPACTLAB_API const char *impactlab_record_text(const impactlab_record *record, const char *path);

/* The nodes that were kept: t[nodes], q[nodes * dimension], u[nodes * dimension], the record's;
 * each may be NULL. Returns their number, 0 where none were kept. */
IMPACTLAB_API size_t impactlab_record_trajectory(const impactlab_record *record, const double **t,
                                                 const double **q, const double **u);

/* ---- judging -------------------------------------------------------------------------------- */

/* between: the meaning of the velocity of a sample, "affine", "constant" or "ballistic"; NULL:
 * affine. u may be NULL. The record has an object `judged` with residuals and findings. */
IMPACTLAB_API impactlab_status impactlab_judge(const impactlab_problem *problem,
                                               const char *between, size_t nodes, const double *t,
                                               const double *q, const double *u,
                                               impactlab_record **out, impactlab_error *error);

/* A file, as `impactlab judge` reads it; mapping may be NULL. */
IMPACTLAB_API impactlab_status impactlab_judge_file(const impactlab_problem *problem,
                                                    const char *between, const char *path,
                                                    const char *mapping, impactlab_record **out,
                                                    impactlab_error *error);

typedef struct {
    double order, low, high, level;
    double fold, octaves, finest, floor, floor_high, scatter;
    size_t runs, used;
    char verdict[16]; /* "PASS", "FAIL", "INCONCLUSIVE", "REPORTED" */
    char reason[240];
    char text[600]; /* one sentence */
} impactlab_order;

/* The order at which error[n] falls with h[n]. claim: "converges", "bound", "sharp" or NULL; order
 * is what is claimed, factor how many times errors must fall (0: 4). */
IMPACTLAB_API impactlab_status impactlab_order_fit(size_t n, const double *h, const double *error,
                                                   const char *claim, double order, double factor,
                                                   impactlab_order *out, impactlab_error *why);

/* bindings read to here */

#ifdef __cplusplus
}
#endif

#endif
