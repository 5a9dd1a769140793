/*
 * state.c - progress of scripts: rosters have the cases asked for, the index those that are stored.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/date.h"
#include "harness/base/json.h"
#include "harness/io/store/journal.h"
#include "harness/io/store/lease.h"
#include "harness/io/store/roster.h"
#include "harness/results/results.h"

/* ?1 is {"cases": {NAME: COST, ...}, "began": DATE, "held": [{"name"}, ...]}; older programs wrote
 * an array of names. A damaged case has no status, as one that is not stored. */
static const char COUNTS[] =
    "WITH asked AS (SELECT iif(typeof(key) = 'text', key, value) AS name, iif(typeof(key) = "
    "'text', value, 0) AS cost FROM json_each(?1, '$.cases')), one AS (SELECT c.status, c.date, "
    "cost, name IN (SELECT json_extract(value, '$.name') FROM json_each(?1, '$.held')) AS held "
    "FROM asked LEFT JOIN cases c ON c.key = name) "
    "SELECT count(*) AS cases, count(*) FILTER (WHERE status = 'ok') AS done, "
    "count(*) FILTER (WHERE status <> 'ok') AS failed, "
    "count(*) FILTER (WHERE status ISNULL AND held) AS at_work, "
    "count(*) FILTER (WHERE status ISNULL AND NOT held) AS missing, "
    "total(cost) FILTER (WHERE status ISNULL) AS open, "
    "total(cost) FILTER (WHERE date >= json_extract(?1, '$.began')) AS ran FROM one";

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

/* Seconds that are left, by the costs of cases that were run since the script began and of those
 * that are missing; NaN if unknown. */
static double left_of(const json_t *roster, const json_t *counts) {
    time_t began = il_date_seconds(il_json_get_text(roster, "began"));
    double passed = (double)il_date_now() - (double)began;
    double ran = json_number_value(json_object_get(counts, "ran"));
    double open = json_number_value(json_object_get(counts, "open"));
    return ran > 0.0 && began >= 0 && passed >= 0.0 ? passed * open / ran : NAN;
}

static void put_end(json_t *object, double left) {
    char date[IL_DATE] = "";
    if (isfinite(left) && left < 1e12) {
        il_date_utc(il_date_now() + (time_t)left, date);
    }
    il_json_put(object, "seconds_left", left);
    il_json_put_text(object, "expected_end", date[0] != '\0' ? date : NULL);
}

/* The members of this name, null for what there is not. */
static void put_members(json_t *object, const json_t *from, const char *const *keys) {
    for (; *keys != NULL; keys++) {
        json_t *value = json_object_get(from, *keys);
        il_json_set(object, *keys, value != NULL ? json_incref(value) : json_null());
    }
}

static json_t *script_json(const json_t *roster, const json_t *counts, const json_t *journals) {
    static const char *const of_roster[] = {"script",  "arguments", "shard", "host", "pid",
                                            "workers", "began",     "saved", NULL};
    static const char *const of_counts[] = {"cases", "done", "failed", "at_work", "missing", NULL};
    static const char *const of_journal[] = {"ending", "reason", NULL};
    json_t *object = json_object();
    const char *state = state_of(roster);
    const json_t *journal = json_is_null(json_object_get(roster, "shard"))
                                ? il_journal_find(journals, il_json_get_text(roster, "script"),
                                                  json_object_get(roster, "arguments"))
                                : NULL;
    put_members(object, roster, of_roster);
    il_json_put_text(object, "state", state);
    put_members(object, counts, of_counts);
    put_end(object, strcmp(state, "at work") == 0 ? left_of(roster, counts) : NAN);
    put_members(object, journal, of_journal);
    return object;
}

static il_status add_script(const il_index *index, const json_t *roster, const json_t *journals,
                            json_t *held, json_t *scripts, il_error *err) {
    il_frame counts;
    json_t *asked = json_pack("{s:O, s:s, s:O}", "cases", json_object_get(roster, "cases"), "began",
                              il_json_get_text(roster, "began"), "held", held);
    char *text = il_json_text(asked);
    il_status status = il_index_ask(index, COUNTS, text, &counts, err);
    if (status == IL_OK) {
        json_t *rows = il_frame_json(&counts);
        il_json_append(scripts, script_json(roster, json_array_get(rows, 0), journals));
        il_frame_free(&counts);
        json_decref(rows);
    }
    json_decref(asked);
    free(text);
    return status;
}

il_status il_results_state(const il_index *index, json_t **out, il_error *err) {
    size_t k = 0;
    const json_t *roster = NULL;
    json_t *object = json_object();
    json_t *scripts = json_array();
    json_t *troubles = json_array();
    json_t *held = il_leases_held(index->results);
    json_t *rosters = il_roster_all(index->results, troubles);
    json_t *journals = il_journal_all(index->results, troubles);
    il_status status = IL_OK;
    json_array_foreach(rosters, k, roster) {
        status = status == IL_OK ? add_script(index, roster, journals, held, scripts, err) : status;
    }
    il_json_put_text(object, "results", index->results);
    il_json_put_count(object, "stored", index->files - index->damaged);
    il_json_put_count(object, "damaged", index->damaged);
    il_json_put_count(object, "set_aside", index->aside);
    il_json_set(object, "troubles", troubles);
    il_json_set(object, "scripts", scripts);
    json_decref(held);
    json_decref(rosters);
    json_decref(journals);
    *out = object;
    return status;
}
