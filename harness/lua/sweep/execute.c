/*
 * execute.c - sweep:run: which cases are to be run, in which order, and the pool that does it.
 *
 * Cases that are stored are not run again (unless --fresh), cases of other shards are left to them,
 * the others go to forked workers, the longest first, and before them the references that they wait
 * for. Workers pass references on by files. Where there is no store, and where cases depend on
 * functions of the script, which need not have a key (kept.h), references are made in this process
 * before the workers are forked.
 */

#include <lauxlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/lua/base/module.h"
#include "harness/lua/sweep/job.h"

static const char CALL[] = "sweep:run";

/* An event-driven reference takes as long as some thousand steps. */
static const double EVENTS_STEPS = 4096.0;

/* ---- what there is to do -------------------------------------------------------------------- */

/* The reference of a problem. */
typedef struct {
    bool needed;      /* cases that are to be run have its reference */
    size_t reference; /* 1 + the last job that makes it; 0: none */
} of_problem;

/* Expected work of case k: its steps, or what is proportional to them. */
static double work_of(const il_sweep *s, size_t k) {
    size_t size = k % s->nsizes;
    return s->steps != NULL ? s->steps[size] : 1.0 / s->hs[size];
}

/* Put what is stored of the cases into the result. */
static void look_up(lua_State *L, il_execution *e) {
    char **key = il_lua_take(L, e->result->arena, 1, sizeof *key, il_lua_close_text);
    for (size_t k = 0; k < il_sweep_count(e->sweep); k++) {
        il_error err = {IL_OK, ""};
        bool found = false;
        il_job j = {.kind = IL_JOB_CASE, .k = k};
        free(*key);
        *key = NULL;
        il_lua_expect(L, CALL, il_job_key(e, &j, key, &err), &err);
        j.key = *key;
        if (j.key == NULL || !e->stores) {
            continue;
        }
        double work = work_of(e->sweep, k);
        il_store_expect(e->context->store, j.key, work);
        if (!e->context->options->fresh) {
            il_lua_expect(L, CALL, il_job_find(e, &j, &found, &err), &err);
        }
        if (err.code != IL_OK) {
            il_lua_say(e->context, "sweep %s: %s", e->sweep->name, err.message);
        }
        e->result->found += found;
    }
}

/* A case to be run, with its steps or what stands for them. */
typedef struct {
    size_t k;
    double units;
} planned;

/* The longest first: at the end it would keep one worker busy while others wait (Graham 1969: the
 * schedule is within 4/3 of the shortest). */
static int by_work(const void *a, const void *b) {
    const planned *x = a;
    const planned *y = b;
    return x->units != y->units ? (x->units < y->units) - (x->units > y->units)
                                : (x->k > y->k) - (x->k < y->k);
}

/* Put the cases that are absent and ours into list, the longest first; returns how many. */
static size_t choose(const il_execution *e, of_problem *problems, planned *list) {
    const il_lua_options *options = e->context->options;
    const il_sweep *s = e->sweep;
    size_t n = 0;
    for (size_t k = 0; k < il_sweep_count(s); k++) {
        bool ours = options->shards == 0 || k % options->shards == options->shard - 1;
        if (!il_json_pack_has(e->result->records, k) && ours) {
            problems[il_sweep_reference_of(s, k / s->nsizes / s->nschemes)].needed = true;
            list[n++] = (planned){.k = k, .units = work_of(s, k)};
        }
    }
    qsort(list, n, sizeof *list, by_work);
    return n;
}

/* A reference of problem i, or the run of half its steps: a job, if cases need it. */
static void add_reference(lua_State *L, il_execution *e, il_job_kind kind, size_t i,
                          of_problem *p) {
    il_job j = {.kind = kind, .k = i, .after = p->reference};
    j.units = kind == IL_JOB_EVENTS
                  ? EVENTS_STEPS
                  : (double)e->sweep->reference_steps * (kind == IL_JOB_HALF ? 0.5 : 1.0);
    il_error err = {IL_OK, ""};
    char **key = il_lua_take(L, e->result->arena, 1, sizeof *key, il_lua_close_text);
    if (e->stores) {
        il_lua_expect(L, CALL, il_job_key(e, &j, key, &err), &err);
        j.key = *key;
    }
    if (p->needed) {
        e->jobs[e->njobs++] = j;
        p->reference = e->njobs;
    }
}

