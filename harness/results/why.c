/*
 * why.c - why a case would run: its key compared with those of stored cases, member by member.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build_id.h"
#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/io/store/state_file.h"
#include "harness/results/results.h"

/* A case with more differences than this is unrelated; at most so many stored ones are compared. */
enum { FEW = 3, COMPARED = 200, PATH = 200, DETAIL = 500 };

/* What is asked for and what is stored, by what a build does not change of a key. */
static const char ASKED[] = "CREATE TEMP TABLE asked AS SELECT DISTINCT " IL_RESULTS_SAME(
    "json_extract(value, '$.specification')") " AS same FROM json_each(?1)";
static const char STORED[] = "CREATE TEMP TABLE stored AS SELECT " IL_RESULTS_SAME(
    "specification") " AS same, key, build, "
                     "revision, specification FROM cases WHERE damaged ISNULL AND specification "
                     "NOTNULL "
                     "ORDER BY date DESC, key; CREATE INDEX temp.by_same ON stored(same)";

/* Of each case its own row, and the latest of those that differ in the build alone. */
static const char FOUND[] =
    "SELECT c.key, c.damaged, c.status, c.message, s.key AS before, s.build, s.revision, "
    "EXISTS(SELECT 1 FROM members m JOIN names n USING(pid) WHERE m.id = c.id AND n.path LIKE "
    "'lost.%') AS lost FROM json_each(?1) j LEFT JOIN cases c ON c.key = json_extract(j.value, "
    "'$.name') LEFT JOIN stored s ON s.rowid = (SELECT min(rowid) FROM stored WHERE same "
    "= " IL_RESULTS_SAME("json_extract(j.value, '$.specification')") ") ORDER BY j.key";

typedef struct {
    const il_index *index;
    json_t *unasked; /* PROBLEM BY SCHEME: [key, ...] of stored cases that are not asked for */
    il_json made;
    il_error *err;
} work;

static il_status no_memory(const work *w) {
    return il_fail(w->err, IL_ENOMEM, "no memory for the reasons");
}

/* ---- stored cases that are not asked for ---------------------------------------------------- */

static bool is_of_sources(const char *member) {
    return strcmp(member, "build") == 0 || strcmp(member, "functions") == 0 ||
           strcmp(member, "format") == 0;
}

static void family_of(const json_t *key, char name[PATH]) {
    (void)snprintf(name, PATH, "%.90s by %.90s", il_json_get_text(key, "problem"),
                   il_json_get_text(key, "scheme"));
}

static il_status read_unasked(work *w) {
    json_t *rows = NULL;
    const json_t *row = NULL;
    size_t k = 0;
    char family[PATH];
    il_status status = il_index_rows(w->index,
                                     "SELECT specification FROM stored WHERE same NOT IN (SELECT "
                                     "same FROM asked WHERE same NOTNULL) ORDER BY rowid",
                                     NULL, &rows, w->err);
    json_array_foreach(rows, k, row) {
        json_t *key = NULL;
        if (status == IL_OK) {
            status = il_json_parse(il_json_get_text(row, "specification"), &key, w->err);
        }
        family_of(key, family);
        if (json_object_get(w->unasked, family) == NULL) {
            il_json_set(&w->made, w->unasked, family, json_array());
        }
        json_t *list = json_object_get(w->unasked, family);
        if (json_array_size(list) < COMPARED) {
            il_json_append(&w->made, list, key);
        } else {
            json_decref(key);
        }
    }
    json_decref(rows);
    return status == IL_OK && w->made.failed ? no_memory(w) : status;
}

/* ---- one case ------------------------------------------------------------------------------- */

static void say(work *w, json_t *one, bool runs, const char *reason, const char *detail) {
    il_json_set(&w->made, one, "runs", json_boolean(runs));
    il_json_put_text(&w->made, one, "reason", reason);
    if (detail != NULL && detail[0] != '\0') {
        il_json_put_text(&w->made, one, "detail", detail);
    }
}

/* Was a file of this name set aside? */
static bool was_set_aside(const work *w, const char *name) {
    char path[IL_STORE_PATH];
    char aside[IL_STORE_PATH + 16];
    il_store_path(w->index->results, name, path);
    (void)snprintf(aside, sizeof aside, "%s.damaged", path);
    return access(aside, F_OK) == 0;
}

/* In how many members, those of objects by themselves, two keys differ, n before; the first few as
 * text. What sources change is left out. */
