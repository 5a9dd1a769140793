/*
 * file_scheme.c - the samples of a file as the steps of a scheme.
 */
#include "harness/outside/file_scheme.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/io/file.h"
#include "harness/outside/exec_settings.h"
#include "harness/outside/replay.h"

enum { NAME_ROOM = 1024 };

typedef struct {
    char path[NAME_ROOM], mapping[NAME_ROOM], name[IL_SCHEME_LABEL];
    il_between between;
    il_track track;
    il_replay replay;
    void *inner;
} recorded;

/* NAME with %d, or %0Nd, replaced by the number. False where it is too long. */
static bool spell(const char *pattern, size_t n, size_t number, char out[NAME_ROOM]) {
    size_t to = 0;
    for (size_t k = 0; k < n && to + 32 < NAME_ROOM; k++) {
        size_t digits = 0;
        size_t end = k + 1;
        if (pattern[k] == '%') {
            while (end < n && isdigit((unsigned char)pattern[end])) {
                digits = 10 * digits + (size_t)(pattern[end++] - '0');
            }
        }
        if (pattern[k] == '%' && end < n && pattern[end] == 'd' && digits < 20) {
            to += (size_t)snprintf(out + to, 32, "%0*zu", (int)digits, number);
            k = end;
        } else {
            out[to++] = pattern[k];
        }
    }
    out[to] = '\0';
    return to + 32 < NAME_ROOM;
}

static il_status read_option(recorded *w, const char *text, size_t n, il_error *err) {
    if (n == 16 && strncmp(text, "between=constant", n) == 0) {
        w->between = IL_BETWEEN_CONSTANT;
        return IL_OK;
    }
    if (n == 14 && strncmp(text, "between=affine", n) == 0) {
        return IL_OK;
    }
    if (n == 13 && strncmp(text, "between=dense", n) == 0) {
        w->between = IL_BETWEEN_DENSE;
        return IL_OK;
    }
    if (n > 8 && n < NAME_ROOM && strncmp(text, "mapping=", 8) == 0) {
        (void)snprintf(w->mapping, NAME_ROOM, "%.*s", (int)(n - 8), text + 8);
        return IL_OK;
    }
    if (n > 5 && strncmp(text, "name=", 5) == 0) {
        return il_exec_name_read("file", text + 5, n - 5, w->name, err);
    }
    return il_fail(
        err, IL_EINVAL,
        "scheme 'file': '%.*s'; allowed: between=affine, between=constant, between=dense, "
        "mapping=FILE, name=NAME",
        (int)n, text);
}

static il_status read_settings(recorded *w, const char *settings, size_t steps, il_error *err) {
    size_t n = strcspn(settings, ",");
    if (n == 0 || !spell(settings, n, steps, w->path)) {
        return il_fail(err, IL_EINVAL, "scheme 'file' has no name, or one that is too long");
    }
    il_status status = IL_OK;
    for (settings += n; status == IL_OK && *settings == ','; settings += n) {
        settings++;
        n = strcspn(settings, ",");
        status = read_option(w, settings, n, err);
    }
    return status;
}

static void destroy(void *self) {
    recorded *w = self;
    if (w != NULL) {
        if (w->inner != NULL) {
            il_replay_type.destroy(w->inner);
        }
        il_track_close(&w->track);
        free(w);
    }
}

/* As many steps, to the same end. */
static il_status check(const recorded *w, const il_scheme_options *options, il_error *err) {
    size_t steps = w->track.run.nodes - 1;
    double end = w->track.end;
    if (steps != options->asked.steps ||
        !(fabs(end - options->asked.horizon) <= 1e-9 * options->asked.horizon)) {
        return il_fail(err, IL_EINVAL,
                       "'%.300s' has %zu steps to t = %.10g; allowed: %zu to t = %.10g", w->path,
                       steps, end, options->asked.steps, options->asked.horizon);
    }
    return IL_OK;
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    recorded *w = il_alloc_zero(1, sizeof *w);
    *self = w;
    il_status status = read_settings(w, options->asked.settings, options->asked.steps, err);
    w->track.dense = w->between == IL_BETWEEN_DENSE;
    if (status == IL_OK) {
        status = il_track_open(&w->track, w->path, w->mapping[0] != '\0' ? w->mapping : NULL,
                               problem->d, problem->p, err);
    }
    status = status == IL_OK ? check(w, options, err) : status;
    if (status == IL_OK) {
        il_replay_init(&w->replay, "file", &w->track, w->between);
        il_scheme_options own = *options;
        own.type = &w->replay.type;
        status = il_replay_type.create(&w->inner, problem, &own, err);
    }
    return status;
}

static il_status node(void *self, size_t n, double *t, il_error *err) {
    recorded *w = self;
    return il_replay_type.node(w->inner, n, t, err);
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    recorded *w = self;
    return il_replay_type.step(w->inner, t0, t1, in, out, report, err);
}

static il_status read_name(const char *settings, char label[IL_SCHEME_LABEL], il_error *err) {
    recorded *w = il_alloc_zero(1, sizeof *w);
    il_status status = read_settings(w, settings, 1, err);
    (void)snprintf(label, IL_SCHEME_LABEL, "%s", status == IL_OK ? w->name : "");
    free(w);
    return status;
}

static const il_claim claims[] = {{.norm = NULL}};

const il_scheme_type il_scheme_file = {.name = "file",
                                       .title = "samples that another program left",
                                       .statement = "given by a file",
                                       .source = "a file",
                                       .orders = 3u,
                                       .restitution = true,
                                       .glue = true,
                                       .outside = true,
                                       .verbatim = true,
                                       .claims = claims,
                                       .read = read_name,
                                       .create = create,
                                       .node = node,
                                       .step = step,
                                       .destroy = destroy};

bool il_file_scheme_append(char **text, size_t *n, const char *path, bool *there) {
    char *more = NULL;
    size_t size = 0;
    bool whole = il_file_load(path, &more, &size, NULL) != IL_ENOMEM;
    *there = more != NULL;
    if (*there) {
        il_memory_grow(text, *n + size, 1);
        memcpy(*text + *n, more, size);
        *n += size;
    }
    free(more);
    return whole;
}

bool il_file_scheme_sum(const char *settings, size_t steps, char sum[IL_SEALED_SUM]) {
    recorded *w = il_alloc_zero(1, sizeof *w);
    char *all = il_alloc_text(settings);
    size_t n = strlen(settings);
    bool whole = read_settings(w, settings, steps, NULL) == IL_OK;
    const char *const files[] = {whole ? w->path : NULL,
                                 whole && w->mapping[0] != '\0' ? w->mapping : NULL};
    for (size_t k = 0; whole && k < 2 && files[k] != NULL; k++) {
        bool there = false;
        whole = il_file_scheme_append(&all, &n, files[k], &there) && there;
    }
    if (whole) {
        il_sealed_sum(all, n, sum);
    }
    free(all);
    free(w);
    return whole;
}
