/*
 * state.c - progress of scripts: rosters have the cases asked for, the index those that are stored.
 */
#include "harness/results/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/date.h"
#include "harness/base/json.h"
#include "harness/io/store/journal.h"
#include "harness/io/store/lease.h"
#include "harness/io/store/roster.h"

typedef struct {
    il_index *index;
    sqlite3_stmt *find; /* status and date of a name */
    json_t *claims;     /* names */
    il_error *err;
} state;

typedef struct {
    size_t all, done, failed, claimed, missing;
    double cost_ran, cost_missing; /* of cases whose cost is known */
} counts;

/* The names of cases that are claimed, {NAME: true, ...}. */
static json_t *claims_of(const il_index *index) {
    il_json w = {false};
    size_t k = 0;
    const json_t *one = NULL;
    json_t *held = il_leases_held(index->results);
    json_t *names = held != NULL ? json_object() : NULL;
    json_array_foreach(held, k, one) {
        il_json_set(&w, names, il_json_get_text(one, "name"), json_true());
    }
    json_decref(held);
    return il_json_done(&w, names);
}

/* ---- counting ------------------------------------------------------------------------------- */

static il_status count_case(const state *s, const char *name, double cost, const char *began,
                            counts *c) {
    (void)sqlite3_reset(s->find);
    int code = sqlite3_bind_text(s->find, 1, name, -1, SQLITE_STATIC);
    code = code == SQLITE_OK ? sqlite3_step(s->find) : code;
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        return il_index_fail(s->index, code, s->err);
    }
    c->all++;
    const char *status = code == SQLITE_ROW ? (const char *)sqlite3_column_text(s->find, 0) : NULL;
    if (status == NULL) { /* no file, or a damaged one */
        bool claimed = json_object_get(s->claims, name) != NULL;
        c->claimed += claimed;
        c->missing += !claimed;
        c->cost_missing += cost;
        return IL_OK;
    }
    const char *date = (const char *)sqlite3_column_text(s->find, 1);
    bool well = strcmp(status, il_status_name(IL_OK)) == 0;
    c->done += well;
    c->failed += !well;
    c->cost_ran += date != NULL && strcmp(date, began) >= 0 ? cost : 0.0;
    return IL_OK;
}

static il_status count_cases(const state *s, const json_t *roster, counts *c) {
    const json_t *cases = json_object_get(roster, "cases");
    const json_t *costs = json_object_get(roster, "costs");
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && k < json_array_size(cases); k++) {
        const char *name = json_string_value(json_array_get(cases, k));
        double cost = json_number_value(json_array_get(costs, k));
        if (name != NULL) {
            status =
                count_case(s, name, cost > 0.0 ? cost : 0.0, il_json_get_text(roster, "began"), c);
        }
    }
    return status;
}

/* ---- one script ----------------------------------------------------------------------------- */

static const char *state_of(const json_t *roster) {
    bool known = true;
    bool alive = il_roster_at_work(roster, &known);
    bool said = strcmp(il_json_get_text(roster, "state"), "at work") == 0;
    return alive                                                     ? "at work"
           : said && known                                           ? "killed"
           : said                                                    ? "elsewhere"
           : strcmp(il_json_get_text(roster, "state"), "ended") == 0 ? "ended"
                                                                     : "stopped";
}

/* Seconds that are left; NaN if unknown. */
static double left_of(const json_t *roster, const counts *c) {
    time_t began = il_date_seconds(il_json_get_text(roster, "began"));
    double passed = (double)il_date_now() - (double)began;
    return c->cost_ran > 0.0 && began >= 0 && passed >= 0.0 ? passed * c->cost_missing / c->cost_ran
                                                            : NAN;
}

static void put_end(il_json *w, json_t *object, double left) {
    char date[IL_DATE] = "";
    if (isfinite(left) && left < 1e12) {
        il_date_utc(il_date_now() + (time_t)left, date);
    }
    il_json_put(w, object, "seconds_left", left);
    il_json_put_text(w, object, "expected_end", date[0] != '\0' ? date : NULL);
}

