/*
 * store.c - one JSON file a case, found by the hash of its key.
 */
#include "harness/io/store.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/json.h"
#include "harness/io/file.h"

struct il_store {
    char *folder; /* RESULTS/cases */
};

/* FNV-1a. Two runs with different offsets make 128 bits; that they are not independent does not
 * matter, because keys are compared in full. */
static uint64_t hash(const char *text, uint64_t h) {
    for (; *text != '\0'; text++) {
        h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    }
    return h;
}

static char *path_of(const il_store *store, const char *key, bool folder_only) {
    uint64_t high = hash(key, UINT64_C(0xcbf29ce484222325));
    uint64_t low = hash(key, UINT64_C(0x9ae16a3b2f90404f));
    size_t room = strlen(store->folder) + 64;
    char *path = malloc(room);
    if (path != NULL && folder_only) {
        (void)snprintf(path, room, "%s/%02x", store->folder, (unsigned)(high >> 56));
    } else if (path != NULL) {
        (void)snprintf(path, room, "%s/%02x/%016" PRIx64 "%016" PRIx64 ".json", store->folder,
                       (unsigned)(high >> 56), high, low);
    }
    return path;
}

char *il_store_path(const il_store *store, const char *key) {
    return path_of(store, key, false);
}

/* Can a file be made in the folder? Better asked now than after an hour of runs. */
static il_status probe(const char *results, il_error *err) {
    size_t room = strlen(results) + 16;
    char *path = malloc(room);
    if (path == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for the store");
    }
    (void)snprintf(path, room, "%s/.probe", results);
    il_file file;
    il_status status = il_file_open(&file, path, NULL);
    il_file_abandon(&file);
    free(path);
    return status == IL_OK
               ? IL_OK
               : il_fail(err, status, "the results folder '%s' cannot be written", results);
}

il_status il_store_open(il_store **out, const char *results, il_error *err) {
    *out = NULL;
    il_store *store = calloc(1, sizeof *store);
    size_t room = strlen(results) + 16;
    char *folder = malloc(room);
    if (store == NULL || folder == NULL) {
        free(store);
        free(folder);
        return il_fail(err, IL_ENOMEM, "no memory for the store");
    }
    (void)snprintf(folder, room, "%s/cases", results);
    store->folder = folder;
    il_status status = il_folder_make(results, err);
    if (status == IL_OK) {
        status = probe(results, err);
    }
    if (status == IL_OK) {
        status = il_folder_make(folder, err);
    }
    if (status != IL_OK) {
        il_store_close(store);
        return status;
    }
    *out = store;
    return IL_OK;
}

void il_store_close(il_store *store) {
    if (store == NULL) {
        return;
    }
    free(store->folder);
    free(store);
}

il_status il_store_find(const il_store *store, const char *key, json_t **record, il_error *note) {
    *record = NULL;
    if (store == NULL) {
        return IL_OK;
    }
    char *path = il_store_path(store, key);
    if (path == NULL) {
        return il_fail(note, IL_ENOMEM, "no memory for the store");
    }
    if (access(path, F_OK) == 0) {
        json_t *file = NULL;
        il_error where = {IL_OK, ""};
        if (il_json_load(path, &file, &where) == IL_ENOMEM) {
            free(path);
            return il_fail(note, IL_ENOMEM, "no memory for the store");
        }
        const char *stored = json_string_value(json_object_get(file, "key"));
        json_t *value = json_object_get(file, "record");
        if (stored == NULL || !json_is_object(value)) {
            (void)il_fail(note, IL_EIO, "the stored case '%s' is damaged and counts as absent (%s)",
                          path, file == NULL ? where.message : "it has no key and record");
        } else if (strcmp(stored, key) != 0) {
            (void)il_fail(note, IL_EIO,
                          "the stored case '%s' is of another key and counts as "
                          "absent",
                          path);
        } else {
            *record = json_incref(value);
        }
        json_decref(file);
    }
    free(path);
    return IL_OK;
}

il_status il_store_put(const il_store *store, const char *key, const json_t *record,
                       il_error *err) {
    if (store == NULL) {
        return IL_OK;
    }
    il_file file = {0};
    char *folder = path_of(store, key, true);
    char *path = path_of(store, key, false);
    json_t *object = json_pack("{s:s, s:O}", "key", key, "record", record);
    il_status status = IL_OK;
    if (folder == NULL || path == NULL || object == NULL) {
        status = il_fail(err, IL_ENOMEM, "no memory to store a case");
        goto done;
    }
    status = il_folder_make(folder, err);
    if (status == IL_OK) {
        status = il_file_open(&file, path, err);
    }
    if (status == IL_OK) {
        status = il_json_print(object, JSON_REAL_PRECISION(17), file.stream, err);
        if (status == IL_OK) {
            status = il_file_commit(&file, err);
        }
        il_file_abandon(&file);
    }
done:
    json_decref(object);
    free(folder);
    free(path);
    return status;
}
