/*
 * switching_pool.c - the runs that a search for switching points is going to ask for, by workers.
 *
 * A job is a few phases whose limits are asked for, or one bisection, whose runs follow from each
 * other. A worker leaves the records in the store and answers nothing else: who asks finds them
 * there, and goes on as if it had made them.
 */
#include <string.h>

#include "harness/io/workers/pool.h"
#include "harness/lua/limits/switching.h"

enum { TOGETHER = 8 }; /* phases of a job */

typedef struct {
    il_lua_search *s;
    int m;
    size_t n;                         /* of what is given: one of these three */
    const double *phases;             /* limits asked for at level m */
    const il_switching_point *points; /* to be bisected at level m */
    const double *levels;             /* to be bisected between s->c at these */
} plan;

static size_t jobs_of(const plan *p) {
    return p->phases != NULL ? (p->n + TOGETHER - 1) / TOGETHER : p->n;
}

/* ---- a worker ------------------------------------------------------------------------------- */

static il_status ask_phases(const plan *p, size_t job, il_error *err) {
    il_status status = IL_OK;
    for (size_t k = job * TOGETHER; status == IL_OK && k < p->n && k < (job + 1) * TOGETHER; k++) {
        int label = IL_SWITCHING_NONE;
        status = p->s->label(p->s->self, p->phases[k], p->m, &label, err);
    }
    return status;
}

static char *work(void *data, size_t job) {
    const plan *p = data;
    il_lua_search *s = p->s;
    il_error err = {IL_OK, ""};
    il_switching_point point;
    il_store_watch(s->context->store, NULL); /* the roster is the parent's to write */
    il_status status = IL_OK;
    if (p->phases != NULL) {
        status = ask_phases(p, job, &err);
    } else if (p->points != NULL) {
        point = p->points[job];
        status = il_switching_narrow(s->label, s->self, p->m, s->tol, &point, &err);
    } else {
        status = il_switching_bisect(s->label, s->self, s->c[0], s->c[1], (int)p->levels[job],
                                     s->tol, &point, &err);
    }
    return status != IL_ENOMEM ? strdup("") : NULL; /* else it fails again where it is asked for */
}

/* ---- the parent ----------------------------------------------------------------------------- */

static il_status receive(void *data, size_t job, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    (void)data;
    (void)job;
    return text != NULL ? IL_OK
                        : il_fail(err, IL_ECRASHED, "a run about a border is lost: %s", loss->why);
}

static il_status run(plan *p, il_error *err) {
    size_t workers = p->s->context->options->workers;
    size_t jobs = jobs_of(p);
    if (!p->s->kept || p->s->context->options->fresh || jobs == 0) {
        return IL_OK; /* what is asked for is made then */
    }
    workers = workers > 0 ? workers : 1;
    il_pool pool = {.workers = workers < jobs ? workers : jobs,
                    .jobs = jobs,
                    .work = work,
                    .receive = receive,
                    .data = p};
    return il_pool_run(&pool, err);
}

il_status il_lua_search_phases(void *search, int m, const double *c, size_t n, il_error *err) {
    plan p = {.s = search, .m = m, .n = n, .phases = c};
    return run(&p, err);
}

il_status il_lua_search_points(void *search, int m, const il_switching_point *points, size_t n,
                               il_error *err) {
    plan p = {.s = search, .m = m, .n = n, .points = points};
    return run(&p, err);
}

il_status il_lua_search_levels(il_lua_search *search, const double *m, size_t n, il_error *err) {
    plan p = {.s = search, .n = n, .levels = m};
    return run(&p, err);
}
