/*
 * origin.c - the manifests RESULTS/figures/NAME.json and RESULTS/tables/NAME.table.json.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/io/sealed.h"
#include "harness/results/results.h"

enum { PLACES = 2, NAME = 256 };

static const struct {
    const char *folder, *suffix;
} places[PLACES] = {{"figures", ".json"}, {"tables", ".table.json"}};

/* "DIR/NAME.png" is NAME. */
static void bare_name(const char *figure, char name[NAME]) {
    static const char *const ends[] = {".table.json", ".json", ".png", ".pdf", ".svg",
                                       ".gp",         ".dat",  ".txt", ".csv", ".tex"};
    const char *slash = strrchr(figure, '/');
    (void)snprintf(name, NAME, "%s", slash != NULL ? slash + 1 : figure);
    for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++) {
        if (il_text_ends_with(name, ends[k])) {
            name[strlen(name) - strlen(ends[k])] = '\0';
            return;
        }
    }
}

static il_status load(const char *results, size_t place, const char *name, json_t **manifest,
                      il_error *err) {
    char path[IL_STORE_PATH];
    il_json w = {false};
    il_error why = {IL_OK, ""};
    (void)snprintf(path, sizeof path, "%s/%s/%s%s", results, places[place].folder, name,
                   places[place].suffix);
    il_status status = il_sealed_load(path, manifest, &why);
    if (status != IL_OK) {
        return il_fail(err, status,
                       "the manifest '%s' cannot be used (%.300s); run its script again", path,
                       why.message);
    }
    if (*manifest != NULL) {
        il_json_put_text(&w, *manifest, "manifest", path);
    }
    return w.failed ? il_fail(err, IL_ENOMEM, "no memory for a manifest") : IL_OK;
}

/* The names of all manifests of a place, the caller's. */
static il_status list(const char *results, size_t place, json_t **names, il_error *err) {
    char path[IL_STORE_PATH];
    il_json w = {false};
    struct dirent **items = NULL;
    const char *suffix = places[place].suffix;
    *names = json_array();
    (void)snprintf(path, sizeof path, "%s/%s", results, places[place].folder);
    int n = scandir(path, &items, NULL, alphasort);
    il_status status = n >= 0 || errno == ENOENT
                           ? IL_OK
                           : il_fail(err, il_status_of_errno(errno), "cannot read '%s': %s", path,
                                     strerror(errno));
    for (int k = 0; k < n; k++) {
        const char *name = items[k]->d_name;
        size_t letters = strlen(name);
        if (name[0] != '.' && letters > strlen(suffix) && il_text_ends_with(name, suffix) &&
            il_text_is_utf8(name)) {
            il_json_append(&w, *names, json_stringn(name, letters - strlen(suffix)));
        }
        free(items[k]);
    }
    free(items);
    return w.failed ? il_fail(err, IL_ENOMEM, "no memory for names of figures") : status;
}

/* There is none: say what may have been meant. */
static il_status miss(const char *results, const char *name, il_error *err) {
    enum { MOST = 512 };
    const char *all[MOST];
    json_t *names[PLACES] = {NULL};
    size_t n = 0;
    il_status status = IL_OK;
    for (size_t i = 0; status == IL_OK && i < PLACES; i++) {
        status = list(results, i, &names[i], err);
        for (size_t k = 0; n < MOST && k < json_array_size(names[i]); k++) {
            all[n++] = json_string_value(json_array_get(names[i], k));
        }
    }
    const char *near = n > 0 ? il_text_nearest(name, all, n) : NULL;
    if (status == IL_OK) {
        status = il_fail(err, IL_EINVAL,
                         "there is no figure or table '%.200s' in '%s' (of %zu)%s%.200s%s", name,
                         results, json_array_size(names[0]) + json_array_size(names[1]),
                         near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                         near != NULL ? "'?" : "");
    }
    json_decref(names[0]);
    json_decref(names[1]);
    return status;
}

il_status il_results_manifest(const char *results, const char *figure, json_t **manifest,
                              il_error *err) {
    char name[NAME];
    bool table = il_text_ends_with(figure, ".txt") || il_text_ends_with(figure, ".csv") ||
                 il_text_ends_with(figure, ".tex") || strstr(figure, "tables/") != NULL;
    bare_name(figure, name);
    il_status status = load(results, table ? 1 : 0, name, manifest, err);
    if (status == IL_OK && *manifest == NULL) {
        status = load(results, table ? 0 : 1, name, manifest, err);
    }
    if (status == IL_OK && *manifest == NULL) {
        status = miss(results, name, err);
    }
    if (status == IL_OK &&
        !json_is_array(json_object_get(json_object_get(*manifest, "origin"), "cases"))) {
        status =
            il_fail(err, IL_EINVAL, "'%s' does not say what it was made from; run its script again",
                    json_string_value(json_object_get(*manifest, "manifest")));
    }
    return status;
}

il_status il_results_drawn(const char *results, json_t *reached, size_t *unread, il_error *err) {
    il_status status = IL_OK;
    il_json w = {false};
    *unread = 0;
    for (size_t place = 0; status == IL_OK && place < PLACES; place++) {
        json_t *names = NULL;
        size_t k = 0;
        const json_t *name = NULL;
        status = list(results, place, &names, err);
        json_array_foreach(names, k, name) {
            json_t *manifest = NULL;
            size_t i = 0;
            const json_t *one = NULL;
            il_error why = {IL_OK, ""};
            il_status read = load(results, place, json_string_value(name), &manifest, &why);
            *unread += read == IL_EINVAL || read == IL_EIO;
            if (read == IL_ENOMEM || read == IL_EUNSUPPORTED) {
                status = il_fail(err, read, "%s", why.message);
            }
            const json_t *origin = json_object_get(manifest, "origin");
            json_array_foreach(json_object_get(origin, "cases"), i, one) {
                il_json_set(&w, reached, json_string_value(one), json_true());
            }
            json_decref(manifest);
        }
        json_decref(names);
    }
    return status == IL_OK && w.failed ? il_fail(err, IL_ENOMEM, "no memory for names of cases")
                                       : status;
}
