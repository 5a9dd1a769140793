/*
 * why.c - why a case would run: its key compared with those of stored cases, member by member.
 */
#include "harness/results/results.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/io/store/state_file.h"
#include "harness/results/files.h"

/* A case with more differences than this is unrelated; at most so many stored ones are compared. */
enum { FEW = 3, LOOKED_AT = 200, PATH = 200, DETAIL = 500 };

typedef struct {
    il_index *index;
    json_t *stored;  /* what a build does not change of a key: name of a stored case */
    json_t *orphans; /* PROBLEM BY SCHEME: [key, ...] of stored cases that are not asked for */
    json_t *asked;   /* what a build does not change of the keys of cases: true */
    il_json made;
    il_error *err;
} work;

static il_status starve(const work *w) {
    return il_fail(w->err, IL_ENOMEM, "no memory for the reasons");
}

/* ---- keys ----------------------------------------------------------------------------------- */

static const char *const of_sources[] = {"build", "functions", "format"};
enum { OF_SOURCES = sizeof of_sources / sizeof of_sources[0] };

static bool is_of_sources(const char *member) {
    for (size_t k = 0; k < OF_SOURCES; k++) {
        if (strcmp(member, of_sources[k]) == 0) {
            return true;
        }
    }
    return false;
}

/* A key without what sources change; the caller's, NULL without memory. */
static char *lasting(const json_t *key) {
    json_t *copy = il_json_copy(key);
    for (size_t k = 0; k < OF_SOURCES; k++) {
        (void)json_object_del(copy, of_sources[k]);
    }
    char *text = il_json_text_as(copy, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(copy);
    return text;
}

static void family_of(const json_t *key, char name[PATH]) {
    (void)snprintf(name, PATH, "%.90s by %.90s", il_json_get_text(key, "problem"),
                   il_json_get_text(key, "scheme"));
}

/* ---- what is stored ------------------------------------------------------------------------- */

static il_status add_asked(work *w, const json_t *cases) {
    size_t k = 0;
    const json_t *one = NULL;
    json_array_foreach(cases, k, one) {
        json_t *key = NULL;
        const char *text = json_string_value(json_object_get(one, "specification"));
        if (text == NULL) {
            continue;
        }
        il_status status = il_json_parse(text, &key, w->err);
        char *same = status == IL_OK ? lasting(key) : NULL;
        json_decref(key);
        if (same == NULL) {
            return starve(w);
        }
        il_json_set(&w->made, w->asked, same, json_true());
        free(same);
    }
    return w->made.failed ? starve(w) : IL_OK;
}

static il_status add_stored(work *w, const char *name, const char *text) {
    json_t *key = NULL;
    char family[PATH];
    if (il_json_parse(text, &key, w->err) != IL_OK) {
        return w->err->code == IL_ENOMEM ? IL_ENOMEM : IL_OK;
    }
    char *same = lasting(key);
    if (same == NULL) {
        json_decref(key);
        return starve(w);
    }
    if (json_object_get(w->asked, same) != NULL) {
        if (json_object_get(w->stored, same) == NULL) { /* the last comes first */
            il_json_set(&w->made, w->stored, same, json_string(name));
        }
    } else {
        family_of(key, family);
        json_t *list = json_object_get(w->orphans, family);
        if (list == NULL) {
            il_json_set(&w->made, w->orphans, family, json_array());
            list = json_object_get(w->orphans, family);
        }
        if (list != NULL && json_array_size(list) < LOOKED_AT) {
            il_json_append(&w->made, list, json_incref(key));
        }
    }
    free(same);
    json_decref(key);
    return w->made.failed ? starve(w) : IL_OK;
}

static il_status take_stored(void *self, sqlite3_stmt *row, il_error *err) {
    (void)err; /* self has it */
    return add_stored(self, il_index_text(row, 0), il_index_text(row, 1));
}

static il_status read_stored(work *w) {
    return il_index_each(w->index,
                         "SELECT c.key, s.text FROM cases c JOIN specifications s ON s.key = c.key "
                         "WHERE c.damaged ISNULL ORDER BY c.date DESC, c.key",
                         NULL, take_stored, w, w->err);
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
    char path[4300];
    int n =
        snprintf(path, sizeof path, "%s/cases/%.2s/%s.json.damaged", w->index->results, name, name);
    return n > 0 && n < (int)sizeof path && access(path, F_OK) == 0;
}

static void say_record(work *w, json_t *one, const json_t *record) {
    char detail[DETAIL] = "";
    const char *status = json_string_value(json_object_get(record, "status"));
    const char *message = json_string_value(json_object_get(record, "message"));
    if (status != NULL && strcmp(status, il_status_name(IL_OK)) == 0) {
        say(w, one, false, "stored", NULL);
        return;
    }
    (void)snprintf(detail, sizeof detail, "%s%s%.300s", status != NULL ? status : "?",
                   message != NULL && message[0] != '\0' ? ": " : "",
                   message != NULL ? message : "");
    say(w, one, json_object_get(record, "lost") != NULL, "failed", detail);
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
    json_array_foreach(json_object_get(w->orphans, family), k, then) {
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

typedef struct {
    work *w;
    json_t *one;
    const char *build, *before;
} source;

static il_status take_source(void *self, sqlite3_stmt *row, il_error *err) {
    const source *s = self;
    char detail[DETAIL];
    const char *old = il_index_text(row, 0);
    const char *revision = il_index_text(row, 1);
    (void)err;
    if (strcmp(old, s->build) == 0) {
        (void)snprintf(detail, sizeof detail, "functions of the script are others than for %.12s",
                       s->before);
    } else {
        (void)snprintf(detail, sizeof detail,
                       "%.12s was stored by build %.40s%s%.40s, this is %.40s", s->before, old,
                       revision[0] != '\0' ? ", revision " : "", revision, s->build);
    }
    say(s->w, s->one, true, "changed source", detail);
    return IL_OK;
}

static il_status say_source(work *w, json_t *one, const json_t *key, const char *before) {
    source s = {w, one, il_json_get_text(key, "build"), before};
    return il_index_each(w->index, "SELECT build, revision FROM cases WHERE key = ?", before,
                         take_source, &s, w->err);
}

/* A case that is not stored. */
static il_status say_absent(work *w, json_t *one, const char *text) {
    json_t *key = NULL;
    il_status status = il_json_parse(text, &key, w->err);
    char *same = status == IL_OK ? lasting(key) : NULL;
    if (same == NULL) {
        json_decref(key);
        return starve(w);
    }
    const char *before = json_string_value(json_object_get(w->stored, same));
    if (before != NULL) {
        status = say_source(w, one, key, before);
    } else if (was_set_aside(w, json_string_value(json_object_get(one, "name")))) {
        say(w, one, true, "damaged", "its file was set aside");
    } else if (!say_changed(w, one, key)) {
        say(w, one, true, "new", NULL);
    }
    free(same);
    json_decref(key);
    return status;
}

static il_status say_one(work *w, json_t *one) {
    const char *name = json_string_value(json_object_get(one, "name"));
    const char *text = json_string_value(json_object_get(one, "specification"));
    json_t *object = NULL;
    il_error why = {IL_OK, ""};
    if (name == NULL || text == NULL) {
        say(w, one, true, "not kept", json_string_value(json_object_get(one, "unkept")));
        return IL_OK;
    }
    il_status status = il_results_case_load(w->index->results, name, &object, &why);
    if (status == IL_EINVAL) {
        say(w, one, true, "damaged", why.message);
        return IL_OK;
    }
    if (status != IL_OK) {
        return il_fail(w->err, status, "%s", why.message);
    }
    if (object != NULL) {
        say_record(w, one, json_object_get(object, "record"));
        json_decref(object);
        return IL_OK;
    }
    return say_absent(w, one, text);
}

il_status il_results_why(il_index *index, json_t *cases, il_error *err) {
    il_error none = {IL_OK, ""};
    work w = {.index = index,
              .stored = json_object(),
              .orphans = json_object(),
              .asked = json_object(),
              .err = err != NULL ? err : &none};
    il_status status =
        w.stored != NULL && w.orphans != NULL && w.asked != NULL ? IL_OK : starve(&w);
    status = status == IL_OK ? add_asked(&w, cases) : status;
    status = status == IL_OK ? read_stored(&w) : status;
    size_t k = 0;
    json_t *one = NULL;
    json_array_foreach(cases, k, one) {
        status = status == IL_OK ? say_one(&w, one) : status;
        if (status == IL_OK && il_interrupted()) {
            status = il_fail(w.err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
        }
    }
    json_decref(w.stored);
    json_decref(w.orphans);
    json_decref(w.asked);
    return status == IL_OK && w.made.failed ? starve(&w) : status;
}

/* ---- references ----------------------------------------------------------------------------- */

static il_status say_reference(work *w, json_t *one) {
    const char *name = json_string_value(json_object_get(one, "name"));
    const char *key = json_string_value(json_object_get(one, "specification"));
    bool needed = json_is_true(json_object_get(one, "needed"));
    unsigned char *bytes = NULL;
    size_t n = 0;
    char *path = NULL;
    il_error why = {IL_OK, ""};
    if (name == NULL || key == NULL ||
        asprintf(&path, "%s/references/%s", w->index->results, name) < 0) {
        return starve(w);
    }
    il_status status = il_state_file_find(path, key, &bytes, &n, &why);
    if (status == IL_ENOMEM) {
        status = starve(w);
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
    free(path);
    return status == IL_ENOMEM ? status : IL_OK;
}

il_status il_results_why_references(const il_index *index, json_t *references, il_error *err) {
    il_error none = {IL_OK, ""};
    work w = {.index = (il_index *)(uintptr_t)index, .err = err != NULL ? err : &none};
    il_status status = IL_OK;
    size_t k = 0;
    json_t *one = NULL;
    json_array_foreach(references, k, one) {
        status = status == IL_OK ? say_reference(&w, one) : status;
    }
    return status == IL_OK && w.made.failed ? starve(&w) : status;
}
