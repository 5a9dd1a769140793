/*
 * track.c - the numbers of columns as samples, checked, and what they resolve.
 */
#include "harness/outside/track.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/memory.h"
#include "harness/data/dense.h"
#include "harness/outside/columns.h"

typedef il_columns columns;
typedef il_term term;

/* ---- samples -------------------------------------------------------------------------------- */

static il_status take(const columns *w, size_t row, term which, double *x, il_error *err) {
    char place[320];
    const il_column *from = &w->table->columns[which.column];
    *x = which.factor * from->x[row * from->stride];
    return isfinite(*x)
               ? IL_OK
               : il_fail(err, IL_EINVAL, "%s is %g; allowed: a finite number",
                         il_number_table_place(w->table, row, which.column, place, sizeof place),
                         *x);
}

static il_status check_time(const columns *w, size_t row, double t, double before, il_error *err) {
    char place[320];
    if (row == 0 ? t == 0.0 : t > before) {
        return IL_OK;
    }
    return il_fail(err, IL_EINVAL, "%s is %.10g; allowed: %s%.10g%s",
                   il_number_table_place(w->table, row, w->t.column, place, sizeof place), t,
                   row == 0 ? "the beginning, " : "a time after that of the sample before, ",
                   row == 0 ? 0.0 : before,
                   row == 0      ? "; subtract it from all times"
                   : t == before ? "; twice with --between dense, at an impact"
                                 : "");
}

/* The impulses of the step that ends at a sample; at the first there is no step. */
static il_status take_impulses(const columns *w, size_t row, il_trajectory *run, il_error *err) {
    for (size_t k = 0; k < w->n; k++) {
        il_contact contact = {.step = row, .id = w->id[k]};
        il_status status = take(w, row, w->impulses[k], &contact.impulse, err);
        if (status != IL_OK) {
            return status;
        }
        if (row > 0 && contact.impulse != 0.0) {
            il_trajectory_add_contact(run, contact);
        }
    }
    return IL_OK;
}

/* Sample `row` of w->table behind those of run, which end at *end; x[2 d] is room. */
static il_status take_sample(const columns *w, size_t row, il_trajectory *run, double *end,
                             double *x, il_error *err) {
    double *u = x + w->d;
    const double *q_before = row > 0 ? run->q + (row - 1) * w->d : x;
    double before = *end;
    double t = 0.0;
    il_status status = take(w, row, w->t, &t, err);
    status = status == IL_OK ? check_time(w, row, t, before, err) : status;
    for (size_t k = 0; status == IL_OK && k < w->d; k++) {
        status = take(w, row, w->q[k], &x[k], err);
        if (status == IL_OK && w->has_u) {
            status = take(w, row, w->u[k], &u[k], err);
        } else {
            u[k] = row > 0 ? (x[k] - q_before[k]) / (t - before) : 0.0;
        }
    }
    status = status == IL_OK ? take_impulses(w, row, run, err) : status;
    *end = t;
    if (status == IL_OK) {
        (void)il_trajectory_add(run, t, x, u); /* there is room */
    }
    return status;
}

/* All samples of a dense track; x[(2 + coefficients) d] is room. */
static il_status take_dense(const columns *w, il_track *track, double *x, il_error *err) {
    il_dense_reading reading = {
        .run = &track->run, .coefficients = w->coefficients, .stepped = w->has_step};
    size_t d = w->d;
    size_t size = w->coefficients * d;
    size_t ends = 0;
    il_status status = IL_OK;
    for (size_t row = 0; status == IL_OK && row < w->table->rows; row++) {
        char place[320];
        il_error why = {IL_OK, ""};
        double t = 0.0;
        double step = 0.0;
        status = take(w, row, w->t, &t, err);
        if (status == IL_OK && w->has_step) {
            status = take(w, row, (term){w->step, 1.0}, &step, err);
        }
        for (size_t k = 0; status == IL_OK && k < 2 * d; k++) {
            status = take(w, row, k < d ? w->q[k] : w->u[k - d], &x[k], err);
        }
        for (size_t k = 0; status == IL_OK && k < size; k++) {
            const il_column *from = &w->table->columns[w->c[k]];
            x[2 * d + k] = from->x[row * from->stride]; /* NaN where there is no motion */
        }
        if (status != IL_OK) {
            break;
        }
        bool again = row > 0 && t == track->end;
        status = il_dense_read(&reading, t, x, x + d, step, x + 2 * d, &why);
        if (status != IL_OK) {
            (void)il_fail(err, status == IL_ENOMEM ? status : IL_EINVAL, "%s: %s",
                          il_number_table_place(w->table, row, w->table->n, place, sizeof place),
                          why.message);
        }
        track->row[ends] = row;
        ends += !again;
        track->end = t;
    }
    if (status == IL_OK) {
        il_error why = {IL_OK, ""};
        status = il_dense_end(&reading, &why);
        if (status != IL_OK) {
            status = il_fail(err, status == IL_ENOMEM ? status : IL_EINVAL, "'%s': %s",
                             w->table->path, why.message);
        }
    }
    il_dense_reading_free(&reading);
    return status;
}

