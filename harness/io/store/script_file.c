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
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/io/sealed.h"

void il_script_file_path(char path[IL_SCRIPT_FILE_PATH], const char *results, const char *folder,
                         const char *script, const char *call, const char *const *args,
                         size_t nargs) {
    const char *slash = strrchr(script, '/');
    char name[128];
    char sum[IL_SEALED_SUM];
    char *text = il_alloc_text(call);
    for (size_t k = 0; k < nargs; k++) {
        char *longer = il_alloc_format("%s\n%s", text, args[k]);
        free(text);
        text = longer;
    }
    il_sealed_sum(text, strlen(text), sum);
    free(text);
    (void)snprintf(name, sizeof name, "%s", slash != NULL ? slash + 1 : script);
    name[il_text_ends_with(name, ".lua") ? strlen(name) - 4 : strlen(name)] = '\0';
    if (name[0] != '\0') {
        il_text_make_file_name(name);
    }
    (void)snprintf(path, IL_SCRIPT_FILE_PATH, "%s/%s/%.100s-%.8s.json", results, folder,
                   name[0] != '\0' ? name : "_", sum);
}

json_t *il_script_file_words(const char *const *args, size_t nargs) {
    json_t *all = json_array();
    for (size_t k = 0; k < nargs; k++) {
        il_json_append(all, il_json_text_new(args[k]));
    }
    return all;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Not what is still being written under another name. */
static int is_whole(const struct dirent *item) {
    return item->d_name[0] != '.' && il_text_ends_with(item->d_name, ".json");
}

static void add_trouble(json_t *troubles, const char *kind, const char *path, const char *why) {
    if (troubles != NULL) {
        char *text = il_alloc_format("the %s '%s' cannot be read (%s); run its script again", kind,
                                     path, why);
        il_json_append(troubles, il_json_text_new(text)); /* paths may be any bytes */
        free(text);
    }
}

/* One file, to all or to the troubles. */
static void collect(const il_script_files *what, const char *folder, const char *name, json_t *all,
                    json_t *troubles) {
    char path[IL_SCRIPT_FILE_PATH + 256];
    json_t *root = NULL;
    il_error why = {IL_OK, ""};
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    il_status status = il_sealed_load(path, &root, &why);
    bool good = strcmp(il_json_get_text(root, "kind"), what->kind) == 0;
    for (size_t k = 0; what->members[k] != NULL; k++) {
        good = good && json_object_get(root, what->members[k]) != NULL;
    }
    good = good && (what->shaped == NULL || what->shaped(root));
    if (status == IL_OK && !good) {
        status = il_fail(&why, IL_EINVAL, "it is no %s", what->kind);
    }
    if (status == IL_OK) {
        il_json_put_text(root, "name", name);
        il_json_append(all, json_incref(root));
    } else {
        add_trouble(troubles, what->kind, path, why.message);
    }
    json_decref(root);
}

json_t *il_script_files_all(const il_script_files *what, const char *results, json_t *troubles) {
    char folder[IL_SCRIPT_FILE_PATH];
    struct dirent **items = NULL;
    json_t *all = json_array();
    (void)snprintf(folder, sizeof folder, "%s/%s", results, what->folder);
    int n = scandir(folder, &items, is_whole, alphasort);
    if (n < 0 && errno != ENOENT) { /* what cannot be read is not nothing */
        add_trouble(troubles, what->kind, folder, strerror(errno));
    }
    for (int k = 0; k < n; k++) {
        collect(what, folder, items[k]->d_name, all, troubles);
        free(items[k]);
    }
    free(items);
    return all;
}
