/*
 * shapes.c - what stored files must hold for the page to be made of them.
 */
#include "harness/report/shapes.h"

#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"

/* Every member of a list is a text. */
static bool are_texts(const json_t *list) {
    bool good = json_is_array(list);
    for (size_t k = 0; good && k < json_array_size(list); k++) {
        good = json_is_string(json_array_get(list, k));
    }
    return good;
}

static bool are_cells(const json_t *rows) {
    bool good = json_is_array(rows);
    for (size_t k = 0; good && k < json_array_size(rows); k++) {
        good = are_texts(json_array_get(rows, k));
    }
    return good;
}

il_status il_report_manifest(const char *file, bool table, const json_t *root, il_error *why) {
    const json_t *files = json_object_get(root, "files");
    const char *name = json_string_value(json_object_get(root, "name"));
    bool whole = strcmp(il_json_get_text(root, "kind"), table ? "table" : "figure") == 0 &&
                 json_array_size(files) > 0 && il_text_is_file_name(name) &&
                 json_is_string(json_object_get(root, "caption")) &&
                 (!table || (are_texts(json_object_get(root, "heads")) &&
                             are_cells(json_object_get(root, "cells"))));
    const json_t *section = json_object_get(root, "section");
    whole = whole && (section == NULL || json_is_null(section) ||
                      (json_is_string(json_object_get(section, "title")) &&
                       json_is_string(json_object_get(section, "text"))));
    for (size_t k = 0; whole && k < json_array_size(files); k++) {
        whole = il_text_is_file_name(json_string_value(json_array_get(files, k)));
    }
    if (!whole) {
        return il_fail(why, IL_EINVAL,
                       "its name, caption, files or cells are missing or not allowed");
    }
    size_t n = strlen(name);
    return strncmp(file, name, n) == 0 && strcmp(file + n, table ? ".table.json" : ".json") == 0
               ? IL_OK
               : il_fail(why, IL_EINVAL, "it is that of '%s'", name);
}

bool il_report_are_claims(const json_t *list) {
    static const char *const texts[] = {"id", "problem", "verdict", "what", "scheme"};
    bool good = json_is_array(list);
    for (size_t k = 0; good && k < json_array_size(list); k++) {
        const json_t *claim = json_array_get(list, k);
        for (size_t j = 0; good && j < sizeof texts / sizeof texts[0]; j++) {
            const json_t *text = json_object_get(claim, texts[j]);
            good = json_is_string(text) || (j >= 3 && (text == NULL || json_is_null(text)));
        }
    }
    return good;
}