static il_status take_rows(const columns *w, il_track *track, double *x, il_error *err) {
    il_status status = IL_OK;
    for (size_t row = 0; status == IL_OK && row < w->table->rows; row++) {
        status = take_sample(w, row, &track->run, &track->end, x, err);
    }
    return status;
}

/* The contacts of an HDF5 file. */
static il_status copy_contacts(const columns *w, il_trajectory *run, il_error *err) {
    for (size_t k = 0; k < w->table->ncontacts; k++) {
        const il_contact *c = &w->table->contacts[k];
        if (c->id >= w->p || c->step >= run->nodes) {
            return il_fail(err, IL_EINVAL,
                           "'%s', step %zu: a contact of constraint %zu; allowed: steps to %zu, "
                           "constraints 0 to %zu",
                           w->table->path, c->step, c->id, run->nodes - 1, w->p > 0 ? w->p - 1 : 0);
        }
        il_trajectory_add_contact(run, *c);
    }
    return IL_OK;
}

/* ---- resolution ----------------------------------------------------------------------------- */

/* The digits that numbers of an array need to be told apart from their neighbours. */
typedef struct {
    size_t n;             /* numbers */
    int digits, decimals; /* of the shortest decimal that reads back as the number, at most */
    double apart;         /* from the nearest float, in half units of the last of 9 digits */
    bool broken;          /* one is no multiple of 2^-24: else they are exact in binary */
} fineness;

static void see_number(fineness *f, double x) {
    char text[40];
    int digits = 14;
    do {
        (void)snprintf(text, sizeof text, "%.*e", digits++, x);
    } while (digits < 17 && strtod(text, NULL) != x);
    /* a decimal of fewer than 15 digits is what 15 digits round to */
    for (const char *last = strchr(text, 'e') - 1; digits <= 15 && *last == '0'; last--) {
        digits--;
    }
    int exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
    double unit = 0.5 * il_pow(10.0, exponent - 8);
    f->n++;
    f->broken = f->broken || ldexp(x, 24) != rint(ldexp(x, 24));
    f->digits = digits > f->digits ? digits : f->digits;
    f->decimals = digits - 1 - exponent > f->decimals ? digits - 1 - exponent : f->decimals;
    f->apart = fmax(f->apart, fabs(x - (double)(float)x) / unit);
}

/* The resolution of the columns terms[d], as they are in the file, where it is coarser than the one
 * known so far. Numbers that do not change may be simple ones: few digits of these say nothing.
 * Some thousand numbers are enough to see the last digit. */
static void see_array(const columns *w, const term *terms, il_track *track) {
    enum { ENOUGH = 4000, LEAST = 8, SOME = 2, SIMPLE = 5 };
    fineness f = {.n = 0};
    size_t stride = 1 + w->table->rows * w->d / ENOUGH;
    size_t changed = 0;
    double factor = 0.0;
    for (size_t k = 0; k < w->table->rows * w->d; k += stride) {
        const term *one = &terms[k % w->d];
        const il_column *from = &w->table->columns[one->column];
        const double *x = from->x + k / w->d * from->stride;
        bool changes = k >= w->d && *x != *(x - from->stride);
        if (*x != 0.0 && (changes || k < w->d)) {
            see_number(&f, *x);
            factor = fmax(factor, fabs(one->factor));
            changed += changes;
        }
    }
    int bits = w->table->columns[terms[0].column].bits;
    bool floats =
        bits > 0 || (f.digits > 7 && (f.digits > 9 ? f.apart == 0.0 : f.apart <= 1.000001));
    double relative = floats           ? ldexp(1.0, bits > 0 ? -bits : -24)
                      : f.digits >= 16 ? 0.0
                                       : 0.5 * il_pow(10.0, 1 - f.digits);
    /* Decimals that were cut off are no binary fractions; four binary places and more are no
     * chance. */
    bool exact = !f.broken && f.decimals >= 4 && f.digits < 16 && bits == 0;
    relative = exact ? 0.0 : relative;
    bool telling = bits > 0 || changed >= LEAST || (f.n >= SOME && f.digits > SIMPLE);
    if (telling && relative > track->resolution) {
        track->resolution = relative;
        track->digits = floats ? 0 : f.digits;
        track->quantum = floats ? 0.0 : 0.5 * factor * il_pow(10.0, -f.decimals);
    }
}