/* Without workers that pass them on, each case makes its event-driven reference. */
static void add_references(lua_State *L, il_execution *e, of_problem *problems) {
    const il_sweep *s = e->sweep;
    bool self = s->reference == IL_REFERENCE_SELF;
    bool some = self || (s->reference == IL_REFERENCE_EVENTS && e->by_workers);
    for (size_t i = 0; some && i < s->nproblems; i++) {
        if (il_sweep_reference_of(s, i) == i) {
            add_reference(L, e, self ? IL_JOB_SELF : IL_JOB_EVENTS, i, &problems[i]);
            if (self && s->reference_steps > 1) {
                add_reference(L, e, IL_JOB_HALF, i, &problems[i]);
            }
        }
    }
}

/* All jobs in this process, one after the other. */
static void run_here(lua_State *L, il_execution *e) {
    e->here = true;
    for (size_t one = 0; one < e->njobs; one++) {
        const il_pool_loss none = {.why = ""};
        il_error err = {IL_OK, ""};
        il_pool_turn turn = IL_POOL_RUN;
        il_status status = il_job_take(e, one, &turn, &err);
        if (status == IL_OK && turn != IL_POOL_DONE) {
            char *text = il_job_work(e, one);
            status = il_job_receive(e, one, text, &none, &err);
            free(text);
        }
        il_lua_expect(L, CALL, status, &err);
    }
    e->here = false;
}

/* The n cases of list as jobs. Their keys are found anew: what functions depend on may have changed
 * while references were made. */
static void add_cases(lua_State *L, il_execution *e, const of_problem *problems,
                      const planned *list, size_t n) {
    char **keys = il_lua_take(L, e->result->arena, n, sizeof *keys, il_lua_close_text);
    for (size_t i = 0; i < n; i++) {
        il_error err = {IL_OK, ""};
        il_job *j = &e->jobs[e->njobs++];
        *j = (il_job){.kind = IL_JOB_CASE, .k = list[i].k, .units = list[i].units};
        if (e->stores) {
            il_lua_expect(L, CALL, il_job_key(e, j, &keys[i], &err), &err);
        }
        j->key = keys[i];
        j->after = e->by_workers ? problems[il_job_problem(e, j)].reference : 0;
    }
}

/* ---- the pool ------------------------------------------------------------------------------- */

static void name_of(const void *data, size_t one, char *room, size_t capacity) {
    const il_execution *e = data;
    il_job_name(e, &e->jobs[one], room, capacity);
}

static void tick(void *data) {
    const il_execution *e = data;
    char failed[48] = "";
    if (e->failed > 0) {
        (void)snprintf(failed, sizeof failed, ", %zu failed", e->failed);
    }
    il_jobs_show(e->progress, failed, name_of, e);
    il_leases_refresh(e->context->leases);
}

/* How far the jobs are. */
static il_jobs *watch(const il_execution *e) {
    char line[120];
    (void)snprintf(line, sizeof line, "sweep %.100s", e->title);
    il_jobs *w = il_jobs_create(il_lua_waiting(e->context), line, e->njobs);
    for (size_t one = 0; one < e->njobs; one++) {
        il_jobs_expect(w, one, e->jobs[one].units);
    }
    return w;
}

static il_status run_pool(il_execution *e, il_error *err) {
    const il_lua_options *options = e->context->options;
    il_pool pool = {.workers = options->workers,
                    .jobs = e->njobs,
                    .seconds = options->limits.seconds,
                    .alone = options->limits.bytes > 0,
                    .take = il_job_take,
                    .work = il_job_work,
                    .receive = il_job_receive,
                    .tick = tick,
                    .data = e};
    e->progress = watch(e);
    il_status status = il_pool_run(&pool, err);
    il_jobs_destroy(e->progress); /* the bar goes before anything else is printed */
    e->progress = NULL;
    return status;
}

/* ---- the sweep ------------------------------------------------------------------------------ */

/* Count into result and context. */
static void count(const il_execution *e) {
    il_result *r = e->result;
    size_t n = il_sweep_count(e->sweep);
    for (size_t k = 0; k < n; k++) {
        bool has = il_json_pack_has(r->records, k);
        r->missing += !has;
        r->failed += has && !il_result_is_ok(r, k);
    }
    if (e->norm == NULL) { /* else the same cases once more */
        il_lua_outcome *total = &e->context->outcome;
        total->cases += n;
        total->found += r->found;
        total->ran += r->ran;
        total->failed += e->sweep->lenient ? 0 : r->failed;
        total->missing += r->missing;
    }
}

