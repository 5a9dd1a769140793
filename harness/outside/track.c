/*
 * track.c - maps the columns of a table to coordinates and impulses.
 */
#include "harness/outside/track.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/io/file.h"

/* factor * column. */
typedef struct {
    size_t column;
    double factor;
} term;

struct il_track {
    il_table *table;
    const char *path, *mapping;
    size_t d, p;
    double *row; /* [columns] */
    term t;
    term *q, *u; /* [d] */
    bool has_u;
    size_t nimpulses;
    term *impulses; /* [nimpulses] */
    size_t *id;
    const il_trajectory *contacts; /* a list of them in place of columns, or NULL */
    size_t next_contact;
    size_t listed; /* room for those of a sample */
    size_t samples;
    double end;
    il_track_sample now;
    double *before; /* [d] the positions of the sample before */
    double t_before;
    size_t at; /* samples read */
    il_trajectory whole;
};

static il_status starved(const il_track *w, il_error *err) {
    return il_fail(err, IL_ENOMEM, "no memory for '%s'", w->path);
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool find(const il_track *w, const char *name, size_t length, size_t *column) {
    for (size_t k = 0; k < il_table_columns(w->table); k++) {
        const char *own = il_table_name(w->table, k);
        if (strlen(own) == length && strncmp(own, name, length) == 0) {
            *column = k;
            return true;
        }
    }
    return false;
}

static il_status miss(const il_track *w, const char *name, size_t length, il_error *err) {
    char known[320] = "";
    for (size_t k = 0; k < il_table_columns(w->table); k++) {
        il_text_append(known, sizeof known, "%s%.40s", k > 0 ? ", " : "",
                       il_table_name(w->table, k));
    }
    return il_fail(err, IL_EINVAL, "'%s' has no column '%.*s'; it has %s%s", w->path, (int)length,
                   name, known, w->mapping == NULL ? "; --mapping FILE says which is which" : "");
}

/* [-]NAME[*FACTOR] */
static il_status read_term(const il_track *w, const char *text, term *out, il_error *err) {
    out->factor = 1.0;
    if (*text == '-' || *text == '+') {
        out->factor = *text == '-' ? -1.0 : 1.0;
        text++;
    }
    size_t length = strcspn(text, "*");
    if (text[length] == '*') {
        char *end = NULL;
        double factor = strtod(text + length + 1, &end);
        if (end == text + length + 1 || *end != '\0' || !isfinite(factor) || factor == 0.0) {
            return il_fail(err, IL_EINVAL,
                           "mapping '%s': '%s' ends in no factor; allowed: NAME*NUMBER", w->mapping,
                           text);
        }
        out->factor *= factor;
    }
    return find(w, text, length, &out->column) ? IL_OK : miss(w, text, length, err);
}

/* What stands behind "=" of a line of a mapping, into terms[n]. */
static il_status read_terms(const il_track *w, char *text, term *terms, size_t n, const char *key,
                            il_error *err) {
    char *rest = NULL;
    size_t k = 0;
    il_status status = IL_OK;
    for (char *one = strtok_r(text, " \t,\r\n", &rest); status == IL_OK && one != NULL;
         one = strtok_r(NULL, " \t,\r\n", &rest)) {
        if (k < n) {
            status = read_term(w, one, &terms[k], err);
        }
        k++;
    }
    if (status == IL_OK && k != n) {
        status = il_fail(err, IL_EINVAL, "mapping '%s': %s names %zu column%s; allowed: %zu",
                         w->mapping, key, k, k == 1 ? "" : "s", n);
    }
    return status;
}

static il_status add_impulse(il_track *w, size_t id, term which, il_error *err) {
    if (id >= w->p) {
        return il_fail(err, IL_EINVAL,
                       "impulse %zu is given, and the problem has %zu constraint%s; allowed: 0 to "
                       "%zu",
                       id, w->p, w->p == 1 ? "" : "s", w->p > 0 ? w->p - 1 : 0);
    }
    if (!il_memory_append(&w->impulses, w->nimpulses, sizeof *w->impulses) ||
        !il_memory_append(&w->id, w->nimpulses, sizeof *w->id)) {
        return starved(w, err);
    }
    w->impulses[w->nimpulses] = which;
    w->id[w->nimpulses++] = id;
    return IL_OK;
}

static il_status read_mapping_line(il_track *w, char *line, bool seen[3], il_error *err) {
    char *equals = strchr(line, '=');
    char *key = line + strspn(line, " \t");
    if (*key == '#' || *key == '\n' || *key == '\r' || *key == '\0') {
        return IL_OK;
    }
    if (equals != NULL) {
        *equals = '\0';
    }
    size_t length = strcspn(key, " \t\r\n");
    char *number = key + length + strspn(key + length, " \t");
    char *end = number;
    size_t id = strtoull(number, &end, 10);
    bool last = end[strspn(end, " \t\r\n")] == '\0';
    bool impulse = length == 7 && strncmp(key, "impulse", 7) == 0 && end > number && last;
    if (equals == NULL ||
        !(impulse || (length == 1 && strchr("tqu", key[0]) != NULL && *number == '\0'))) {
        return il_fail(err, IL_EINVAL,
                       "mapping '%s': '%.60s'; allowed: t = NAME, q = NAME ..., u = NAME ..., "
                       "impulse K = NAME",
                       w->mapping, key);
    }
    term one = {0, 1.0};
    if (impulse) {
        il_status status = read_terms(w, equals + 1, &one, 1, "impulse", err);
        return status == IL_OK ? add_impulse(w, id, one, err) : status;
    }
    switch (key[0]) {
    case 't':
        seen[0] = true;
        return read_terms(w, equals + 1, &w->t, 1, "t", err);
    case 'q':
        seen[1] = true;
        return read_terms(w, equals + 1, w->q, w->d, "q", err);
    default:
        seen[2] = true;
        return read_terms(w, equals + 1, w->u, w->d, "u", err);
    }
}

static il_status read_mapping(il_track *w, bool seen[3], il_error *err) {
    char *line = NULL;
    size_t room = 0;
    il_error why = {IL_OK, ""};
    FILE *in = w->mapping != NULL ? il_file_read(w->mapping, &why) : NULL;
    if (in == NULL) {
        return w->mapping == NULL ? IL_OK : il_fail(err, why.code, "%s", why.message);
    }
    il_status status = IL_OK;
    while (status == IL_OK && getline(&line, &room, in) >= 0) {
        status = read_mapping_line(w, line, seen, err);
    }
    free(line);
    (void)fclose(in);
    return status;
}

/* Columns x0 .. x(d-1), or with one coordinate also x. */
static bool find_all(const il_track *w, char letter, term *terms) {
    char name[32];
    for (size_t k = 0; k < w->d; k++) {
        int n = snprintf(name, sizeof name, "%c%zu", letter, k);
        terms[k].factor = 1.0;
        if (!find(w, name, (size_t)n, &terms[k].column) &&
            !(w->d == 1 && find(w, name, 1, &terms[k].column))) {
            return false;
        }
    }
    return true;
}

static il_status find_columns(il_track *w, il_error *err) {
    bool seen[3] = {false, false, false};
    char name[32];
    il_status status = read_mapping(w, seen, err);
    if (status != IL_OK) {
        return status;
    }
    if (!seen[0]) {
        w->t.factor = 1.0;
        if (!find(w, "t", 1, &w->t.column) && !find(w, "time", 4, &w->t.column)) {
            return miss(w, "t", 1, err);
        }
    }
    if (!seen[1] && !find_all(w, 'q', w->q)) {
        int n = snprintf(name, sizeof name, "q%zu", w->d - 1);
        for (size_t k = 0; k < w->d; k++) {
            char own[32];
            int m = snprintf(own, sizeof own, "q%zu", k);
            size_t ignored = 0;
            if (!find(w, own, (size_t)m, &ignored)) {
                return miss(w, own, (size_t)m, err);
            }
        }
        return miss(w, name, (size_t)n, err);
    }
    w->has_u = seen[2] || find_all(w, 'u', w->u);
    for (size_t k = 0; w->mapping == NULL && k < il_table_columns(w->table); k++) {
        char *end = NULL;
        const char *own = il_table_name(w->table, k);
        if (strncmp(own, "impulse", 7) == 0 && isdigit((unsigned char)own[7])) {
            size_t id = strtoull(own + 7, &end, 10);
            status = *end == '\0' ? add_impulse(w, id, (term){k, 1.0}, err) : IL_OK;
            if (status != IL_OK) {
                return status;
            }
        }
    }
    return IL_OK;
}

/* ---- samples -------------------------------------------------------------------------------- */

static il_status take(const il_track *w, term which, double *x, il_error *err) {
    char place[320];
    *x = which.factor * w->row[which.column];
    return isfinite(*x) ? IL_OK
                        : il_fail(err, IL_EINVAL, "%s is %g; allowed: a finite number",
                                  il_table_place(w->table, &which.column, place, sizeof place), *x);
}

static il_status check_time(const il_track *w, il_error *err) {
    char place[320];
    double t = w->now.t;
    bool first = w->at == 0;
    if (first ? t == 0.0 : t > w->t_before) {
        return IL_OK;
    }
    return il_fail(err, IL_EINVAL, "%s is %.10g; allowed: %s%.10g",
                   il_table_place(w->table, &w->t.column, place, sizeof place), t,
                   first ? "the beginning, " : "a time after that of the sample before, ",
                   first ? 0.0 : w->t_before);
}

/* Those of the step that ends at sample w->at, out of a list by steps. */
static il_status take_contacts(il_track *w, il_error *err) {
    const il_trajectory *list = w->contacts;
    w->now.nimpulses = 0;
    for (; w->next_contact < list->ncontacts; w->next_contact++) {
        const il_contact *c = &list->contacts[w->next_contact];
        size_t n = w->now.nimpulses;
        if (c->step != w->at) {
            break;
        }
        if (c->id >= w->p) {
            return il_fail(err, IL_EINVAL,
                           "'%s', step %zu: a contact of constraint %zu; allowed: 0 to %zu",
                           w->path, w->at, c->id, w->p > 0 ? w->p - 1 : 0);
        }
        if (n == w->listed) {
            size_t room = 2 * n + 16;
            if (!il_memory_grow(&w->id, room, sizeof *w->id) ||
                !il_memory_grow(&w->now.impulse, room, sizeof *w->now.impulse)) {
                return starved(w, err);
            }
            w->listed = room;
            w->now.id = w->id;
        }
        w->id[n] = c->id;
        w->now.impulse[n] = c->impulse;
        w->now.nimpulses = n + 1;
    }
    return IL_OK;
}

static il_status read_sample(il_track *w, bool *any, il_error *err) {
    il_status status = il_table_next(w->table, w->row, any, err);
    if (status != IL_OK || !*any) {
        return status;
    }
    status = take(w, w->t, &w->now.t, err);
    status = status == IL_OK ? check_time(w, err) : status;
    memcpy(w->before, w->now.q, w->d * sizeof *w->before);
    for (size_t k = 0; status == IL_OK && k < w->d; k++) {
        status = take(w, w->q[k], &w->now.q[k], err);
        if (status == IL_OK && w->has_u) {
            status = take(w, w->u[k], &w->now.u[k], err);
        }
    }
    for (size_t k = 0; !w->has_u && k < w->d; k++) {
        w->now.u[k] = w->at > 0 ? (w->now.q[k] - w->before[k]) / (w->now.t - w->t_before) : 0.0;
    }
    for (size_t k = 0; status == IL_OK && w->contacts == NULL && k < w->nimpulses; k++) {
        status = take(w, w->impulses[k], &w->now.impulse[k], err);
    }
    w->t_before = w->now.t;
    if (status == IL_OK && w->contacts != NULL) {
        status = take_contacts(w, err);
    }
    w->at++;
    return status;
}

il_status il_track_rewind(il_track *w, il_error *err) {
    w->at = 0;
    w->next_contact = 0;
    return il_table_rewind(w->table, err);
}

il_status il_track_next(il_track *w, const il_track_sample **sample, il_error *err) {
    bool any = false;
    il_status status = read_sample(w, &any, err);
    *sample = &w->now;
    if (status == IL_OK && !any) {
        status = il_fail(err, IL_EIO, "'%s' has become shorter while it was read", w->path);
    }
    return status;
}

/* Once through all samples; kept as long as they are few. */
static il_status look(il_track *w, il_error *err) {
    bool any = true;
    bool keep = true;
    il_status status = il_trajectory_init(&w->whole, w->d, 256, err);
    while (status == IL_OK) {
        status = read_sample(w, &any, err);
        if (status != IL_OK || !any) {
            break;
        }
        w->samples++;
        w->end = w->now.t;
        if (keep && w->samples * (2 * w->d + 1) > IL_TRACK_KEPT) {
            il_trajectory_free(&w->whole);
            keep = false;
        }
        if (keep && il_trajectory_add(&w->whole, w->now.t, w->now.q, w->now.u) != IL_OK) {
            status = starved(w, err);
        }
    }
    if (status == IL_OK && w->samples < 2) {
        status = il_fail(err, IL_EINVAL, "'%s' has %zu sample%s; allowed: 2 and more", w->path,
                         w->samples, w->samples == 1 ? "" : "s");
    }
    return status == IL_OK ? il_track_rewind(w, err) : status;
}

/* Of path, or of given. */
static il_status open_track(il_track **out, const char *path, const il_samples_given *given,
                            const char *mapping, size_t d, size_t p, il_error *err) {
    il_track *w = calloc(1, sizeof *w);
    *out = w;
    if (w == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for '%s'", path);
    }
    w->path = path;
    w->mapping = mapping;
    w->d = d;
    w->p = p;
    il_status status =
        given != NULL ? il_table_of(&w->table, given, err) : il_table_open(&w->table, path, err);
    if (status != IL_OK) {
        return status;
    }
    w->row = calloc(il_table_columns(w->table) + 1, sizeof *w->row);
    w->q = calloc(d, sizeof *w->q);
    w->u = calloc(d, sizeof *w->u);
    w->before = calloc(d, sizeof *w->before);
    w->now.q = calloc(d, sizeof *w->now.q);
    w->now.u = calloc(d, sizeof *w->now.u);
    if (w->row == NULL || w->q == NULL || w->u == NULL || w->before == NULL || w->now.q == NULL ||
        w->now.u == NULL) {
        return starved(w, err);
    }
    status = find_columns(w, err);
    w->contacts = w->nimpulses == 0 ? il_table_contacts(w->table) : NULL;
    w->now.nimpulses = w->nimpulses;
    w->now.id = w->id;
    w->now.impulse = calloc(w->nimpulses + 1, sizeof *w->now.impulse);
    if (status == IL_OK && w->now.impulse == NULL) {
        status = starved(w, err);
    }
    return status == IL_OK ? look(w, err) : status;
}

il_status il_track_open(il_track **out, const char *path, const char *mapping, size_t d, size_t p,
                        il_error *err) {
    return open_track(out, path, NULL, mapping, d, p, err);
}

il_status il_track_of(il_track **out, const il_samples_given *given, size_t d, size_t p,
                      il_error *err) {
    return open_track(out, "samples", given, NULL, d, p, err);
}

void il_track_close(il_track *w) {
    if (w == NULL) {
        return;
    }
    il_table_close(w->table);
    free(w->row);
    free(w->q);
    free(w->u);
    free(w->before);
    free(w->now.q);
    free(w->now.u);
    free(w->now.impulse);
    free(w->impulses);
    free(w->id);
    il_trajectory_free(&w->whole);
    free(w);
}

size_t il_track_samples(const il_track *track) {
    return track->samples;
}

double il_track_end(const il_track *track) {
    return track->end;
}

bool il_track_has_velocities(const il_track *track) {
    return track->has_u;
}

bool il_track_has_impulses(const il_track *track) {
    return track->nimpulses > 0 || track->contacts != NULL;
}

const il_trajectory *il_track_whole(const il_track *track) {
    return track->whole.nodes > 0 ? &track->whole : NULL;
}

const char *il_track_place(const il_track *track, size_t k, char *out, size_t capacity) {
    return il_table_place(track->table, &track->q[k].column, out, capacity);
}