/* x[(3 + IL_MOTION_DEGREE_MAX) d] is room. */
static il_status take_all(columns *w, il_track *track, double *x, il_error *err) {
    size_t rows = w->table->rows;
    il_status status = il_columns_find(w, err);
    status = status == IL_OK ? il_trajectory_init(&track->run, w->d, rows, err) : status;
    if (status == IL_OK && w->dense && w->n > 0) {
        status = il_fail(err, IL_EINVAL,
                         "'%s' has columns of impulses; allowed with --between dense: contacts of "
                         "a .h5, or none",
                         w->table->path);
    }
    if (status == IL_OK) {
        status = w->dense ? take_dense(w, track, x, err) : take_rows(w, track, x, err);
    }
    rows = status == IL_OK && w->dense ? track->run.nodes : rows;
    if (status == IL_OK && rows < 2) {
        status = il_fail(err, IL_EINVAL, "'%s' has %zu sample%s; allowed: 2 and more",
                         w->table->path, rows, rows == 1 ? "" : "s");
    }
    bool listed = w->n == 0 && w->table->listed;
    if (status == IL_OK && listed) {
        status = copy_contacts(w, &track->run, err);
    }
    for (size_t k = 0; k < w->d; k++) {
        track->column[k] = w->q[k].column;
    }
    track->has_u = w->has_u;
    track->has_impulses = w->n > 0 || listed;
    track->resolution = ldexp(1.0, -53);
    track->digits = 17;
    if (status == IL_OK) {
        see_array(w, w->q, track);
    }
    if (status == IL_OK && w->has_u) {
        see_array(w, w->u, track);
    }
    return status;
}

/* The samples of track->table. */
static il_status read_track(il_track *track, const char *mapping, size_t d, size_t p,
                            il_error *err) {
    columns w = {.table = &track->table, .mapping = mapping, .d = d, .p = p, .dense = track->dense};
    w.q = il_alloc_zero(d, sizeof *w.q);
    w.u = il_alloc_zero(d, sizeof *w.u);
    track->column = il_alloc_zero(d, sizeof *track->column);
    w.used = il_alloc_zero(track->table.n, sizeof *w.used);
    track->row = il_alloc_zero(track->table.rows, sizeof *track->row);
    double *x = il_alloc_zero((3 + IL_MOTION_DEGREE_MAX) * d, sizeof *x);
    il_status status = take_all(&w, track, x, err);
    free(x);
    free(w.q);
    free(w.u);
    free(w.used);
    free(w.c);
    free(w.impulses);
    free(w.id);
    return status;
}

il_status il_track_open(il_track *track, const char *path, const char *mapping, size_t d, size_t p,
                        il_error *err) {
    il_status status = il_number_table_read(&track->table, path, err);
    return status == IL_OK ? read_track(track, mapping, d, p, err) : status;
}

il_status il_track_of(il_track *track, const il_samples_given *given, size_t d, size_t p,
                      il_error *err) {
    il_status status = il_number_table_of(&track->table, given, err);
    return status == IL_OK ? read_track(track, NULL, d, p, err) : status;
}

void il_track_close(il_track *track) {
    il_number_table_free(&track->table);
    il_trajectory_free(&track->run);
    free(track->column);
    free(track->row);
}

il_status il_track_of_pieces(il_track *out, const il_track *of, il_error *err) {
    const il_pieces *p = &of->run.pieces;
    size_t d = of->run.d;
    il_exact motion = il_trajectory_as_exact(&of->run, "samples");
    double *x = il_alloc_zero(2 * d, sizeof *x);
    il_status status = il_trajectory_init(&out->run, d, p->n + 1, err);
    for (size_t j = 0; status == IL_OK && j <= p->n; j++) {
        motion.eval(&motion, p->at[j], j < p->n ? 1 : -1, x, x + d);
        (void)il_trajectory_add(&out->run, p->at[j], x, x + d); /* there is room */
    }
    free(x);
    out->has_u = true;
    out->end = of->end;
    out->resolution = of->resolution;
    out->quantum = of->quantum;
    out->digits = of->digits;
    out->of = of;
    return status;
}

bool il_track_flies(const il_track *track) {
    const il_pieces *p = &track->run.pieces;
    size_t d = track->run.d;
    for (size_t j = 0; j < p->n; j++) {
        const double *c = p->c + j * (p->degree + 1) * d;
        double size = 0.0;
        double rest = 0.0;
        for (size_t k = 0; k < (p->degree + 1) * d; k++) {
            double *most = k < 3 * d ? &size : &rest;
            *most = fmax(*most, fabs(c[k]));
        }
        if (isnan(c[0]) || rest > 32.0 * DBL_EPSILON * size) {
            return false;
        }
    }
    return true;
}

const char *il_track_place(const il_track *track, size_t n, size_t k, char *out, size_t capacity) {
    const il_track *of = track->of != NULL ? track->of : track;
    return il_number_table_place(&of->table, track->of != NULL ? of->row[n] : n, of->column[k], out,
                                 capacity);
}
