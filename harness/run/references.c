/*
 * references.c - stores reference runs and event-driven references.
 */
#include "harness/run/references.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build_id.h"
#include "harness/base/clock.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/params.h"
#include "harness/io/store/state_file.h"
#include "harness/io/store/store.h"
#include "harness/run/registry.h"

/* The format of event-driven references, in their keys. */
static const int FORMAT = 1;

static char *path_of(const char *folder, const char *key) {
    char name[IL_STORE_NAME];
    il_store_key_name(key, name);
    return il_alloc_format("%s/%s", folder, name);
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static void save_provenance(const json_t *provenance, il_archive *a) {
    char *text = provenance != NULL ? il_json_text(provenance) : il_alloc_text("null");
    size_t n = strlen(text);
    size_t room = n;
    il_archive_array(a, &text, &n, &room, 1);
    free(text);
}

/* The text, the caller's, with a NUL; NULL where the bytes have none. */
static char *load_provenance(il_archive *a) {
    char *text = NULL;
    size_t n = 0;
    size_t room = 0;
    il_archive_array(a, &text, &n, &room, 1);
    char *whole = a->failed ? NULL : il_alloc_letters(n > 0 ? text : "", n);
    free(text);
    return whole;
}

/* RESULTS of RESULTS/references, the caller's. */
static char *results_of(const char *folder) {
    return il_alloc_letters(folder, (size_t)(strrchr(folder, '/') - folder));
}

static il_status put(const char *folder, const char *key, il_archive *a, il_error *err) {
    char *results = results_of(folder);
    char *path = path_of(folder, key);
    il_status status = il_state_file_put(path, results, key, a->bytes, a->n, err);
    free(results);
    free(path);
    free(a->bytes);
    return status;
}

/* Set a damaged file aside. */
static void set_aside(const char *path, const char *why, il_error *note) {
    char *aside = il_alloc_format("%s.damaged", path);
    bool moved = rename(path, aside) == 0;
    (void)il_fail(note, IL_EINVAL, "the reference '%s' is damaged (%s)%s and is made again", path,
                  why, moved ? ", was renamed to *.damaged" : "");
    free(aside);
}

/* Behind the provenance of the file of key; a->bytes is NULL where there is none of use. */
static il_status begin(const char *path, const char *key, il_archive *a, il_error *note) {
    il_error why = {IL_OK, ""};
    *a = (il_archive){.loading = true};
    il_status status = il_state_file_find(path, key, &a->bytes, &a->n, &why);
    if (status == IL_EINVAL) {
        set_aside(path, why.message, note);
        return IL_OK;
    }
    if (status != IL_OK) {
        return il_fail(note, status, "%s", why.message);
    }
    if (a->bytes != NULL) {
        free(load_provenance(a));
    }
    return IL_OK;
}

/* The bytes were whole; were they such a reference? */
static void conclude(const char *path, il_archive *a, il_error *note) {
    if (a->failed || a->at != a->n) {
        set_aside(path, "its content is another", note);
    }
    free(a->bytes);
}

/* ---- runs ----------------------------------------------------------------------------------- */

il_status il_reference_put_run(const char *folder, const char *key, il_trajectory *run,
                               const json_t *provenance, il_error *err) {
    il_archive a = {.loading = false};
    save_provenance(provenance, &a);
    il_trajectory_archive(run, &a);
    return put(folder, key, &a, err);
}

il_status il_reference_get_run(const char *folder, const char *key, il_trajectory *run, bool *found,
                               il_error *note) {
    il_archive a = {.loading = true};
    char *path = path_of(folder, key);
    *found = false;
    il_status status = begin(path, key, &a, note);
    if (status == IL_OK && a.bytes != NULL) {
        a.failed = a.failed || a.n - a.at < sizeof run->d;
        if (!a.failed) {
            memcpy(&run->d, a.bytes + a.at, sizeof run->d); /* what the archive expects */
        }
        il_trajectory_archive(run, &a);
        *found = !a.failed && a.at == a.n;
        conclude(path, &a, note);
    }
    if (!*found) {
        il_trajectory_free(run);
    }
    free(path);
    return status;
}

/* ---- event-driven --------------------------------------------------------------------------- */

bool il_reference_keeps(const il_case *c) {
    return c->references != NULL && c->problem->callbacks == NULL;
}

il_status il_reference_key(const il_case *c, char **text, il_error *err) {
    il_params *params = NULL;
    *text = NULL;
    il_status status = il_case_params(c, &params, err);
    if (status != IL_OK) {
        return status;
    }
    double T = c->h > 0.0 && c->steps > 0 ? (double)c->steps * c->h : c->horizon;
    json_t *key = json_pack("{s:s, s:i, s:s, s:s, s:o, s:o}", "build", IL_BUILD_ID, "format",
                            FORMAT, "reference", "event_driven", "problem", c->problem->type->name,
                            "parameters", il_params_json(params), "horizon", il_json_number(T));
    *text = il_json_text_as(key, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(key);
    il_params_destroy(params);
    return IL_OK;
}

il_status il_reference_find_events(const char *folder, const char *key, il_event_driven **out,
                                   il_error *note) {
    il_archive a = {.loading = true};
    char *path = path_of(folder, key);
    *out = NULL;
    il_status status = begin(path, key, &a, note);
    if (status == IL_OK && a.bytes != NULL) {
        *out = il_event_driven_restore(&a);
        if (*out != NULL && a.at != a.n) {
            il_event_driven_destroy(*out);
            *out = NULL;
        }
        conclude(path, &a, note);
    }
    free(path);
    return status;
}

/* Store a new reference. */
static void keep(const il_case *c, const char *key, il_event_driven *events, double seconds) {
    il_archive a = {.loading = false};
    json_t *provenance = il_provenance_json(c, seconds);
    save_provenance(provenance, &a);
    il_event_driven_archive(events, &a);
    (void)put(c->references, key, &a, NULL);
    json_decref(provenance);
}

static il_status make(il_event_driven **out, const il_case *c, il_error *err) {
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_status status = il_case_problem(c, &params, &problem, err);
    if (status == IL_OK) {
        status = il_event_driven_create(out, problem, il_projector_type_default(), err);
    }
    il_problem_destroy(problem);
    il_params_destroy(params);
    return status;
}

il_status il_reference_events(il_event_driven **out, const il_case *c, bool anew, il_error *err) {
    char *key = NULL;
    il_status status = IL_OK;
    *out = NULL;
    if (il_reference_keeps(c)) {
        status = il_reference_key(c, &key, err);
    }
    if (status == IL_OK && key != NULL && !anew) {
        il_error note = {IL_OK, ""};
        status = il_reference_find_events(c->references, key, out, &note);
        if (status != IL_OK) {
            (void)il_fail(err, status, "%s", note.message);
        }
    }
    if (status == IL_OK && *out == NULL) {
        double began = il_clock_seconds();
        status = make(out, c, err);
        if (status == IL_OK && key != NULL) {
            keep(c, key, *out, il_clock_seconds() - began);
        }
    }
    free(key);
    return status;
}

/* ---- what there is -------------------------------------------------------------------------- */

static void put_member(json_t *one, const char *name, const json_t *from) {
    json_t *value = json_object_get(from, name);
    il_json_set(one, name, value != NULL ? json_incref(value) : json_null());
}

/* A file that there was no memory to read is not damaged. */
static void expect_memory(il_status status) {
    if (status == IL_ENOMEM) {
        il_memory_end(0);
    }
}

/* Provenance, from the whole file. */
static void put_origin(json_t *one, const char *path, const char *key) {
    il_archive a = {.loading = true};
    il_error why = {IL_OK, ""};
    json_t *provenance = NULL;
    il_status status = il_state_file_find(path, key, &a.bytes, &a.n, &why);
    expect_memory(status);
    if (status != IL_OK) {
        il_json_put_text(one, "damaged", why.message);
    } else if (a.bytes != NULL) {
        char *text = load_provenance(&a);
        (void)il_json_parse(text != NULL ? text : "null", &provenance, &why);
        free(text);
    }
    put_member(one, "date", provenance);
    put_member(one, "seconds", provenance);
    put_member(one, "script", provenance);
    json_decref(provenance);
    free(a.bytes);
}

static json_t *describe(const char *folder, const char *name, bool whole) {
    static const char *const members[] = {"problem", "scheme", "steps", "horizon", "build"};
    il_error why = {IL_OK, ""};
    char *path = il_alloc_format("%s/%s", folder, name);
    char *text = NULL;
    json_t *key = NULL;
    json_t *one = json_object();
    il_json_put_text(one, "name", name);
    il_status status = il_state_file_key(path, &text, &why);
    expect_memory(status);
    status = status == IL_OK ? il_json_parse(text, &key, &why) : status;
    struct stat info;
    il_json_set(one, "bytes", json_integer(stat(path, &info) == 0 ? (json_int_t)info.st_size : 0));
    if (status == IL_OK) {
        bool run = json_object_get(key, "scheme") != NULL;
        il_json_put_text(one, "kind", run ? "run" : "event_driven");
        for (size_t k = 0; k < sizeof members / sizeof members[0]; k++) {
            put_member(one, members[k], key);
        }
        if (whole) {
            put_origin(one, path, text);
        }
    } else {
        il_json_put_text(one, "damaged", why.message);
    }
    json_decref(key);
    free(text);
    free(path);
    return one;
}

static int is_reference(const struct dirent *item) {
    return strlen(item->d_name) == IL_STORE_NAME - 1 &&
           strspn(item->d_name, "0123456789abcdef") == IL_STORE_NAME - 1;
}

json_t *il_references_list(const char *folder, bool whole) {
    struct dirent **items = NULL;
    json_t *all = json_array();
    errno = 0;
    int n = scandir(folder, &items, is_reference, alphasort);
    if (n < 0 && errno == ENOMEM) {
        il_memory_end(0);
    }
    for (int k = 0; k < n; k++) {
        il_json_append(all, describe(folder, items[k]->d_name, whole));
        free(items[k]);
    }
    free(items);
    return all;
}