static void put_head(il_json *w, json_t *object, const json_t *roster, const char *said) {
    static const char *const keys[] = {"script", "arguments", "shard", "host",
                                       "pid",    "workers",   "began", "saved"};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        json_t *value = json_object_get(roster, keys[k]);
        il_json_set(w, object, keys[k], value != NULL ? json_incref(value) : json_null());
    }
    il_json_put_text(w, object, "state", said);
}

static json_t *script_json(const state *s, const json_t *roster, const json_t *journals,
                           il_status *status) {
    il_json w = {false};
    counts c = {0};
    json_t *object = json_object();
    const char *said = state_of(roster);
    const json_t *journal = json_is_null(json_object_get(roster, "shard"))
                                ? il_journal_find(journals, il_json_get_text(roster, "script"),
                                                  json_object_get(roster, "arguments"))
                                : NULL;
    *status = count_cases(s, roster, &c);
    bool working = strcmp(said, "at work") == 0;
    put_head(&w, object, roster, said);
    il_json_put_count(&w, object, "cases", c.all);
    il_json_put_count(&w, object, "done", c.done);
    il_json_put_count(&w, object, "failed", c.failed);
    il_json_put_count(&w, object, "at_work", c.claimed);
    il_json_put_count(&w, object, "missing", c.missing);
    put_end(&w, object, working ? left_of(roster, &c) : NAN);
    il_json_put_text(&w, object, "ending",
                     journal != NULL ? il_json_get_text(journal, "ending") : NULL);
    il_json_put_text(&w, object, "reason",
                     journal != NULL ? il_json_get_text(journal, "reason") : NULL);
    object = il_json_done(&w, object);
    if (object == NULL && *status == IL_OK) {
        *status = il_fail(s->err, IL_ENOMEM, "no memory for the state of scripts");
    }
    return object;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static il_status add_scripts(const state *s, json_t *all, json_t *troubles) {
    il_json w = {false};
    const json_t *roster = NULL;
    size_t k = 0;
    il_status status = IL_OK;
    json_t *rosters = il_roster_all(s->index->results, troubles, s->err);
    if (rosters == NULL) {
        return s->err->code;
    }
    json_t *journals = il_journal_all(s->index->results, troubles);
    if (journals == NULL) {
        status = il_fail(s->err, IL_ENOMEM, "no memory for the outcomes of scripts");
    }
    json_array_foreach(rosters, k, roster) {
        if (status == IL_OK) {
            il_json_append(&w, all, script_json(s, roster, journals, &status));
        }
    }
    json_decref(rosters);
    json_decref(journals);
    return status == IL_OK && w.failed ? il_fail(s->err, IL_ENOMEM, "no memory for the state")
                                       : status;
}

il_status il_results_state(il_index *index, json_t **out, il_error *err) {
    il_json w = {false};
    il_error none = {IL_OK, ""};
    state s = {.index = index, .err = err != NULL ? err : &none};
    json_t *object = json_object();
    json_t *scripts = json_array();
    json_t *troubles = json_array();
    *out = NULL;
    il_status status =
        il_index_fail(index,
                      sqlite3_prepare_v2(index->db, "SELECT status, date FROM cases WHERE key = ?",
                                         -1, &s.find, NULL),
                      s.err);
    s.claims = claims_of(index);
    if (status == IL_OK && (s.claims == NULL || scripts == NULL || troubles == NULL)) {
        status = il_fail(s.err, IL_ENOMEM, "no memory for the state");
    }
    status = status == IL_OK ? add_scripts(&s, scripts, troubles) : status;
    (void)sqlite3_finalize(s.find);
    json_decref(s.claims);
    il_json_put_text(&w, object, "results", index->results);
    il_json_put_count(&w, object, "stored", index->files - index->damaged);
    il_json_put_count(&w, object, "damaged", index->damaged);
    il_json_put_count(&w, object, "set_aside", index->aside);
    il_json_set(&w, object, "troubles", troubles);
    il_json_set(&w, object, "scripts", scripts);
    object = il_json_done(&w, object);
    if (status == IL_OK && object == NULL) {
        status = il_fail(s.err, IL_ENOMEM, "no memory for the state");
    }
    if (status != IL_OK) {
        json_decref(object);
        return status;
    }
    *out = object;
    return IL_OK;
}
