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
} pool_data;

static char *work(void *data, size_t k) {
    const pool_data *w = data;
    const il_members *m = w->m;
    il_case c = *m->what;
    il_trajectory run = {.d = 0};
    il_error err = {IL_OK, ""};
    json_t *record = NULL;
    json_t *answer = json_object();
    m->member(m->self, k, &c);
    c.share = il_jobs_begin(w->jobs, k);
    il_status status = il_case_run(&c, m->nodes ? &run : NULL, &record, &err);
    if (status == IL_OK) {
        il_json_set(answer, "record", json_incref(record));
        status = m->add != NULL ? m->add(m->self, k, record, &run, answer) : IL_OK;
    } else {
        il_json_put_text(answer, status == IL_ETOOLONG ? "error" : "refused", err.message);
    }
    char *text = status == IL_ENOMEM ? NULL : il_json_text(answer);
    il_trajectory_free(&run);
    json_decref(record);
    json_decref(answer);
    return text;
}

static il_status receive(void *data, size_t k, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    const pool_data *w = data;
    json_t *answer = NULL;
    if (text != NULL) {
        (void)il_json_parse(text, &answer, err);
    }
    il_jobs_end(w->jobs, k);
    if (answer == NULL) {
        return il_fail(err, IL_EINTERNAL, "run %zu is lost: %s", k + 1, loss->why);
    }
    const json_t *error = json_object_get(answer, "error");
    il_status status =
        error != NULL ? il_fail(err, IL_ESCRIPT, "run %zu: %s", k + 1, json_string_value(error))
                      : w->m->take(w->m->self, k, answer, err);
    json_decref(answer);
    return status;
}

static void tick(void *data) {
    const pool_data *w = data;
    il_jobs_show(w->jobs, "", NULL, NULL);
}

il_status il_members_run(const il_members *m, il_error *err) {
    if (il_interrupted()) {
        return il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
    }
    pool_data w = {m, il_jobs_create(m->progress, m->title, m->n)};
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