static void conclude(lua_State *L, const il_execution *e, double began) {
    const il_result *r = e->result;
    size_t n = il_sweep_count(e->sweep);
    count(e);
    if (!e->sweep->quiet) {
        il_lua_tell(
            e->context, "sweep %s: %zu case%s: %zu found stored, %zu run in %.1f s, %zu failed",
            e->title, n, il_lua_plural(n), r->found, r->ran, il_clock_seconds() - began, r->failed);
    }
    if (r->missing > 0) {
        il_lua_say(e->context, "sweep %s: %zu of %zu case%s %s missing", e->sweep->name, r->missing,
                   n, il_lua_plural(n), r->missing == 1 ? "is" : "are");
    }
    if (e->norm == NULL && !e->sweep->lenient) {
        il_lua_notice_sweep(L, r);
        il_lua_notice_programs(L, r);
    }
}

static void run(lua_State *L, il_execution *e) {
    const il_sweep *s = e->sweep;
    const il_lua_options *options = e->context->options;
    il_lua_arena *arena = e->result->arena;
    size_t n = il_sweep_count(s);
    il_error err = {IL_OK, ""};
    double began = il_clock_seconds();
    planned *list = il_lua_take(L, arena, n, sizeof *list, NULL);
    of_problem *problems = il_lua_take(L, arena, s->nproblems, sizeof *problems, NULL);
    e->jobs = il_lua_take(L, arena, n + 2 * s->nproblems, sizeof *e->jobs, NULL);
    look_up(L, e);
    if (options->resume) {
        il_lua_tell(e->context, "sweep %s: %zu of %zu case%s found in %s/cases", e->title,
                    e->result->found, n, il_lua_plural(n), options->results);
    }
    size_t pending = choose(e, problems, list);
    add_references(L, e, problems);
    il_lua_expect(L, CALL, il_roster_save(e->context->roster, &err), &err);
    il_status status =
        il_interrupted() ? il_fail(&err, IL_EINTERRUPTED, "%s", il_interrupt_reason()) : IL_OK;
    if (status == IL_OK && pending > 0) {
        if (!e->by_workers) { /* the references, of which the workers have copies then */
            run_here(L, e);
            e->njobs = 0;
        }
        add_cases(L, e, problems, list, pending);
        status = run_pool(e, &err);
    }
    conclude(L, e, began);
    il_lua_expect(L, CALL, status, &err);
}

static void close_held(void *room) {
    il_held *r = room;
    il_trajectory_free(&r->run);
    json_decref(r->error);
    r->error = NULL;
}

/* The result lives on; the references in memory need not. */
static void finish(il_execution *e) {
    il_norm_kept_free(&e->known);
    for (size_t i = 0; i < e->sweep->nproblems; i++) {
        close_held(&e->held[i]);
    }
}

static void close_execution(void *room) {
    il_execution *e = room;
    il_norm_kept_free(&e->known);
}

/* Push a result of sweep s, and begin its execution. */
static il_execution *begin(lua_State *L, int index, const il_sweep *s, const il_lua_norm *norm) {
    il_result *result = il_lua_push_result(L, index, s);
    il_execution *e = il_lua_take(L, result->arena, 1, sizeof *e, close_execution);
    e->context = il_lua_context_of(L);
    e->sweep = s;
    e->norm = norm;
    e->result = result;
    e->title = s->name;
    e->stores = e->context->store != NULL;
    e->by_workers = e->stores && norm == NULL && !il_lua_has_functions(s);
    e->held = il_lua_take(L, result->arena, s->nproblems, sizeof *e->held, close_held);
    e->context->L = L;
    return e;
}

il_result *il_lua_execute_whole(lua_State *L, int index, const il_sweep *s, const size_t *cases,
                                size_t n, il_trajectory *runs) {
    il_error err = {IL_OK, ""};
    il_status status = IL_OK;
    il_execution *e = begin(L, index, s, NULL);
    char **keys = il_lua_take(L, e->result->arena, n, sizeof(char *), il_lua_close_text);
    e->jobs = il_lua_take(L, e->result->arena, n, sizeof *e->jobs, NULL);
    e->njobs = n;
    e->runs = runs;
    for (size_t k = 0; k < n; k++) {
        il_job *j = &e->jobs[k];
        *j = (il_job){.kind = IL_JOB_WHOLE, .k = cases[k], .units = work_of(s, cases[k])};
        if (e->by_workers) {
            il_lua_expect(L, CALL, il_job_key(e, j, &keys[k], &err), &err);
            j->key = keys[k];
        }
    }
    if (e->by_workers) {
        status = run_pool(e, &err);
    } else {
        run_here(L, e);
    }
    for (size_t k = 0; e->by_workers && status == IL_OK && k < n; k++) {
        bool found = true;
        if (il_result_is_ok(e->result, cases[k])) {
            status = il_job_read_run(e->context, keys[k], &runs[k], &found, &err);
        }
        if (status == IL_OK && !found) {
            status = il_fail(&err, IL_EIO, "a run is no longer where it was stored");
        }
    }
    finish(e);
    il_lua_expect(L, CALL, status, &err);
    return e->result;
}

