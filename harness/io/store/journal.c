/*
 * journal.c - a JSON file that is written anew with everything that is to be known.
 */
#include "harness/io/store/journal.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory_stream.h"
#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/io/sealed.h"

enum {
    NOTES_MAX = 100, /* failures that are listed; the others are in the counts alone */
    JUDGED_MAX = 1000
};

struct il_journal {
    char *path;
    json_t *root;
    il_json made; /* of what was put into root since it was opened */
};

static const char FOLDER[] = "outcomes";

/* ---- names and texts ------------------------------------------------------------------------ */

/* "RESULTS/outcomes/NAME-HASH.json" of "folder/NAME.lua" and its arguments; freed by the caller. */
static char *path_of(const char *results, const char *script, const char *const *args,
                     size_t nargs) {
    const char *slash = strrchr(script, '/');
    char *name = strdup(slash != NULL ? slash + 1 : script);
    char *path = NULL;
    char sum[IL_SEALED_SUM];
    il_memory_stream all;
    bool whole = il_memory_stream_open(&all);
    if (whole) {
        (void)fputs(script, all.file);
        for (size_t k = 0; k < nargs; k++) {
            (void)fprintf(all.file, "\n%s", args[k]);
        }
        whole = il_memory_stream_close(&all);
    }
    if (name != NULL && whole) {
        char *dot = strrchr(name, '.');
        if (dot != NULL && dot > name && strcmp(dot, ".lua") == 0) {
            *dot = '\0';
        }
        il_text_make_file_name(name);
        il_sealed_sum(all.text, all.size, sum);
        if (asprintf(&path, "%s/%s/%.100s-%.8s.json", results, FOLDER, name, sum) < 0) {
            path = NULL;
        }
    }
    free(name);
    free(all.text);
    return path;
}

/* ---- writing -------------------------------------------------------------------------------- */

static il_status write_file(const il_journal *j, bool last, il_error *err) {
    il_file file = {0};
    il_status status = il_file_open(&file, j->path, err);
    if (status != IL_OK) {
        return status;
    }
    file.passing = !last;
    status = il_sealed_put(file.stream, j->root, JSON_INDENT(1), err);
    if (status == IL_OK) {
        status = il_file_commit(&file, err);
    }
    il_file_abandon(&file);
    return status;
}

static void destroy(il_journal *j) {
    json_decref(j->root);
    free(j->path);
    free(j);
}

static json_t *texts_new(const char *const *texts, size_t n) {
    il_json w = {false};
    json_t *all = json_array();
    for (size_t k = 0; k < n; k++) {
        il_json_append(&w, all, il_json_text_new(texts[k]));
    }
    return il_json_done(&w, all);
}

il_status il_journal_open(il_journal **out, const char *results, const char *script,
                          const char *const *args, size_t nargs, const char *build, il_error *err) {
    il_journal *j = calloc(1, sizeof *j);
    *out = NULL;
    if (j == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for the outcome of '%s'", script);
    }
    j->path = path_of(results, script, args, nargs);
    j->root = json_pack("{s:s, s:o, s:o, s:s, s:s, s:s, s:s, s:{}, s:[], s:[]}", "kind", "outcome",
                        "script", il_json_text_new(script), "arguments", texts_new(args, nargs),
                        "build", build, "ending", "unfinished", "reason", "", "traceback", "",
                        "counts", "failures", "judged");
    il_status status = j->path != NULL && j->root != NULL
                           ? il_folder_make_inside(results, FOLDER, err)
                           : il_fail(err, IL_ENOMEM, "no memory for the outcome of '%s'", script);
    if (status == IL_OK) {
        status = write_file(j, false, err);
    }
    if (status != IL_OK) {
        destroy(j);
        return status;
    }
    *out = j;
    return IL_OK;
}

void il_journal_note(il_journal *j, const char *kind, const char *place, const char *text) {
    json_t *list = j != NULL ? json_object_get(j->root, "failures") : NULL;
    if (list == NULL || json_array_size(list) >= NOTES_MAX) {
        return;
    }
    json_t *note = json_object();
    il_json_put_text(&j->made, note, "kind", kind);
    il_json_set(&j->made, note, "place", il_json_text_new(place));
    il_json_set(&j->made, note, "text", il_json_text_new(text));
    il_json_append(&j->made, list, note);
    (void)write_file(j, false, NULL); /* the end tells if this cannot be done */
}

static bool was_judged(const json_t *list, const char *text) {
    size_t k = 0;
    const json_t *entry = NULL;
    json_array_foreach(list, k, entry) {
        const char *said = json_string_value(json_object_get(entry, "text"));
        if (said != NULL && text != NULL && strcmp(said, text) == 0) {
            return true;
        }
    }
    return false;
}

/* The entry, which the journal owns; NULL where it is not kept. */
static json_t *judge(il_journal *j, const char *kind, const char *verdict, const char *text) {
    json_t *list = j != NULL ? json_object_get(j->root, "judged") : NULL;
    if (list == NULL || json_array_size(list) >= JUDGED_MAX || was_judged(list, text)) {
        return NULL;
    }
    json_t *entry = json_object();
    il_json_put_text(&j->made, entry, "kind", kind);
    il_json_put_text(&j->made, entry, "verdict", verdict);
    il_json_set(&j->made, entry, "text", il_json_text_new(text));
    il_json_append(&j->made, list, entry);
    return entry;
}

