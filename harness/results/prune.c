/*
 * prune.c - lists all files that can be deleted, with their sizes, and deletes them on request.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build_id.h"
#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/io/store/lease.h"
#include "harness/io/store/roster.h"
#include "harness/results/results.h"

/* Why a file goes; the last two stay. */
enum { BUILD, SCRIPT, DAMAGED, ROSTER, REFERENCE, TEXT, KEPT, BESIDE, REASONS };

static const char *const reasons[] = {
    [BUILD] = "another build", [SCRIPT] = "no script",    [DAMAGED] = "damaged",
    [ROSTER] = "roster",       [REFERENCE] = "reference", [TEXT] = "text of a script"};

enum { NAME = IL_STORE_NAME - 1, SUM = 64 };

typedef struct {
    const il_index *index;
    json_t *reached;        /* names of cases and references */
    json_t *scripts;        /* sums of the scripts that what stays names */
    json_t *paths[REASONS]; /* of files */
    size_t bytes[REASONS];
    il_json made;
    il_error *err;
} work;

/* Nothing happens for one that is gone. */
static void add(work *w, int reason, const char *path) {
    struct stat info;
    if (lstat(path, &info) == 0 && !S_ISDIR(info.st_mode)) {
        il_json_append(&w->made, w->paths[reason], json_string_nocheck(path)); /* any bytes */
        w->bytes[reason] += (size_t)info.st_size;
    }
}

static il_status no_memory(const work *w) {
    return il_fail(w->err, IL_ENOMEM, "no memory to look through cases");
}

/* ---- what is still needed ------------------------------------------------------------------- */

static bool is_present(const json_t *roster) {
    char host[128] = "";
    const char *path = il_json_get_text(roster, "path");
    (void)gethostname(host, sizeof host - 1);
    return strcmp(il_json_get_text(roster, "host"), host) != 0 || access(path, F_OK) == 0 ||
           strchr(path, '?') != NULL; /* it may stand for letters that are not UTF-8 */
}

/* A script's text, by its sum, is named by what stays. */
static void reach_script(work *w, const char *sum) {
    if (sum[0] != '\0') {
        il_json_set(&w->made, w->scripts, sum, json_true());
    }
}

static il_status reach_roster(work *w, const json_t *roster) {
    bool known = true;
    char path[IL_STORE_PATH];
    if (il_roster_at_work(roster, &known)) {
        return il_fail(w->err, IL_EINVAL,
                       "'%s' is at work in '%s' (process %lld); prune when it has ended",
                       il_json_get_text(roster, "script"), w->index->results,
                       (long long)json_integer_value(json_object_get(roster, "pid")));
    }
    if (strcmp(il_json_get_text(roster, "build"), IL_BUILD_ID) == 0 && is_present(roster)) {
        il_json_merge(&w->made, w->reached, json_object_get(roster, "cases"));
        il_json_merge(&w->made, w->reached, json_object_get(roster, "before"));
        il_json_merge(&w->made, w->reached, json_object_get(roster, "references"));
        reach_script(w, il_json_get_text(roster, "script_sha256"));
    } else {
        (void)snprintf(path, sizeof path, "%s/rosters/%s", w->index->results,
                       il_json_get_text(roster, "name"));
        add(w, ROSTER, path);
    }
    return IL_OK;
}

static il_status reach_rosters(work *w) {
    size_t k = 0;
    const json_t *roster = NULL;
    json_t *troubles = json_array();
    json_t *all = il_roster_all(w->index->results, troubles);
    il_status status = all != NULL ? IL_OK : no_memory(w);
    if (status == IL_OK && json_array_size(troubles) > 0) {
        status = il_fail(w->err, IL_EINVAL, "%s, or what it reaches would be deleted",
                         json_string_value(json_array_get(troubles, 0)));
    }
    json_array_foreach(all, k, roster) {
        status = status == IL_OK ? reach_roster(w, roster) : status;
    }
    json_decref(all);
    json_decref(troubles);
    return status;
}

/* A sweep of another machine notes in its roster what it stores, but not at once. */
static il_status expect_no_claims(const work *w) {
    json_t *held = il_leases_held(w->index->results);
    const json_t *one = json_array_get(held, 0);
    il_status status = held == NULL ? no_memory(w) : IL_OK;
    if (one != NULL) {
        status = il_fail(w->err, IL_EINVAL,
                         "process %lld on %.100s is at work in '%s' (%.200s); prune when it has "
                         "ended",
                         (long long)json_integer_value(json_object_get(one, "pid")),
                         il_json_get_text(one, "host"), w->index->results,
                         il_json_get_text(one, "case"));
    }
    json_decref(held);
    return status;
}

static il_status reach_drawn(work *w) {
    size_t unread = 0;
    il_status status = il_results_drawn(w->index->results, w->reached, &unread, w->err);
    return status == IL_OK && unread > 0
               ? il_fail(w->err, IL_EINVAL,
                         "%zu figure%s or table%s in '%s' cannot be read, as `impactlab report` "
                         "tells; run their scripts again, or what they were made from would be "
                         "deleted",
                         unread, unread == 1 ? "" : "s", unread == 1 ? "" : "s", w->index->results)
               : status;
}

/* ---- what goes ------------------------------------------------------------------------------ */

