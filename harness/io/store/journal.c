/*
 * journal.c - a JSON file that is rewritten completely at every change.
 */
#include "harness/io/store/journal.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/io/file.h"
#include "harness/io/sealed.h"
#include "harness/io/store/script_file.h"

enum {
    NOTES_MAX = 100, /* failures that are listed; the others are in the counts alone */
    JUDGED_MAX = 1000
};

struct il_journal {
    char path[IL_SCRIPT_FILE_PATH];
    json_t *root;
};

#define FOLDER "outcomes"

/* ---- writing -------------------------------------------------------------------------------- */

static il_status write_file(const il_journal *j, bool last, il_error *err) {
    return il_sealed_write(j->path, j->root, JSON_INDENT(1), last, err);
}

static void destroy(il_journal *j) {
    json_decref(j->root);
    free(j);
}

il_status il_journal_open(il_journal **out, const char *results, const char *script,
                          const char *const *args, size_t nargs, const char *build, il_error *err) {
    il_journal *j = il_alloc_zero(1, sizeof *j);
    *out = NULL;
    il_script_file_path(j->path, results, FOLDER, script, script, args, nargs);
    j->root = json_pack("{s:s, s:o, s:o, s:s, s:s, s:s, s:s, s:{}, s:[], s:[]}", "kind", "outcome",
                        "script", il_json_text_new(script), "arguments",
                        il_script_file_words(args, nargs), "build", build, "ending", "unfinished",
                        "reason", "", "traceback", "", "counts", "failures", "judged");
    il_status status = il_folder_make_inside(results, FOLDER, err);
    status = status == IL_OK ? write_file(j, false, err) : status;
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
    il_json_append(list, json_pack("{s:s, s:o, s:o}", "kind", kind, "place",
                                   il_json_text_new(place), "text", il_json_text_new(text)));
    (void)write_file(j, false, NULL); /* the end tells if this cannot be done */
}

static bool was_judged(const json_t *list, const char *text) {
    size_t k = 0;
    const json_t *entry = NULL;
    json_array_foreach(list, k, entry) {
        if (strcmp(il_json_get_text(entry, "text"), text) == 0) {
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
    json_t *entry = json_pack("{s:s, s:s, s:o}", "kind", kind, "verdict", verdict, "text",
                              il_json_text_new(text));
    il_json_append(list, entry);
    return entry;
}

void il_journal_judge(il_journal *j, const char *kind, const char *verdict, const char *text) {
    (void)judge(j, kind, verdict, text);
}

void il_journal_judge_order(il_journal *j, const il_journal_order *order, const char *verdict,
                            const char *text) {
    json_t *entry = judge(j, "order", verdict, text);
    if (entry != NULL) {
        il_json_put_text(entry, "sweep", order->sweep);
        il_json_put_text(entry, "problem", order->problem);
        il_json_put_text(entry, "scheme", order->scheme);
        il_json_put_text(entry, "norm", order->norm);
        il_json_put(entry, "order", order->order);
    }
}

json_t *il_journal_judged(const il_journal *j) {
    return j != NULL ? json_object_get(j->root, "judged") : NULL;
}

void il_journal_count(il_journal *j, const char *what, size_t failed, size_t all) {
    if (j != NULL) {
        il_json_set(json_object_get(j->root, "counts"), what,
                    json_pack("[I, I]", (json_int_t)failed, (json_int_t)all));
    }
}

il_status il_journal_close(il_journal *j, const char *ending, const char *reason,
                           const char *traceback, il_error *err) {
    if (j == NULL) {
        return IL_OK;
    }
    il_json_put_text(j->root, "ending", ending);
    il_json_set(j->root, "reason", il_json_text_new(reason));
    il_json_set(j->root, "traceback", il_json_text_new(traceback));
    il_status status = write_file(j, true, err);
    destroy(j);
    return status;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* A list of objects whose members are texts, but for a number "order"; absent in older files. */
static bool are_notes(const json_t *list) {
    bool good = list == NULL || json_is_array(list);
    for (size_t k = 0; good && k < json_array_size(list); k++) {
        json_t *note = json_array_get(list, k);
        const char *key = NULL;
        json_t *value = NULL;
        good = json_is_object(note);
        json_object_foreach(note, key, value) {
            bool order =
                strcmp(key, "order") == 0 && (json_is_number(value) || json_is_null(value));
            good = good && (order || json_is_string(value));
        }
    }
    return good;
}

static bool is_outcome(const json_t *root) {
    const char *what = NULL;
    json_t *pair = NULL;
    json_t *counts = json_object_get(root, "counts");
    bool good = json_is_object(counts) && are_notes(json_object_get(root, "failures")) &&
                are_notes(json_object_get(root, "judged"));
    json_object_foreach(counts, what, pair) {
        good = good && json_is_integer(json_array_get(pair, 0)) &&
               json_is_integer(json_array_get(pair, 1));
    }
    static const char *const texts[] = {"script", "ending", "reason", "traceback"};
    for (size_t k = 0; good && k < sizeof texts / sizeof texts[0]; k++) {
        good = json_is_string(json_object_get(root, texts[k]));
    }
    return good;
}

json_t *il_journal_all(const char *results, json_t *troubles) {
    static const il_script_files outcomes = {
        FOLDER,
        "outcome",
        {"script", "ending", "reason", "traceback", "counts", "failures"},
        is_outcome};
    return il_script_files_all(&outcomes, results, troubles);
}

json_t *il_journal_find(const json_t *all, const char *script, const json_t *arguments) {
    size_t k = 0;
    json_t *root = NULL;
    json_array_foreach(all, k, root) {
        const json_t *mine = json_object_get(root, "arguments"); /* older programs wrote none */
        bool same = json_array_size(mine) == 0 ? json_array_size(arguments) == 0
                                               : json_equal(mine, arguments) != 0;
        if (strcmp(il_json_get_text(root, "script"), script) == 0 && same) {
            return root;
        }
    }
    return NULL;
}
