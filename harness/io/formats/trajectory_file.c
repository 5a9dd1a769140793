/*
 * trajectory_file.c - selects the format of a trajectory file by its extension.
 */
#include "harness/io/formats/trajectory_file.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/io/file.h"

#define X(name) extern const il_format_type il_format_##name;
#include "formats.def"
#undef X

#define X(name) &il_format_##name,
static const il_format_type *const formats[] = {
#include "formats.def"
};
#undef X

enum { FORMATS = sizeof formats / sizeof formats[0] };

const il_format_type *il_format_type_at(size_t k) {
    return k < FORMATS ? formats[k] : NULL;
}

/* The format that path's extension names; NULL, and the error that says what there is. */
static const il_format_type *find(const char *path, il_error *err) {
    const char *extension = il_file_extension(path);
    char known[256] = "";
    for (size_t k = 0; k < FORMATS; k++) {
        if (extension[0] == '.' && strcmp(extension + 1, formats[k]->name) == 0) {
            return formats[k];
        }
        il_text_append(known, sizeof known, "%s.%s",
                       k == 0             ? ""
                       : k + 1 == FORMATS ? " or "
                                          : ", ",
                       formats[k]->name);
    }
    (void)il_fail(err, IL_EINVAL, "trajectory file '%s': the name must end in %s to say the format",
                  path, known);
    return NULL;
}

il_status il_trajectory_write(const il_trajectory *w, const char *path, const char *record,
                              il_error *err) {
    const il_format_type *format = find(path, err);
    return format != NULL ? format->write(w, path, record, err) : IL_EINVAL;
}

/* Is it a run: times from 0 that increase, and numbers? */
static il_status check(const il_trajectory *w, const char *path, il_error *err) {
    if (w->nodes < 2) {
        return il_fail(err, IL_EINVAL, "trajectory file '%s' has %zu node%s; allowed: 2 and more",
                       path, w->nodes, w->nodes == 1 ? "" : "s");
    }
    for (size_t n = 0; n < w->nodes; n++) {
        bool first = n == 0;
        if (first ? w->t[n] != 0.0 : !(w->t[n] > w->t[n - 1])) {
            return il_fail(err, IL_EINVAL,
                           "trajectory file '%s': t is %.10g at node %zu; allowed: %s", path,
                           w->t[n], n + 1,
                           first ? "0, the beginning" : "a time after that of the node before");
        }
        for (size_t k = 0; k < w->d; k++) {
            double q = w->q[n * w->d + k];
            double u = w->u[n * w->d + k];
            if (!isfinite(q) || !isfinite(u)) {
                return il_fail(err, IL_EINVAL,
                               "trajectory file '%s': %s%zu is %g at node %zu; allowed: a finite "
                               "number",
                               path, isfinite(q) ? "u" : "q", k, isfinite(q) ? u : q, n + 1);
            }
        }
    }
    return isfinite(w->t[w->nodes - 1])
               ? IL_OK
               : il_fail(err, IL_EINVAL, "trajectory file '%s' has no end", path);
}

il_status il_trajectory_read(il_trajectory *w, const char *path, il_error *err) {
    const il_format_type *format = find(path, err);
    if (format == NULL) {
        return IL_EINVAL;
    }
    if (format->read == NULL) {
        return il_fail(err, IL_EUNSUPPORTED, "trajectory file '%s': .%s is written, not read", path,
                       format->name);
    }
    il_status status = format->read(w, path, err);
    return status == IL_OK ? check(w, path, err) : status;
}

il_status il_trajectory_check_path(const char *path, il_error *err) {
    const il_format_type *format = find(path, err);
    il_status status = format == NULL          ? IL_EINVAL
                       : format->check == NULL ? IL_OK
                                               : format->check(err);
    return status == IL_OK ? il_file_can_write(path, err) : status;
}
