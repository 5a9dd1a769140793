/*
 * format_csv.c - one line a node: columns t, q0.., u0.., all digits (%.17g); the record in a
 * comment before them.
 */
#include <stdio.h>

#include "harness/io/file.h"
#include "harness/io/format.h"

static il_status write(const il_trajectory *w, const char *path, const char *record,
                       il_error *err) {
    il_file file;
    il_status status = il_file_open(&file, path, err);
    if (status != IL_OK) {
        return status;
    }
    FILE *out = file.stream;
    (void)fprintf(out, "# %s\nt", record);
    for (size_t i = 0; i < w->d; i++) {
        (void)fprintf(out, ",q%zu", i);
    }
    for (size_t i = 0; i < w->d; i++) {
        (void)fprintf(out, ",u%zu", i);
    }
    (void)fputc('\n', out);
    for (size_t n = 0; n < w->nodes; n++) {
        (void)fprintf(out, "%.17g", w->t[n]);
        for (size_t i = 0; i < w->d; i++) {
            (void)fprintf(out, ",%.17g", w->q[n * w->d + i]);
        }
        for (size_t i = 0; i < w->d; i++) {
            (void)fprintf(out, ",%.17g", w->u[n * w->d + i]);
        }
        (void)fputc('\n', out);
    }
    return il_file_commit(&file, err);
}

const il_format_type il_format_csv = {
    .name = "csv",
    .text = "one line a node: t, q, u",
    .write = write,
};