static il_status judge_cases(work *w) {
    json_t *rows = NULL;
    const json_t *row = NULL;
    size_t k = 0;
    il_status status =
        il_index_rows(w->index, "SELECT key, build, damaged, script_sha256 FROM cases ORDER BY key",
                      NULL, &rows, w->err);
    json_array_foreach(rows, k, row) {
        char path[IL_STORE_PATH];
        const char *name = il_json_get_text(row, "key");
        bool ours = strcmp(il_json_get_text(row, "build"), IL_BUILD_ID) == 0;
        bool reached = json_object_get(w->reached, name) != NULL;
        bool damaged = json_is_string(json_object_get(row, "damaged"));
        il_store_path(w->index->results, name, path);
        add(w, damaged ? DAMAGED : reached ? KEPT : ours ? SCRIPT : BUILD, path);
        if (reached && !damaged) {
            reach_script(w, il_json_get_text(row, "script_sha256"));
        }
    }
    json_decref(rows);
    return status;
}

/* A file that this program wrote there, by its name; others are left alone. A name that is reached
 * is of this build, as it is made of that. */
static void judge(work *w, const char *path, const char *name, int reason) {
    size_t letters = strspn(name, "0123456789abcdef");
    char sum[SUM + 1] = "";
    if (letters == NAME &&
        (strncmp(name + NAME, ".json.damaged", 13) == 0 || strcmp(name + NAME, ".damaged") == 0)) {
        add(w, DAMAGED, path);
    } else if (letters == NAME && name[NAME] == '\0' && reason != DAMAGED) {
        add(w, json_object_get(w->reached, name) != NULL ? BESIDE : reason, path);
    } else if (reason == TEXT && letters == SUM && strcmp(name + SUM, ".lua") == 0) {
        memcpy(sum, name, SUM);
        add(w, json_object_get(w->scripts, sum) != NULL ? BESIDE : TEXT, path);
    }
}

static il_status judge_folder(work *w, const char *inner, int reason) {
    char folder[IL_STORE_PATH];
    struct dirent **items = NULL;
    (void)snprintf(folder, sizeof folder, "%s/%s", w->index->results, inner);
    int n = scandir(folder, &items, NULL, alphasort); /* -1 where there is none, too */
    w->made.failed = w->made.failed || (n < 0 && errno == ENOMEM);
    for (int k = 0; k < n; k++) {
        char path[IL_STORE_PATH + 256];
        (void)snprintf(path, sizeof path, "%s/%s", folder, items[k]->d_name);
        judge(w, path, items[k]->d_name, reason);
        free(items[k]);
    }
    free(items);
    return w->made.failed ? no_memory(w) : IL_OK;
}

static il_status judge_all(work *w) {
    il_status status = judge_cases(w);
    for (unsigned k = 0; status == IL_OK && k < 256; k++) {
        char inner[16];
        (void)snprintf(inner, sizeof inner, "cases/%02x", k);
        status = judge_folder(w, inner, DAMAGED);
    }
    status = status == IL_OK ? judge_folder(w, "references", REFERENCE) : status;
    return status == IL_OK ? judge_folder(w, "scripts", TEXT) : status;
}

static il_status erase_files(const work *w) {
    for (int reason = 0; reason < KEPT; reason++) {
        size_t k = 0;
        const json_t *path = NULL;
        json_array_foreach(w->paths[reason], k, path) {
            if (unlink(json_string_value(path)) != 0 && errno != ENOENT) {
                return il_fail(w->err, IL_EIO, "cannot delete '%s': %s", json_string_value(path),
                               strerror(errno));
            }
            if (il_interrupted()) {
                return il_fail(w->err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
            }
        }
    }
    return IL_OK;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Of the reasons first to end - 1. */
static json_t *size_of(const work *w, int first, int end) {
    size_t files = 0;
    size_t bytes = 0;
    for (int k = first; k < end; k++) {
        files += json_array_size(w->paths[k]);
        bytes += w->bytes[k];
    }
    return json_pack("{s:I, s:I}", "files", (json_int_t)files, "bytes", (json_int_t)bytes);
}

static json_t *report(work *w, bool erased) {
    json_t *all = size_of(w, 0, KEPT);
    json_t *drop = json_array();
    for (int k = 0; k < KEPT; k++) {
        json_t *size = size_of(w, k, k + 1);
        json_t *one = json_pack("{s:s}", "reason", reasons[k]);
        il_json_merge(&w->made, one, size);
        il_json_append(&w->made, drop, one);
        json_decref(size);
    }
    json_t *object = json_pack("{s:o, s:o, s:o}", "kept", size_of(w, KEPT, BESIDE), "beside",
                               size_of(w, BESIDE, REASONS), "drop", drop);
    il_json_merge(&w->made, object, all);
    il_json_set(&w->made, object, "deleted", json_boolean(erased));
    json_decref(all);
    return il_json_done(&w->made, object);
}

il_status il_results_prune(const il_index *index, bool erase, json_t **out, il_error *err) {
    work w = {.index = index, .reached = json_object(), .scripts = json_object(), .err = err};
    *out = NULL;
    for (int k = 0; k < REASONS; k++) {
        w.paths[k] = json_array();
    }
    il_status status = reach_rosters(&w);
    status = status == IL_OK ? expect_no_claims(&w) : status;
    status = status == IL_OK ? reach_drawn(&w) : status;
    status = status == IL_OK ? judge_all(&w) : status;
    status = status == IL_OK && w.made.failed ? no_memory(&w) : status;
    status = status == IL_OK && erase ? erase_files(&w) : status;
    if (status == IL_OK) {
        *out = report(&w, erase);
        status = *out != NULL ? IL_OK : no_memory(&w);
    }
    json_decref(w.reached);
    json_decref(w.scripts);
    for (int k = 0; k < REASONS; k++) {
        json_decref(w.paths[k]);
    }
    return status;
}
