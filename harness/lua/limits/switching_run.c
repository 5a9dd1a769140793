/*
 * switching_run.c - runs of a search for switching points: cases, found stored or made.
 *
 * Where functions of the script decide or nothing is stored, each is made when it is asked for.
 * Else workers make what is going to be asked for: a job is a few phases whose limits are asked
 * for, or one bisection, whose runs follow from each other. A worker leaves the records in the
 * store and answers nothing else: who asks finds them there, and goes on as if it had made them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/io/workers/pool.h"
#include "harness/lua/limits/switching.h"
#include "harness/lua/sweep/notice.h"
#include "harness/run/conduct.h"
#include "harness/run/stored.h"

bool il_lua_search_keeps(const il_lua_search *s) {
    return s->context->store != NULL && s->run.problem->callbacks == NULL &&
           s->run.scheme->functions == NULL && s->run.reference_callbacks == NULL;
}

static il_status make(const il_case *c, il_trajectory *run, json_t **record, il_error *err) {
    il_status status = il_case_run(c, run, record, err);
    if (status == IL_OK && !il_record_went_well(*record)) {
        const char *why = json_string_value(json_object_get(*record, "message"));
        status = il_fail(err, il_interrupted() ? IL_EINTERRUPTED : IL_EINVAL,
                         "the run with h = %.17g failed: %s", c->h, why != NULL ? why : "");
        json_decref(*record);
        *record = NULL;
    }
    return status;
}

/* The record of a run that went well, as it is stored under its key like any case, or made, with
 * its nodes in *run (NULL: not asked for), and stored. */
static il_status find_or_make(const il_lua_search *s, const il_case *c, il_trajectory *run,
                              json_t **record, il_error *err) {
    char *key = NULL;
    il_error note = {IL_OK, ""};
    *record = NULL;
    il_status status = s->kept ? il_case_key(c, &key, err) : IL_OK;
    if (status == IL_OK && key != NULL && !s->context->options->fresh) {
        status = il_store_find(s->context->store, key, il_stored_judge, record, &note);
        if (status != IL_OK) {
            (void)il_fail(err, status, "%s", note.message);
        } else if (note.code != IL_OK) {
            il_lua_say(s->context, "%s: %s", s->call, note.message);
        }
    }
    if (status == IL_OK && *record == NULL) {
        status = make(c, run, record, err);
        if (status == IL_OK && key != NULL) {
            status = il_store_put(s->context->store, key, *record, err);
        }
    }
    free(key);
    return status;
}

il_status il_lua_search_run(const il_lua_search *s, double h, json_t **record, il_error *err) {
    il_case c = s->run;
    c.h = h;
    c.steps = 0;
    return find_or_make(s, &c, NULL, record, err);
}

/* ---- by level ------------------------------------------------------------------------------- */

typedef struct {
    const il_lua_search *s;
    const il_trajectory *run;
} nearness;

/* An il_addition: the medoid that is nearest, from 1, and how near it is. */
static il_status add_nearest(void *self, json_t *record, il_error *err) {
    const nearness *n = self;
    const il_lua_search *s = n->s;
    il_json w = {false};
    double least = INFINITY;
    size_t nearest = 0;
    for (size_t k = 0; k < s->w->limits.nclusters; k++) {
        double T = fmin(s->w->T, n->run->t[n->run->nodes - 1]);
        double d = il_limits_distance(n->run, &s->medoids[k], T, s->w->norm);
        nearest = d < least ? k + 1 : nearest;
        least = fmin(least, d);
    }
    json_t *limit = json_object();
    il_json_put_count(&w, limit, "nearest", nearest);
    il_json_put(&w, limit, "distance", least);
    il_json_set(&w, record, "limit", limit);
    return w.failed ? il_fail(err, IL_ENOMEM, "no memory for a record") : IL_OK;
}

il_status il_lua_search_by_level(void *self, double phase, int m, int *label, il_error *err) {
    const il_lua_search *s = self;
    il_trajectory run = {0};
    nearness near = {s, &run};
    json_t *record = NULL;
    il_case c = s->run;
    c.h = ldexp(phase, -m);
    c.steps = 0;
    c.reference_key = s->medoids_key;
    c.addition = (il_addition){&near, add_nearest};
    il_status status = find_or_make(s, &c, &run, &record, err);
    if (status == IL_OK) {
        const json_t *limit = json_object_get(record, "limit");
        *label = (int)json_integer_value(json_object_get(limit, "nearest")) - 1;
    }
    json_decref(record);
    il_trajectory_free(&run);
    return status;
}

/* ---- ahead of who asks ---------------------------------------------------------------------- */

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

static il_status receive(void *data, size_t job, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    (void)data;
    (void)job;
    return text != NULL ? IL_OK
                        : il_fail(err, IL_ECRASHED, "a run about a border is lost: %s", loss->why);
}

static il_status run(plan *p, il_error *err) {
    size_t jobs = jobs_of(p);
    if (!p->s->kept || p->s->context->options->fresh || jobs == 0) {
        return IL_OK; /* what is asked for is made then */
    }
    il_pool pool = {.workers = p->s->context->options->workers,
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
