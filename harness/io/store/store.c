/*
 * store.c - one sealed JSON file per case, named by the hash of its key.
 */
#include "harness/io/store/store.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/io/file.h"
#include "harness/io/scratch.h"
#include "harness/io/sealed.h"

static const double SYNC = 5.0; /* seconds between two syncs: what a loss of power may cost */

struct il_store {
    char folder[IL_STORE_PATH]; /* RESULTS/cases */
    char *results;              /* RESULTS */
    double synced;              /* when all that was put was on the disk, on the monotonic clock */
    bool dirty;                 /* something was put since */
    il_roster *roster;          /* or NULL */
};

/* ---- names ---------------------------------------------------------------------------------- */

void il_store_key_name(const char *key, char name[IL_STORE_NAME]) {
    char sum[IL_SEALED_SUM];
    il_sealed_sum(key, strlen(key), sum);
    (void)snprintf(name, IL_STORE_NAME, "%.*s", IL_STORE_NAME - 1, sum);
}

void il_store_path(const char *results, const char *name, char path[IL_STORE_PATH]) {
    (void)snprintf(path, IL_STORE_PATH, "%.4500s/cases/%.2s/%s.json", results, name, name);
}

/* ---- opening -------------------------------------------------------------------------------- */

/* Can a file be created in the folder? Checked now and not after an hour of runs. */
static il_status probe(const char *results, il_error *err) {
    char path[IL_STORE_PATH];
    il_file file;
    (void)snprintf(path, sizeof path, "%s/.probe", results);
    il_status status = il_file_open(&file, path, NULL);
    il_file_abandon(&file);
    return status == IL_OK
               ? IL_OK
               : il_fail(err, status, "the results folder '%s' cannot be written", results);
}

static bool clear_below(const char *results, const char *name) {
    char path[IL_STORE_PATH];
    struct stat info;
    (void)snprintf(path, sizeof path, "%.4500s/%s", results, name);
    if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        return il_scratch_clear(path, NULL);
    }
    return false;
}

/* Remove what programs that were killed left in our folders; others may hold files of the user's
 * with such names. */
static void clear(const char *results) {
    static const char *const folders[] = {".",      "cases",   "outcomes",   "rosters", "scripts",
                                          "tables", "figures", "references", "claims"};
    for (size_t k = 0; k < sizeof folders / sizeof folders[0]; k++) {
        (void)clear_below(results, folders[k]);
    }
    for (unsigned k = 0; k < 256; k++) {
        char name[16];
        (void)snprintf(name, sizeof name, "cases/%02x", k);
        (void)clear_below(results, name);
    }
}

il_status il_store_open(il_store **out, const char *results, il_error *err) {
    il_store *store = il_alloc_zero(1, sizeof *store);
    *out = NULL;
    (void)snprintf(store->folder, sizeof store->folder, "%s/cases", results);
    store->results = il_alloc_text(results);
    store->synced = il_clock_seconds();
    il_status status = il_folder_make(results, err);
    status = status == IL_OK ? probe(results, err) : status;
    status = status == IL_OK ? il_folder_make_inside(results, "cases", err) : status;
    if (status != IL_OK) {
        il_store_close(store);
        return status;
    }
    clear(store->results);
    *out = store;
    return IL_OK;
}

/* All files of the file system, in one go: hundreds of small ones cost as much as one. */
static void sync_all(il_store *store) {
    int fd = open(store->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)syncfs(fd);
        (void)close(fd);
    }
    store->synced = il_clock_seconds();
    store->dirty = false;
}

void il_store_close(il_store *store) {
    if (store == NULL) {
        return;
    }
    if (store->dirty) {
        sync_all(store);
    }
    clear(store->results);
    free(store->results);
    free(store);
}

void il_store_watch(il_store *store, il_roster *roster) {
    if (store != NULL) {
        store->roster = roster;
    }
}

void il_store_expect(il_store *store, const char *key, double cost) {
    char name[IL_STORE_NAME];
    if (store != NULL) {
        il_store_key_name(key, name);
        il_roster_note(store->roster, name, cost);
    }
}

/* ---- finding -------------------------------------------------------------------------------- */

/* Set the damaged file aside: a user may want to see it. */
static void set_aside(const char *path, const char *reason, il_error *note) {
    char aside[IL_STORE_PATH + 16];
    (void)snprintf(aside, sizeof aside, "%s.damaged", path);
    bool kept = rename(path, aside) == 0;
    (void)il_fail(note, IL_EINVAL, "the stored case '%s' is damaged (%.200s), %s and is run again",
                  path, reason, kept ? "was renamed to *.damaged" : "cannot be set aside");
}

static il_status judge(const json_t *object, const char *name, il_error *why) {
    char own[IL_STORE_NAME];
    const char *key = json_string_value(json_object_get(object, "key"));
    if (key == NULL || !json_is_object(json_object_get(object, "record"))) {
        return il_fail(why, IL_EINVAL, "it has no key and record");
    }
    il_store_key_name(key, own);
    return strcmp(own, name) == 0 ? IL_OK : il_fail(why, IL_EINVAL, "it is of another key");
}

il_status il_store_load(const char *results, const char *name, json_t **object, il_error *err) {
    char path[IL_STORE_PATH];
    il_error why = {IL_OK, ""};
    il_store_path(results, name, path);
    il_status status = il_sealed_load(path, object, &why);
    if (status == IL_OK && *object != NULL) {
        status = judge(*object, name, &why);
    }
    if (status != IL_OK) {
        json_decref(*object);
        *object = NULL;
        (void)il_fail(err, status,
                      status == IL_EINVAL ? "%.0s%s"
                                          : "the stored case '%s' cannot be used: %.400s",
                      path, why.message);
    }
    return status;
}

il_status il_store_find(il_store *store, const char *key, json_t **record, il_error *note) {
    *record = NULL;
    if (store == NULL) {
        return IL_OK;
    }
    char path[IL_STORE_PATH];
    char name[IL_STORE_NAME];
    il_store_key_name(key, name);
    il_roster_note(store->roster, name, 0.0);
    json_t *object = NULL;
    il_error why = {IL_OK, ""};
    il_status status = il_store_load(store->results, name, &object, &why);
    *record = json_incref(json_object_get(object, "record"));
    json_decref(object);
    if (status == IL_EINVAL) {
        il_store_path(store->results, name, path);
        set_aside(path, why.message, note);
        return IL_OK;
    }
    return status == IL_OK ? IL_OK : il_fail(note, status, "%s", why.message);
}

/* ---- keeping -------------------------------------------------------------------------------- */

il_status il_store_put(il_store *store, const char *key, const json_t *record, il_error *err) {
    char name[IL_STORE_NAME];
    char inner[3] = "";
    char path[IL_STORE_PATH];
    if (store == NULL) {
        return IL_OK;
    }
    il_store_key_name(key, name);
    il_store_path(store->results, name, path);
    memcpy(inner, name, 2);
    json_t *object = json_pack("{s:s, s:O}", "key", key, "record", record);
    il_status status = il_folder_make_inside(store->folder, inner, err);
    if (status == IL_OK) {
        status = il_sealed_write(path, object, JSON_REAL_PRECISION(17), false, err);
    }
    json_decref(object);
    if (status != IL_OK) {
        return status;
    }
    store->dirty = true;
    il_store_expect(store, key, 0.0);
    if (il_clock_seconds() - store->synced >= SYNC) {
        sync_all(store);
        status = il_roster_save(store->roster, err);
    }
    return status;
}
