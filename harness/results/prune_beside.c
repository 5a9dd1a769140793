/*
 * prune_beside.c - files that go: references, checkpoints and texts of scripts that nothing
 * reaches.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build_id.h"
#include "harness/base/text.h"
#include "harness/io/store/state_file.h"
#include "harness/io/store/store.h"
#include "harness/results/files.h"
#include "harness/results/prune_work.h"

enum { LETTERS = IL_STORE_NAME - 1, SUM = 64 };
static const char HEX[] = "0123456789abcdef";

void il_prune_add(il_prune_work *w, int reason, const char *path) {
    struct stat info;
    if (lstat(path, &info) == 0 && !S_ISDIR(info.st_mode)) {
        il_json_append(&w->made, w->paths[reason], json_string_nocheck(path)); /* any bytes */
        w->files[reason]++;
        w->bytes[reason] += (long long)info.st_size;
    }
}

static il_status starve(const il_prune_work *w) {
    return il_fail(w->err, IL_ENOMEM, "no memory to look through what lies beside cases");
}

/* Does the file hold a state of this build? *damaged: of none. */
static il_status is_ours(const il_prune_work *w, const char *path, bool *ours, bool *damaged) {
    char *text = NULL;
    json_t *key = NULL;
    long long size = 0;
    il_error why = {IL_OK, ""};
    il_status status = il_state_file_key(path, &text, &size, &why);
    status = status == IL_OK ? il_json_parse(text, &key, &why) : status;
    const char *build = json_string_value(json_object_get(key, "build"));
    *damaged = status != IL_OK;
    *ours = build != NULL && strcmp(build, IL_BUILD_ID) == 0;
    json_decref(key);
    free(text);
    return status == IL_ENOMEM ? starve(w) : IL_OK;
}

/* *ended: the record of a case, or the reference, that a checkpoint led to, is there. */
static il_status has_ended(const il_prune_work *w, const char *name, bool *ended) {
    char *reference = NULL;
    char *record = il_results_case_path(w->index->results, name);
    if (record == NULL || asprintf(&reference, "%s/references/%s", w->index->results, name) < 0) {
        free(record);
        return starve(w);
    }
    *ended = access(record, F_OK) == 0 || access(reference, F_OK) == 0;
    free(reference);
    free(record);
    return IL_OK;
}

static void stay(il_prune_work *w, const char *path) {
    struct stat info;
    w->beside++;
    w->beside_bytes += lstat(path, &info) == 0 ? (long long)info.st_size : 0;
}

/* references/NAME, checkpoints/NAME. */
static il_status judge_state(il_prune_work *w, const char *path, const char *name, int reason) {
    bool ours = false;
    bool damaged = false;
    il_status status = is_ours(w, path, &ours, &damaged);
    bool reached = json_object_get(w->reached, name) != NULL;
    if (status == IL_OK && reached && reason == IL_PRUNE_CHECKPOINT) {
        bool ended = false;
        status = has_ended(w, name, &ended);
        reached = !ended;
    }
    if (status == IL_OK && damaged) {
        il_prune_add(w, IL_PRUNE_DAMAGED, path);
    } else if (status == IL_OK && ours && reached) {
        stay(w, path);
    } else if (status == IL_OK) {
        il_prune_add(w, reason, path);
    }
    return status;
}

/* scripts/SUM.lua. */
static void judge_text(il_prune_work *w, const char *path, const char *name) {
    char sum[SUM + 1];
    (void)snprintf(sum, sizeof sum, "%.*s", SUM, name);
    if (json_object_get(w->scripts, sum) != NULL) {
        stay(w, path);
    } else {
        il_prune_add(w, IL_PRUNE_TEXT, path);
    }
}

/* A file that this program wrote there, by its name; others are left alone. */
static il_status judge(il_prune_work *w, const char *path, const char *name, int reason) {
    size_t letters = strspn(name, HEX);
    if (reason == IL_PRUNE_TEXT) {
        if (letters == SUM && strcmp(name + SUM, ".lua") == 0) {
            judge_text(w, path, name);
        }
    } else if (letters == LETTERS && name[LETTERS] == '\0') {
        return judge_state(w, path, name, reason);
    } else if (letters == LETTERS && strcmp(name + LETTERS, ".damaged") == 0) {
        il_prune_add(w, IL_PRUNE_DAMAGED, path);
    }
    return IL_OK;
}

static il_status judge_folder(il_prune_work *w, const char *inner, int reason) {
    char *folder = NULL;
    struct dirent **items = NULL;
    if (asprintf(&folder, "%s/%s", w->index->results, inner) < 0) {
        return starve(w);
    }
    int n = scandir(folder, &items, NULL, alphasort); /* -1 where there is none, too */
    il_status status = n < 0 && errno == ENOMEM ? starve(w) : IL_OK;
    for (int k = 0; k < n; k++) {
        char *path = NULL;
        if (status == IL_OK && asprintf(&path, "%s/%s", folder, items[k]->d_name) < 0) {
            path = NULL;
            status = starve(w);
        }
        status = status == IL_OK ? judge(w, path, items[k]->d_name, reason) : status;
        free(path);
        free(items[k]);
    }
    free(items);
    free(folder);
    return status;
}

il_status il_prune_beside(il_prune_work *w) {
    il_status status = judge_folder(w, "references", IL_PRUNE_REFERENCE);
    status = status == IL_OK ? judge_folder(w, "checkpoints", IL_PRUNE_CHECKPOINT) : status;
    return status == IL_OK ? judge_folder(w, "scripts", IL_PRUNE_TEXT) : status;
}
