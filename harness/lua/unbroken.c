/*
 * unbroken.c - which names of rows were judged under some control of their claim and failed under
 * none: objects by claim and name of those judged and those broken.
 */
#include "harness/lua/unbroken.h"

#include <ctype.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/study/verdict.h"

enum { NAME = 128, KEY = 2 * NAME };

static void name_of(const char *what, char name[NAME]) {
    size_t n = 0;
    for (const char *c = what; *c != '\0' && *c != ':' && n + 1 < NAME; c++) {
        if (!isdigit((unsigned char)*c)) {
            name[n++] = *c;
        }
    }
    name[n] = '\0';
}

static bool has_verdict(const json_t *row, il_check_verdict verdict) {
    return strcmp(il_json_get_text(row, "verdict"), il_check_word(verdict)) == 0;
}

/* Was the row judged, so that a control could break it? */
static bool judged(const json_t *row) {
    return json_is_string(json_object_get(row, "what")) &&
           !has_verdict(row, IL_CHECK_NOT_APPLICABLE) && !has_verdict(row, IL_CHECK_EVIDENCE);
}

/* "ID NAME" */
static void key_of(const char *id, const json_t *row, char key[KEY]) {
    char name[NAME];
    name_of(il_json_get_text(row, "what"), name);
    (void)snprintf(key, KEY, "%s %s", id, name);
}

/* Those of rows that failed by a number, into broken; keys alone matter. */
static void gather_broken(il_json *w, json_t *broken, const char *id, const json_t *rows,
                          const char *by_number) {
    size_t i = 0;
    const json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        char key[KEY];
        key_of(id, row, key);
        if (json_object_get(row, by_number) != NULL) {
            il_json_set(w, broken, key, json_true());
        }
    }
}

/* Those of rows that were judged and are in none of both, into list; and into seen. */
static void gather_unbroken(il_json *w, const json_t *broken, json_t *seen, json_t *list,
                            const char *id, const json_t *rows) {
    size_t i = 0;
    const json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        char key[KEY];
        key_of(id, row, key);
        bool known = json_object_get(broken, key) != NULL || json_object_get(seen, key) != NULL;
        if (judged(row) && !known) {
            il_json_set(w, seen, key, json_true());
            il_json_append(
                w, list, json_pack("{s:s, s:s}", "id", id, "what", il_json_get_text(row, "what")));
        }
    }
}

json_t *il_unbroken(size_t n, const char *const *ids, json_t *const *rows, const char *by_number) {
    il_json w = {false};
    json_t *broken = json_object();
    json_t *seen = json_object();
    json_t *list = json_array();
    for (size_t k = 0; k < n; k++) {
        gather_broken(&w, broken, ids[k], rows[k], by_number);
    }
    for (size_t k = 0; k < n; k++) {
        gather_unbroken(&w, broken, seen, list, ids[k], rows[k]);
    }
    w.failed = w.failed || broken == NULL || seen == NULL;
    json_decref(broken);
    json_decref(seen);
    return il_json_done(&w, list);
}
