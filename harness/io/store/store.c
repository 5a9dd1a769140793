/*
 * store.c - one sealed JSON file per case, named by the hash of its key.
 */
#include "harness/io/store/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/io/file.h"
#include "harness/io/scratch.h"
#include "harness/io/sealed.h"

static const char CASES[] = "cases";

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

static void path_named(const il_store *store, const char *name, char path[IL_STORE_PATH]) {
    (void)snprintf(path, IL_STORE_PATH, "%.4500s/%.2s/%s.json", store->folder, name, name);
}

void il_store_path(const il_store *store, const char *key, char path[IL_STORE_PATH]) {
    char name[IL_STORE_NAME];
    il_store_key_name(key, name);
    path_named(store, name, path);
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

static void clear_below(const char *folder, const char *name) {
    char path[IL_STORE_PATH + 256];
    struct stat info;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        il_scratch_clear(path, NULL);
    }
}

/* What programs that were killed left in the folders of the results. */
static void clear(const il_store *store) {
    static const char *const folders[] = {".",          "cases",  "outcomes", "rosters",
                                          "scripts",    "tables", "figures",  "checkpoints",
                                          "references", "claims"};
    for (size_t k = 0; k < sizeof folders / sizeof folders[0]; k++) {
        clear_below(store->results, folders[k]);
    }
    DIR *dir = opendir(store->folder);
    const struct dirent *item = NULL;
    while (dir != NULL && (item = readdir(dir)) != NULL) {
        if (item->d_name[0] != '.') {
            clear_below(store->folder, item->d_name);
        }
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
}

il_status il_store_open(il_store **out, const char *results, il_error *err) {
    il_store *store = calloc(1, sizeof *store);
    *out = NULL;
    if (store == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for the store");
    }
    (void)snprintf(store->folder, sizeof store->folder, "%s/%s", results, CASES);
    store->results = strdup(results);
    store->synced = il_clock_seconds();
    il_status status = store->results != NULL ? il_folder_make(results, err)
                                              : il_fail(err, IL_ENOMEM, "no memory for the store");
    status = status == IL_OK ? probe(results, err) : status;
    status = status == IL_OK ? il_folder_make_inside(results, CASES, err) : status;
    if (status != IL_OK) {
        il_store_close(store);
        return status;
    }
    clear(store);
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
    if (il_interrupted() && store->results != NULL) {
        clear(store); /* of workers that were ended while they wrote */
    }
    free(store->results);
    free(store);
}

void il_store_watch(il_store *store, il_roster *roster) {
    if (store != NULL) {
        store->roster = roster;
    }
}

il_status il_store_expect(il_store *store, const char *key, double cost, il_error *err) {
    char name[IL_STORE_NAME];
    if (store == NULL || store->roster == NULL) {
        return IL_OK;
    }
    il_store_key_name(key, name);
    return il_roster_note(store->roster, name, cost, err);
}

/* ---- finding -------------------------------------------------------------------------------- */

/* Set the damaged file aside: a user may want to see it. */
static void set_aside(const char *path, const char *reason, il_error *note) {
    char aside[IL_STORE_PATH + 16];
    (void)snprintf(aside, sizeof aside, "%s.damaged", path);
    if (rename(path, aside) == 0) {
        (void)il_fail(note, IL_EINVAL,
                      "the stored case '%s' is damaged (%.200s), was renamed to *.damaged and is "
                      "run again",
                      path, reason);
    } else {
        (void)il_fail(note, IL_EINVAL,
                      "the stored case '%s' is damaged (%.200s) and is run again; it cannot be set "
                      "aside: %s",
                      path, reason, strerror(errno));
    }
}

/* The record in the object of a file, borrowed, if it was stored under key. */
static json_t *record_in(const json_t *object, const char *key, il_error *why) {
    const char *stored = json_string_value(json_object_get(object, "key"));
    json_t *record = json_object_get(object, "record");
    if (stored == NULL || !json_is_object(record)) {
        (void)il_fail(why, IL_EINVAL, "it has no key and record");
        return NULL;
    }
    if (strcmp(stored, key) != 0) {
        (void)il_fail(why, IL_EINVAL, "it is of another key");
        return NULL;
    }
    return record;
}

il_status il_store_find(il_store *store, const char *key, json_t **record, il_error *note) {
    *record = NULL;
    if (store == NULL) {
        return IL_OK;
    }
    char path[IL_STORE_PATH];
    char name[IL_STORE_NAME];
    il_store_key_name(key, name);
    path_named(store, name, path);
    if (store->roster != NULL && il_roster_note(store->roster, name, 0.0, NULL) != IL_OK) {
        return il_fail(note, IL_ENOMEM, "no memory for the store");
    }
    json_t *object = NULL;
    il_error why = {IL_OK, ""};
    il_status status = il_sealed_load(path, &object, &why);
    if (status == IL_OK && object != NULL) {
        *record = json_incref(record_in(object, key, &why));
        status = why.code;
    }
    if (status == IL_EINVAL) {
        set_aside(path, why.message, note);
        status = IL_OK;
    } else if (status == IL_ENOMEM) {
        (void)il_fail(note, IL_ENOMEM, "no memory for the store");
    } else if (status != IL_OK) {
        (void)il_fail(note, status, "the stored case '%s' cannot be used: %.400s", path,
                      why.message);
    }
    json_decref(object);
    return status;
}

/* ---- keeping -------------------------------------------------------------------------------- */

/* The file of a case: {"key": KEY, "record": TEXT}, sealed. NULL when memory ran out. */
static char *spell(const char *key, const char *text) {
    json_t *name = json_string(key);
    char *quoted = il_json_text(name);
    char *line = NULL;
    char *sealed = NULL;
    json_decref(name);
    if (quoted != NULL && asprintf(&line, "\"key\": %s, \"record\": %s}\n", quoted, text) >= 0) {
        sealed = il_sealed_spelt(line);
        free(line);
    }
    free(quoted);
    return sealed;
}

/* The file of key, with a record as text. */
static il_status write_file(const il_store *store, const char *key, const char *text,
                            il_error *err) {
    il_file file = {0};
    char path[IL_STORE_PATH];
    char inner[3] = "";
    char *sealed = spell(key, text);
    if (sealed == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory to store a case");
    }
    il_store_path(store, key, path);
    memcpy(inner, path + strlen(store->folder) + 1, 2);
    il_status status = il_folder_make_inside(store->folder, inner, err);
    if (status == IL_OK) {
        status = il_file_open(&file, path, err);
    }
    if (status == IL_OK) {
        file.passing = true;
        (void)fputs(sealed, file.stream); /* whether that went well commits tell */
        status = il_file_commit(&file, err);
        il_file_abandon(&file);
    }
    free(sealed);
    return status;
}

il_status il_store_put(il_store *store, const char *key, const json_t *record, il_error *err) {
    if (store == NULL) {
        return IL_OK;
    }
    char *text = il_json_text(record);
    il_status status = text != NULL ? write_file(store, key, text, err)
                                    : il_fail(err, IL_ENOMEM, "no memory to store a case");
    free(text);
    store->dirty = store->dirty || status == IL_OK;
    status = status == IL_OK ? il_store_expect(store, key, 0.0, err) : status;
    if (status == IL_OK && il_clock_seconds() - store->synced >= SYNC) {
        sync_all(store);
        status = il_roster_save(store->roster, err);
    }
    return status;
}