static size_t differences(const char *prefix, const json_t *now, const json_t *then, size_t n,
                          char detail[DETAIL]) {
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)(uintptr_t)now, key, value) {
        char path[PATH];
        const json_t *old = json_object_get(then, key);
        (void)snprintf(path, sizeof path, "%s%s%s", prefix, prefix[0] != '\0' ? "." : "", key);
        if (json_is_object(value) && json_is_object(old)) {
            n = differences(strcmp(path, "parameters") == 0 ? "" : path, value, old, n, detail);
        } else if (!is_of_sources(path) && !json_equal(old, value) && n++ < FEW) {
            char *was = il_json_text_as(old, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
            char *is = il_json_text_as(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
            il_text_append(detail, DETAIL, "%s%s was %.60s, is %.60s", n > 1 ? "; " : "", path,
                           was != NULL ? was : "absent", is != NULL ? is : "?");
            free(was);
            free(is);
        }
    }
    json_object_foreach((json_t *)(uintptr_t)then, key, value) {
        n += !is_of_sources(key) && json_object_get(now, key) == NULL;
    }
    return n;
}

/* Is there a stored case that is no longer asked for, and that this one may have replaced? */
static bool say_changed(work *w, json_t *one, const json_t *key) {
    char family[PATH];
    char best[DETAIL] = "";
    size_t least = FEW + 1;
    size_t k = 0;
    const json_t *then = NULL;
    family_of(key, family);
    json_array_foreach(json_object_get(w->unasked, family), k, then) {
        char detail[DETAIL] = "";
        size_t n = least > 1 ? differences("", key, then, 0, detail) : least;
        if (n < least) {
            least = n;
            memcpy(best, detail, sizeof best);
        }
    }
    if (least <= FEW) {
        say(w, one, true, "changed parameter", best);
    }
    return least <= FEW;
}

/* Another build, or other functions of the script, stored the same. */
static void say_source(work *w, json_t *one, const json_t *row) {
    char detail[DETAIL];
    const char *before = il_json_get_text(row, "before");
    const char *then = il_json_get_text(row, "build");
    const char *revision = il_json_get_text(row, "revision");
    if (strcmp(then, IL_BUILD_ID) == 0) {
        (void)snprintf(detail, sizeof detail, "functions of the script are others than for %.12s",
                       before);
    } else {
        (void)snprintf(detail, sizeof detail,
                       "%.12s was stored by build %.40s%s%.40s, this is %.40s", before, then,
                       revision[0] != '\0' ? ", revision " : "", revision, IL_BUILD_ID);
    }
    say(w, one, true, "changed source", detail);
}

static void say_stored(work *w, json_t *one, const json_t *row) {
    char detail[DETAIL];
    const char *status = il_json_get_text(row, "status");
    const char *message = il_json_get_text(row, "message");
    if (json_is_string(json_object_get(row, "damaged"))) {
        say(w, one, true, "damaged", il_json_get_text(row, "damaged"));
    } else if (strcmp(status, il_status_name(IL_OK)) == 0) {
        say(w, one, false, "stored", NULL);
    } else {
        (void)snprintf(detail, sizeof detail, "%s%s%.300s", status, message[0] != '\0' ? ": " : "",
                       message);
        say(w, one, json_integer_value(json_object_get(row, "lost")) != 0, "failed", detail);
    }
}

static il_status say_one(work *w, json_t *one, const json_t *row) {
    json_t *key = NULL;
    const char *name = il_json_get_text(one, "name");
    if (name[0] == '\0') {
        say(w, one, true, "not kept", json_string_value(json_object_get(one, "unkept")));
        return IL_OK;
    }
    if (json_is_string(json_object_get(row, "key"))) {
        say_stored(w, one, row);
        return IL_OK;
    }
    il_status status = il_json_parse(il_json_get_text(one, "specification"), &key, w->err);
    if (status == IL_OK && json_is_string(json_object_get(row, "before"))) {
        say_source(w, one, row);
    } else if (status == IL_OK && was_set_aside(w, name)) {
        say(w, one, true, "damaged", "its file was set aside");
    } else if (status == IL_OK && !say_changed(w, one, key)) {
        say(w, one, true, "new", NULL);
    }
    json_decref(key);
    return status;
}

il_status il_results_why(const il_index *index, json_t *cases, il_error *err) {
    work w = {.index = index, .unasked = json_object(), .err = err};
    char *text = il_json_text(cases);
    json_t *rows = NULL;
    json_t *one = NULL;
    size_t k = 0;
    il_status status = text != NULL ? il_index_run(index, ASKED, text, err) : no_memory(&w);
    status = status == IL_OK ? il_index_run(index, STORED, NULL, err) : status;
    status = status == IL_OK ? read_unasked(&w) : status;
    status = status == IL_OK ? il_index_rows(index, FOUND, text, &rows, err) : status;
    json_array_foreach(cases, k, one) {
        status = status == IL_OK ? say_one(&w, one, json_array_get(rows, k)) : status;
    }
    json_decref(rows);
    json_decref(w.unasked);
    free(text);
    return status == IL_OK && w.made.failed ? no_memory(&w) : status;
}

/* ---- references ----------------------------------------------------------------------------- */

static il_status say_reference(work *w, json_t *one) {
    const char *name = il_json_get_text(one, "name");
    const char *key = il_json_get_text(one, "specification");
    bool needed = json_is_true(json_object_get(one, "needed"));
    unsigned char *bytes = NULL;
    size_t n = 0;
    char path[IL_STORE_PATH];
    il_error why = {IL_OK, ""};
    (void)snprintf(path, sizeof path, "%s/references/%s", w->index->results, name);
    il_status status = il_state_file_find(path, key, &bytes, &n, &why);
    if (status == IL_ENOMEM) {
        status = no_memory(w);
    } else if (bytes != NULL) {
        say(w, one, false, "stored", NULL);
    } else if (!needed) {
        say(w, one, false, "not needed", NULL);
    } else if (status != IL_OK) {
        say(w, one, true, "damaged", why.message);
    } else {
        say(w, one, true, "new", NULL);
    }
    free(bytes);
    return status == IL_ENOMEM ? status : IL_OK;
}

il_status il_results_why_references(const il_index *index, json_t *references, il_error *err) {
    work w = {.index = index, .err = err};
    il_status status = IL_OK;
    size_t k = 0;
    json_t *one = NULL;
    json_array_foreach(references, k, one) {
        status = status == IL_OK ? say_reference(&w, one) : status;
    }
    return status == IL_OK && w.made.failed ? no_memory(&w) : status;
}
