/*
 * prune.c - first all that is to go, with its size, then, if that was asked for, it goes.
 */
#include "harness/results/prune.h"

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
#include "harness/base/text.h"
#include "harness/io/store/lease.h"
#include "harness/io/store/roster.h"
#include "harness/results/files.h"
#include "harness/results/origin.h"
#include "harness/results/prune_work.h"

static const char *const reasons[] = {
    [IL_PRUNE_BUILD] = "another build",   [IL_PRUNE_SCRIPT] = "no script",
    [IL_PRUNE_DAMAGED] = "damaged",       [IL_PRUNE_ROSTER] = "roster",
    [IL_PRUNE_REFERENCE] = "reference",   [IL_PRUNE_CHECKPOINT] = "checkpoint",
    [IL_PRUNE_TEXT] = "text of a script",
};

typedef il_prune_work work;

/* ---- what is reached ------------------------------------------------------------------------ */

static bool is_present(const json_t *roster) {
    char host[128] = "";
    const char *path = il_json_get_text(roster, "path");
    (void)gethostname(host, sizeof host - 1);
    return strcmp(il_json_get_text(roster, "host"), host) != 0 || access(path, F_OK) == 0 ||
           strchr(path, '?') != NULL; /* it may stand for letters that are not UTF-8 */
}

/* A script's text, by its sum, is named by what stays. */
static void reach_script(work *w, const char *sum) {
    if (sum != NULL) {
        il_json_set(&w->made, w->scripts, sum, json_true());
    }
}

static void reach(work *w, const json_t *names) {
    size_t k = 0;
    const json_t *name = NULL;
    json_array_foreach(names, k, name) {
        if (json_is_string(name)) {
            il_json_set(&w->made, w->reached, json_string_value(name), json_true());
        }
    }
}

static il_status reach_roster(work *w, const json_t *roster) {
    bool known = true;
    if (il_roster_at_work(roster, &known)) {
        return il_fail(w->err, IL_EINVAL,
                       "'%s' is at work in '%s' (process %lld); prune when it has ended",
                       il_json_get_text(roster, "script"), w->index->results,
                       (long long)json_integer_value(json_object_get(roster, "pid")));
    }
    if (strcmp(il_json_get_text(roster, "build"), IL_BUILD_ID) == 0 && is_present(roster)) {
        reach(w, json_object_get(roster, "cases"));
        reach(w, json_object_get(roster, "before"));
        reach(w, json_object_get(roster, "references"));
        reach_script(w, json_string_value(json_object_get(roster, "script_sha256")));
        return IL_OK;
    }
    char *path = NULL;
    if (asprintf(&path, "%s/rosters/%s", w->index->results, il_json_get_text(roster, "name")) < 0) {
        return il_fail(w->err, IL_ENOMEM, "no memory for a path");
    }
    il_prune_add(w, IL_PRUNE_ROSTER, path);
    free(path);
    return IL_OK;
}

/* A sweep of another machine notes in its roster what it stores, but not at once. */
static il_status expect_nobody(const work *w) {
    json_t *held = il_leases_held(w->index->results);
    const json_t *one = json_array_get(held, 0);
    il_status status =
        held == NULL  ? il_fail(w->err, IL_ENOMEM, "no memory for claims")
        : one != NULL ? il_fail(w->err, IL_EINVAL,
                                "process %lld on %.100s is at work in '%s' (%.200s); prune when it "
                                "has ended",
                                (long long)json_integer_value(json_object_get(one, "pid")),
                                il_json_get_text(one, "host"), w->index->results,
                                il_json_get_text(one, "case"))
                      : IL_OK;
    json_decref(held);
    return status;
}

