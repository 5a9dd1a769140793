/*
 * origin.c - the manifests RESULTS/figures/NAME.json and RESULTS/tables/NAME.table.json.
 */
#include "harness/results/results.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/io/sealed.h"

typedef struct {
    const char *folder, *suffix;
} place;

static const place places[] = {{"figures", ".json"}, {"tables", ".table.json"}};
enum { PLACES = sizeof places / sizeof places[0], NEAR_MAX = 512 };

/* "DIR/NAME.png" is NAME; the caller's. */
static char *bare_name(const char *figure) {
    static const char *const ends[] = {".table.json", ".json", ".png", ".pdf", ".svg",
                                       ".gp",         ".dat",  ".txt", ".csv", ".tex"};
    const char *slash = strrchr(figure, '/');
    char *name = strdup(slash != NULL ? slash + 1 : figure);
    for (size_t k = 0; name != NULL && k < sizeof ends / sizeof ends[0]; k++) {
        if (il_text_ends_with(name, ends[k])) {
            name[strlen(name) - strlen(ends[k])] = '\0';
            break;
        }
    }
    return name;
}

static il_status load(const char *results, const place *where, const char *name, json_t **manifest,
                      il_error *err) {
    char *path = NULL;
    il_error why = {IL_OK, ""};
    *manifest = NULL;
    if (asprintf(&path, "%s/%s/%s%s", results, where->folder, name, where->suffix) < 0) {
        return il_fail(err, IL_ENOMEM, "no memory for a path");
    }
    il_status status = il_sealed_load(path, manifest, &why);
    if (status != IL_OK) {
        (void)il_fail(err, status,
                      "the manifest '%s' cannot be used (%.300s); run its script again", path,
                      why.message);
    } else if (*manifest != NULL) {
        il_json w = {false};
        il_json_put_text(&w, *manifest, "manifest", path);
        status = w.failed ? il_fail(err, IL_ENOMEM, "no memory for a manifest") : IL_OK;
    }
    free(path);
    return status;
}

/* The names of all manifests in a folder, to names. */
static il_status list(const char *results, const place *where, json_t *names, il_error *err) {
    char *path = NULL;
    il_json w = {false};
    if (asprintf(&path, "%s/%s", results, where->folder) < 0) {
        return il_fail(err, IL_ENOMEM, "no memory for a path");
    }
    DIR *dir = opendir(path);
    int reason = dir == NULL ? errno : 0;
    const struct dirent *item = NULL;
    free(path);
    while (dir != NULL && (item = readdir(dir)) != NULL) {
        size_t n = strlen(item->d_name);
        size_t m = strlen(where->suffix);
        if (item->d_name[0] != '.' && n > m && il_text_ends_with(item->d_name, where->suffix) &&
            il_text_is_utf8(item->d_name)) {
            il_json_append(&w, names, json_stringn(item->d_name, n - m));
        }
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
    if (w.failed || reason == ENOMEM) {
        return il_fail(err, IL_ENOMEM, "no memory for names of figures");
    }
    return reason == 0 || reason == ENOENT ? IL_OK
                                           : il_fail(err, IL_EIO, "cannot read '%s/%s': %s",
                                                     results, where->folder, strerror(reason));
}

/* There is none: say what may have been meant. */
static il_status miss(const char *results, const char *name, il_error *err) {
    const char *all[NEAR_MAX];
    size_t n = 0;
    size_t k = 0;
    const json_t *one = NULL;
    json_t *names = json_array();
    il_status status =
        names != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for names of figures");
    for (size_t i = 0; status == IL_OK && i < PLACES; i++) {
        status = list(results, &places[i], names, err);
    }
    json_array_foreach(names, k, one) {
        if (n < NEAR_MAX) {
            all[n++] = json_string_value(one);
        }
    }
    const char *near = n > 0 ? il_text_nearest(name, all, n) : NULL;
    if (status == IL_OK) {
        status = il_fail(err, IL_EINVAL,
                         "there is no figure or table '%.200s' in '%s' (of %zu)%s%.200s%s", name,
                         results, json_array_size(names), near != NULL ? "; did you mean '" : "",
                         near != NULL ? near : "", near != NULL ? "'?" : "");
    }
    json_decref(names);
    return status;
}

il_status il_results_manifest(const char *results, const char *figure, json_t **manifest,
                              il_error *err) {
    char *name = bare_name(figure);
    il_status status = name != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for a name");
    *manifest = NULL;
    bool tables_first = il_text_ends_with(figure, ".txt") || il_text_ends_with(figure, ".csv") ||
                        il_text_ends_with(figure, ".tex") || strstr(figure, "tables/") != NULL;
    for (size_t k = 0; status == IL_OK && *manifest == NULL && k < PLACES; k++) {
        status = load(results, &places[tables_first ? PLACES - 1 - k : k], name, manifest, err);
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
    if (status != IL_OK) {
        json_decref(*manifest);
        *manifest = NULL;
    }
    free(name);
    return status;
}

static il_status add_drawn(const char *results, const place *where, json_t *names, size_t *unread,
                           il_error *err) {
    size_t k = 0;
    const json_t *one = NULL;
    il_json w = {false};
    json_t *all = json_array();
    il_status status =
        all != NULL ? list(results, where, all, err) : il_fail(err, IL_ENOMEM, "no memory");
    json_array_foreach(all, k, one) {
        json_t *manifest = NULL;
        il_error why = {IL_OK, ""};
        size_t i = 0;
        const json_t *name = NULL;
        il_status read = load(results, where, json_string_value(one), &manifest, &why);
        *unread += read == IL_EINVAL || read == IL_EIO;
        if (read == IL_ENOMEM || read == IL_EUNSUPPORTED) {
            status = il_fail(err, read, "%s", why.message);
        }
        const json_t *origin = json_object_get(manifest, "origin");
        json_array_foreach(json_object_get(origin, "cases"), i, name) {
            if (json_is_string(name)) {
                il_json_set(&w, names, json_string_value(name), json_true());
            }
        }
        json_decref(manifest);
    }
    json_decref(all);
    return status == IL_OK && w.failed ? il_fail(err, IL_ENOMEM, "no memory for names of cases")
                                       : status;
}

il_status il_results_drawn(const char *results, json_t **names, size_t *unread, il_error *err) {
    *names = json_object();
    *unread = 0;
    il_status status =
        *names != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for names of cases");
    for (size_t k = 0; status == IL_OK && k < PLACES; k++) {
        status = add_drawn(results, &places[k], *names, unread, err);
    }
    if (status != IL_OK) {
        json_decref(*names);
        *names = NULL;
    }
    return status;
}
