/*
 * script_file.c - RESULTS/FOLDER/NAME-HASH.json.
 */
#include "harness/io/store/script_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/io/sealed.h"

char *il_script_file_path(const char *results, const char *folder, const char *script,
                          const char *call, const char *const *args, size_t nargs) {
    const char *slash = strrchr(script, '/');
    char *name = strdup(slash != NULL ? slash + 1 : script);
    char *path = NULL;
    char sum[IL_SEALED_SUM];
    char *text = NULL;
    size_t size = 0;
    FILE *all = open_memstream(&text, &size);
    if (all != NULL) {
        (void)fputs(call, all);
        for (size_t k = 0; k < nargs; k++) {
            (void)fprintf(all, "\n%s", args[k]);
        }
        (void)fclose(all);
    }
    if (name != NULL && text != NULL) {
        il_sealed_sum(text, size, sum);
        name[il_text_ends_with(name, ".lua") ? strlen(name) - 4 : strlen(name)] = '\0';
        if (name[0] != '\0') {
            il_text_make_file_name(name);
        }
        if (asprintf(&path, "%s/%s/%.100s-%.8s.json", results, folder, name[0] != '\0' ? name : "_",
                     sum) < 0) {
            path = NULL;
        }
    }
    free(name);
    free(text);
    return path;
}

json_t *il_script_file_words(const char *const *args, size_t nargs) {
    il_json w = {false};
    json_t *all = json_array();
    for (size_t k = 0; k < nargs; k++) {
        il_json_append(&w, all, il_json_text_new(args[k]));
    }
    return il_json_done(&w, all);
}

il_status il_script_file_write(const char *path, const json_t *root, size_t layout, bool last,
                               il_error *err) {
    il_file file = {0};
    il_status status = il_file_open(&file, path, err);
    if (status != IL_OK) {
        return status;
    }
    file.passing = !last;
    status = il_sealed_put(file.stream, root, layout, err);
    if (status == IL_OK) {
        status = il_file_commit(&file, err);
    }
    il_file_abandon(&file);
    return status;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Not what is still being written under another name. */
static int is_whole(const struct dirent *item) {
    return item->d_name[0] != '.' && il_text_ends_with(item->d_name, ".json");
}

static il_status collect(const il_script_files *what, const char *folder, const char *name,
                         json_t *all, json_t *troubles, il_error *err) {
    char *path = NULL;
    json_t *root = NULL;
    il_json w = {false};
    il_error why = {IL_OK, ""};
    if (asprintf(&path, "%s/%s", folder, name) < 0) {
        return il_fail(err, IL_ENOMEM, "no memory for '%s'", folder);
    }
    il_status status = il_sealed_load(path, &root, &why);
    if (status == IL_OK &&
        (strcmp(il_json_get_text(root, "kind"), what->kind) != 0 ||
         !json_is_string(json_object_get(root, "script")) || !what->judge(root))) {
        status = il_fail(&why, IL_EINVAL, "it is no %s", what->kind);
    }
    if (status == IL_OK) {
        il_json_put_text(&w, root, "name", name);
        il_json_append(&w, all, json_incref(root));
    } else if (status == IL_ENOMEM || (what->strict && status == IL_EUNSUPPORTED)) {
        (void)il_fail(err, status, "the %s '%s' cannot be used: %.300s", what->kind, path,
                      why.message);
    } else {
        char *text = NULL;
        if (troubles != NULL && asprintf(&text,
                                         "the %s '%s' cannot be read (%s); run its script "
                                         "again",
                                         what->kind, path, why.message) >= 0) {
            il_json_append(&w, troubles, il_json_text_new(text)); /* paths may be any bytes */
            free(text);
        }
        status = IL_OK;
    }
    json_decref(root);
    free(path);
    return w.failed ? il_fail(err, IL_ENOMEM, "no memory for '%s'", folder) : status;
}

json_t *il_script_files_all(const il_script_files *what, const char *results, json_t *troubles,
                            il_error *err) {
    char *folder = NULL;
    struct dirent **items = NULL;
    json_t *all = json_array();
    if (all == NULL || asprintf(&folder, "%s/%s", results, what->folder) < 0) {
        json_decref(all);
        (void)il_fail(err, IL_ENOMEM, "no memory for %s", what->folder);
        return NULL;
    }
    int n = scandir(folder, &items, is_whole, alphasort);
    il_status status = n < 0 ? il_status_of_errno(errno) : IL_OK;
    if (n < 0 && (errno == ENOENT || (status != IL_ENOMEM && !what->strict))) {
        status = IL_OK;
    } else if (n < 0) { /* what cannot be read is not nothing */
        (void)il_fail(err, status, "cannot read '%s': %s", folder, strerror(errno));
    }
    for (int k = 0; k < n; k++) {
        status =
            status == IL_OK ? collect(what, folder, items[k]->d_name, all, troubles, err) : status;
        free(items[k]);
    }
    free(items);
    free(folder);
    if (status != IL_OK) {
        json_decref(all);
        return NULL;
    }
    return all;
}
