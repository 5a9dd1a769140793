/*
 * report_parts.c - where the files of a figure or table lie, and where it stands.
 */
#include "harness/report/report_parts.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"

char *il_report_path(const char *base, const il_report_entry *entry, const char *file) {
    char *path = NULL;
    return asprintf(&path, "%s/%s/%s", base, entry->folder, file) < 0 ? NULL : path;
}

const char *il_report_file(const il_report_entry *entry, const char *suffix) {
    const json_t *files = json_object_get(entry->root, "files");
    for (size_t k = 0; k < json_array_size(files); k++) {
        const char *file = json_string_value(json_array_get(files, k));
        if (il_text_ends_with(file, suffix)) {
            return file;
        }
    }
    return NULL;
}

void il_report_put_anchor(FILE *page, const il_report_entry *entry) {
    (void)fprintf(page, "%s-%zu", entry->table ? "table" : "figure", entry->number);
}
