/*
 * members.c - a pool of workers, each of which makes one run at a time. See members.h.
 */
#include "harness/study/ensemble/members.h"

#include "harness/base/interrupt.h"
#include "harness/io/workers/jobs.h"
#include "harness/io/workers/pool.h"
#include "harness/run/conduct.h"

typedef struct {
    const il_members *m;
    il_jobs *jobs; /* NULL: none are shown */
} crew;

static char *work(void *data, size_t k) {
    const crew *w = data;
    const il_members *m = w->m;
    il_case c = *m->what;
    il_trajectory run = {.d = 0};
    il_error err = {IL_OK, ""};
    il_json b = {false};
    json_t *record = NULL;
    json_t *cross = json_object();
    m->member(m->self, k, &c);
    c.share = il_jobs_begin(w->jobs, k);
    il_status status = il_case_run(&c, m->nodes ? &run : NULL, &record, &err);
    if (status == IL_OK) {
        il_json_set(&b, cross, "record", json_incref(record));
        status = m->add != NULL ? m->add(m->self, k, record, &run, &b, cross) : IL_OK;
    } else {
        il_json_put_text(&b, cross, status == IL_ETOOLONG ? "error" : "refused", err.message);
    }
    char *text = status == IL_ENOMEM || b.failed ? NULL : il_json_text(cross);
    il_trajectory_free(&run);
    json_decref(record);
    json_decref(cross);
    return text;
}

static il_status receive(void *data, size_t k, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    const crew *w = data;
    json_t *crossed = NULL;
    if (text != NULL && il_json_parse(text, &crossed, err) == IL_ENOMEM) {
        return IL_ENOMEM;
    }
    il_jobs_end(w->jobs, k);
    if (crossed == NULL) {
        return il_fail(err, IL_EINTERNAL, "run %zu is lost: %s", k + 1, loss->why);
    }
    const json_t *error = json_object_get(crossed, "error");
    il_status status =
        error != NULL ? il_fail(err, IL_ESCRIPT, "run %zu: %s", k + 1, json_string_value(error))
                      : w->m->take(w->m->self, k, crossed, err);
    json_decref(crossed);
    return status;
}

static void tick(void *data) {
    const crew *w = data;
    il_jobs_show(w->jobs, "", NULL, NULL);
}

il_status il_members_run(const il_members *m, il_error *err) {
    if (il_interrupted()) {
        return il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
    }
    crew w = {m, il_jobs_create(m->progress, m->title, m->n, 1, m->workers)};
    il_pool pool = {.workers = m->workers,
                    .jobs = m->n,
                    .work = work,
                    .receive = receive,
                    .tick = tick,
                    .data = &w};
    il_status status = il_pool_run(&pool, err);
    il_jobs_destroy(w.jobs);
    return status;
}