static il_status reach_rosters(work *w) {
    size_t k = 0;
    const json_t *roster = NULL;
    json_t *troubles = json_array();
    json_t *all = il_roster_all(w->index->results, troubles, w->err);
    il_status status = all != NULL ? IL_OK : w->err->code;
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

static il_status reach_drawn(work *w) {
    json_t *names = NULL;
    size_t unread = 0;
    il_status status = il_results_drawn(w->index->results, &names, &unread, w->err);
    if (status == IL_OK && unread > 0) {
        status = il_fail(w->err, IL_EINVAL,
                         "%zu figure%s or table%s in '%s' cannot be read, as `impactlab report` "
                         "tells; run their scripts again, or what they were made from would be "
                         "deleted",
                         unread, unread == 1 ? "" : "s", unread == 1 ? "" : "s", w->index->results);
    }
    if (status == IL_OK) {
        il_json_merge(&w->made, w->reached, names);
    }
    json_decref(names);
    return status;
}

/* ---- what goes ------------------------------------------------------------------------------ */

static void judge_case(work *w, const char *name, const char *path, const char *build,
                       const char *sum, bool damaged) {
    struct stat info;
    if (damaged) {
        il_prune_add(w, IL_PRUNE_DAMAGED, path);
    } else if (json_object_get(w->reached, name) != NULL) {
        w->kept++;
        reach_script(w, sum);
        w->kept_bytes += lstat(path, &info) == 0 ? (long long)info.st_size : 0;
    } else {
        il_prune_add(w, strcmp(build, IL_BUILD_ID) == 0 ? IL_PRUNE_SCRIPT : IL_PRUNE_BUILD, path);
    }
}

static il_status take_case(void *self, sqlite3_stmt *row, il_error *err) {
    work *w = self;
    const char *name = il_index_text(row, 0);
    char *path = il_results_case_path(w->index->results, name);
    if (path == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a path");
    }
    judge_case(w, name, path, il_index_text(row, 1), (const char *)sqlite3_column_text(row, 3),
               sqlite3_column_int(row, 2) != 0);
    free(path);
    return IL_OK;
}

/* What was set aside, HASH.json.damaged and HASH.json.damaged-K. */
static il_status add_aside(work *w) {
    for (int k = 0; k < 256; k++) {
        char *folder = NULL;
        if (asprintf(&folder, "%s/cases/%02x", w->index->results, (unsigned)k) < 0) {
            return il_fail(w->err, IL_ENOMEM, "no memory for a path");
        }
        DIR *dir = opendir(folder);
        const struct dirent *item = NULL;
        il_status status = dir == NULL && errno == ENOMEM
                               ? il_fail(w->err, IL_ENOMEM, "no memory to read '%s'", folder)
                               : IL_OK;
        while (status == IL_OK && dir != NULL && (item = readdir(dir)) != NULL) {
            const char *at = strstr(item->d_name, ".json.damaged");
            char *path = NULL;
            if (at == NULL || at != item->d_name + 32) {
                continue;
            }
            if (asprintf(&path, "%s/%s", folder, item->d_name) < 0) {
                status = il_fail(w->err, IL_ENOMEM, "no memory for a path");
            } else {
                il_prune_add(w, IL_PRUNE_DAMAGED, path);
                free(path);
            }
        }
        if (dir != NULL) {
            (void)closedir(dir);
        }
        free(folder);
        if (status != IL_OK) {
            return status;
        }
    }
    return IL_OK;
}

static il_status erase_files(work *w) {
    for (int reason = 0; reason < IL_PRUNE_REASONS; reason++) {
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

static json_t *report(work *w, bool erased) {
    json_t *object = json_object();
    json_t *drop = json_array();
    json_t *kept = json_object();
    json_t *beside = json_object();
    size_t files = 0;
    long long bytes = 0;
    for (int k = 0; k < IL_PRUNE_REASONS; k++) {
        json_t *one = json_object();
        il_json_put_text(&w->made, one, "reason", reasons[k]);
        il_json_put_count(&w->made, one, "files", w->files[k]);
        il_json_set(&w->made, one, "bytes", json_integer(w->bytes[k]));
        il_json_append(&w->made, drop, one);
        files += w->files[k];
        bytes += w->bytes[k];
    }
    il_json_put_count(&w->made, kept, "files", w->kept);
    il_json_set(&w->made, kept, "bytes", json_integer(w->kept_bytes));
    il_json_set(&w->made, object, "kept", kept);
    il_json_put_count(&w->made, beside, "files", w->beside);
    il_json_set(&w->made, beside, "bytes", json_integer(w->beside_bytes));
    il_json_set(&w->made, object, "beside", beside);
    il_json_set(&w->made, object, "drop", drop);
    il_json_put_count(&w->made, object, "files", files);
    il_json_set(&w->made, object, "bytes", json_integer(bytes));
    il_json_set(&w->made, object, "deleted", json_boolean(erased));
    return il_json_done(&w->made, object);
}

il_status il_results_prune(il_index *index, bool erase, json_t **out, il_error *err) {
    il_error none = {IL_OK, ""};
    work w = {.index = index,
              .reached = json_object(),
              .scripts = json_object(),
              .err = err != NULL ? err : &none};
    bool room = w.reached != NULL && w.scripts != NULL;
    *out = NULL;
    for (int k = 0; k < IL_PRUNE_REASONS; k++) {
        w.paths[k] = json_array();
        room = room && w.paths[k] != NULL;
    }
    il_status status = room ? IL_OK : il_fail(w.err, IL_ENOMEM, "no memory to look through cases");
    status = status == IL_OK ? reach_rosters(&w) : status;
    status = status == IL_OK ? expect_nobody(&w) : status;
    status = status == IL_OK ? reach_drawn(&w) : status;
    status = status == IL_OK ? il_index_each(index,
                                             "SELECT key, build, damaged NOTNULL, script_sha256 "
                                             "FROM cases ORDER BY key",
                                             NULL, take_case, &w, w.err)
                             : status;
    status = status == IL_OK ? add_aside(&w) : status;
    status = status == IL_OK ? il_prune_beside(&w) : status;
    if (status == IL_OK && w.made.failed) {
        status = il_fail(w.err, IL_ENOMEM, "no memory to look through cases");
    }
    status = status == IL_OK && erase ? erase_files(&w) : status;
    if (status == IL_OK) {
        *out = report(&w, erase);
        status = *out != NULL ? IL_OK : il_fail(w.err, IL_ENOMEM, "no memory for what is to go");
    }
    json_decref(w.reached);
    json_decref(w.scripts);
    for (int k = 0; k < IL_PRUNE_REASONS; k++) {
        json_decref(w.paths[k]);
    }
    return status;
}