void il_lua_drop_runs(lua_State *L, const il_sweep *s, const size_t *cases, size_t n) {
    const il_execution e = {.context = il_lua_context_of(L), .sweep = s};
    for (size_t k = 0; e.context->store != NULL && !il_lua_has_functions(s) && k < n; k++) {
        il_job j = {.kind = IL_JOB_WHOLE, .k = cases[k]};
        il_error err = {IL_OK, ""};
        char *key = NULL;
        char name[IL_STORE_NAME];
        il_lua_expect(L, CALL, il_job_key(&e, &j, &key, &err), &err);
        il_store_key_name(key, name);
        free(key);
        (void)unlink(lua_pushfstring(L, "%s/%s", e.context->references, name));
        lua_pop(L, 1);
    }
}

/* Push the result of the sweep at index: every case through the store and the workers. With a norm
 * of the script's own the records have that alone. */
static il_result *execute(lua_State *L, int index, const il_lua_norm *norm) {
    const il_sweep *s = il_lua_check_sweep(L, index);
    il_execution *e = begin(L, index, s, norm);
    if (norm != NULL) {
        e->title = il_lua_print(L, e->result->arena, "%s, norm %s", s->name, norm->name);
    }
    e->context->sweeps++;
    il_lua_identify_sweep(L, s);
    run(L, e);
    finish(e);
    return e->result;
}

/* sweep:run(): every case, through the store and the workers. */
static int sweep_run(lua_State *L) {
    lua_settop(L, 1);
    (void)execute(L, 1, NULL);
    return 1;
}

/* ---- norms of a script's own ----------------------------------------------------------------- */

/* The norm's value out of each record of `from`, and of a self reference's own error; one that its
 * function failed in is an error. */
static void take_values(lua_State *L, il_result *to, const il_result *from, const char *name) {
    for (size_t k = 0; k < il_sweep_count(to->sweep); k++) {
        const json_t *record = il_result_record(from, k);
        const json_t *measured = json_object_get(record, "error");
        json_t *mine = il_result_record(to, k);
        json_t *error = json_object_get(mine, "error");
        json_t *own = json_object_get(error, "reference_error");
        json_t *value = json_object_get(measured, name);
        json_t *its = json_object_get(json_object_get(measured, "reference_error"), name);
        if (value == NULL && il_record_has_status(record, IL_ESCRIPT) &&
            !il_record_has_status(mine, IL_ESCRIPT)) {
            il_lua_fail(L, NULL, IL_ESCRIPT, "%s", il_json_get_text(record, "message"));
        }
        if (!json_is_object(error)) {
            continue;
        }
        il_json_set(error, name, value != NULL ? json_incref(value) : json_null());
        if (json_is_object(own) && its != NULL) {
            il_json_set(own, name, json_incref(its));
        }
        il_result_put(to, k, mine);
    }
}

/* Measure what the result's records do not have of the norm yet, through the store and the
 * workers. */
static void measure(lua_State *L, const il_result *result, const il_lua_norm *norm) {
    const il_sweep *sweep = result->sweep;
    il_lua_identity *identity = (il_lua_identity *)(uintptr_t)&norm->identity;
    bool all = true;
    for (size_t k = 0; k < il_sweep_count(sweep); k++) {
        const json_t *error = json_object_get(il_result_record(result, k), "error");
        all = all && (!json_is_object(error) || json_object_get(error, norm->name) != NULL);
    }
    if (all) {
        return;
    }
    il_lua_identify(L, identity);
    il_lua_tell_unkept(L, sweep, identity->now.why);
    (void)lua_getiuservalue(L, 1, 2); /* the sweep; the result is what the method was called on */
    const il_result *measured = execute(L, -1, norm);
    take_values(L, (il_result *)(uintptr_t)result, measured, norm->name);
    lua_pop(L, 2);
}

/* host.measure(r, call, t, what): the name of the norm that t, which messages call `what`,
 * declares. Its values go into the records of r, whose cases run once more. */
static int measure_norm(lua_State *L) {
    const il_result *result = il_lua_check_result(L, 1);
    il_fields f =
        il_fields_open(L, il_lua_arena_open(L), 3, luaL_checkstring(L, 2), luaL_checkstring(L, 4));
    const il_lua_norm *norm = il_lua_norm_declare(&f);
    measure(L, result, norm);
    lua_pushstring(L, norm->name);
    return 1;
}

const luaL_Reg il_lua_sweep_methods[] = {{"run", sweep_run}, {NULL, NULL}};

const luaL_Reg il_lua_host_norms[] = {{"measure", measure_norm}, {NULL, NULL}};