void il_journal_judge(il_journal *j, const char *kind, const char *verdict, const char *text) {
    (void)judge(j, kind, verdict, text);
}

void il_journal_judge_order(il_journal *j, const il_journal_order *order, const char *verdict,
                            const char *text) {
    json_t *entry = judge(j, "order", verdict, text);
    if (entry != NULL) {
        il_json_put_text(&j->made, entry, "sweep", order->sweep);
        il_json_put_text(&j->made, entry, "problem", order->problem);
        il_json_put_text(&j->made, entry, "scheme", order->scheme);
        il_json_put_text(&j->made, entry, "norm", order->norm);
        il_json_put(&j->made, entry, "order", order->order);
    }
}

void il_journal_count(il_journal *j, const char *what, size_t failed, size_t all) {
    if (j != NULL) {
        il_json_set(&j->made, json_object_get(j->root, "counts"), what,
                    json_pack("[I, I]", (json_int_t)failed, (json_int_t)all));
    }
}

il_status il_journal_close(il_journal *j, const char *ending, const char *reason,
                           const char *traceback, il_error *err) {
    if (j == NULL) {
        return IL_OK;
    }
    il_json_put_text(&j->made, j->root, "ending", ending);
    il_json_set(&j->made, j->root, "reason", il_json_text_new(reason));
    il_json_set(&j->made, j->root, "traceback", il_json_text_new(traceback));
    il_status status = j->made.failed
                           ? il_fail(err, IL_ENOMEM, "no memory for the outcome '%s'", j->path)
                           : write_file(j, true, err);
    destroy(j);
    return status;
}

/* ---- reading -------------------------------------------------------------------------------- */

static const char *string_at(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static bool is_journal(const json_t *root) {
    const char *kind = string_at(root, "kind");
    return kind != NULL && strcmp(kind, "outcome") == 0 && string_at(root, "script") != NULL &&
           string_at(root, "ending") != NULL && string_at(root, "reason") != NULL &&
           string_at(root, "traceback") != NULL &&
           json_is_object(json_object_get(root, "counts")) &&
           json_is_array(json_object_get(root, "failures"));
}

/* Not what is still being written under another name. */
static int is_whole(const struct dirent *item) {
    return il_text_ends_with(item->d_name, ".json");
}

/* One more sentence. */
static il_status tell(json_t *troubles, const char *path, const char *reason) {
    char *text = NULL;
    if (troubles == NULL) {
        return IL_OK;
    }
    if (asprintf(&text, "the outcome '%s' cannot be read (%s); run its script again", path,
                 reason) < 0) {
        return IL_ENOMEM;
    }
    il_json w = {false};
    il_json_append(&w, troubles, il_json_text_new(text));
    free(text);
    return w.failed ? IL_ENOMEM : IL_OK;
}

/* The journal at folder/name, if it is one, to the end of all. */
static il_status collect(json_t *all, json_t *troubles, const char *folder, const char *name) {
    char *path = NULL;
    json_t *root = NULL;
    il_error why = {IL_OK, ""};
    if (asprintf(&path, "%s/%s", folder, name) < 0) {
        return IL_ENOMEM;
    }
    il_status status = il_sealed_load(path, &root, &why);
    if (status == IL_OK && !is_journal(root)) {
        status = il_fail(&why, IL_EINVAL, "it is no outcome");
    }
    if (status == IL_OK) {
        il_json w = {false};
        il_json_append(&w, all, json_incref(root));
        status = w.failed ? IL_ENOMEM : IL_OK;
    }
    if (status != IL_OK && status != IL_ENOMEM) {
        status = tell(troubles, path, why.message);
    }
    json_decref(root);
    free(path);
    return status;
}

json_t *il_journal_all(const char *results, json_t *troubles) {
    char *folder = NULL;
    struct dirent **items = NULL;
    json_t *all = json_array();
    if (all == NULL || asprintf(&folder, "%s/%s", results, FOLDER) < 0) {
        json_decref(all);
        return NULL;
    }
    int n = scandir(folder, &items, is_whole, alphasort);
    il_status status = n < 0 ? il_status_of_errno(errno) : IL_OK;
    for (int k = 0; k < n; k++) {
        status = status == IL_ENOMEM ? status : collect(all, troubles, folder, items[k]->d_name);
        free(items[k]);
    }
    free(items);
    free(folder);
    if (status == IL_ENOMEM) {
        json_decref(all);
        return NULL;
    }
    return all;
}

/* Is it that of a call with these arguments? */
static bool is_of(const json_t *journal, const json_t *arguments) {
    const json_t *mine = json_object_get(journal, "arguments");
    size_t n = json_array_size(mine); /* 0 of one that an older program wrote */
    bool same = n == json_array_size(arguments);
    for (size_t k = 0; same && k < n; k++) {
        same = json_equal(json_array_get(mine, k), json_array_get(arguments, k)) != 0;
    }
    return same;
}

json_t *il_journal_find(const json_t *all, const char *script, const json_t *arguments) {
    size_t k = 0;
    json_t *root = NULL;
    json_array_foreach(all, k, root) {
        if (strcmp(string_at(root, "script"), script) == 0 && is_of(root, arguments)) {
            return root;
        }
    }
    return NULL;
}
