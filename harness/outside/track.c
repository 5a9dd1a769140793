/*
 * track.c - maps the columns of a table to coordinates and impulses, and checks the numbers.
 */
#include "harness/outside/track.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/io/file.h"

/* factor * column. */
typedef struct {
    size_t column;
    double factor;
} term;

/* Which columns stand for what. */
typedef struct {
    const il_number_table *table;
    const char *mapping; /* a file's name, or NULL */
    size_t d, p;
    bool has_t, has_q, has_u, skips; /* skips: all that nothing reads */
    bool *used;                      /* [table->n] columns that are read, or skipped */
    term t;
    term *q, *u; /* [d] */
    size_t n;
    term *impulses; /* [n] */
    size_t *id;     /* [n] */
} columns;

static il_status starved(const columns *w, il_error *err) {
    return il_fail(err, IL_ENOMEM, "no memory for '%s'", w->table->path);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* The column of this name, which is then read. */
static bool find(const columns *w, const char *name, size_t *column) {
    bool found = il_number_table_find(w->table, name, column);
    if (found) {
        w->used[*column] = true;
    }
    return found;
}

/* "t, q0, u (of type '<c16')": all columns, or those that are not read. */
static void list_columns(const columns *w, bool all, char *out, size_t capacity) {
    out[0] = '\0';
    for (size_t k = 0; k < w->table->n; k++) {
        const il_column *c = &w->table->columns[k];
        if (all || !w->used[k]) {
            il_text_append(out, capacity, c->why[0] != '\0' ? "%s%.40s (%s)" : "%s%.40s",
                           out[0] != '\0' ? ", " : "", c->name, c->why);
        }
        if (strlen(out) + 4 >= capacity) {
            (void)snprintf(out + capacity - 5, 5, "...");
            return;
        }
    }
}

static il_status miss(const columns *w, const char *name, il_error *err) {
    char known[320];
    list_columns(w, true, known, sizeof known);
    return il_fail(err, IL_EINVAL, "'%s' has no column '%s'%s; it has %s%s", w->table->path, name,
                   strstr(known, " (") != NULL ? " that can be read" : "", known,
                   w->mapping == NULL ? "; --mapping FILE says which is which" : "");
}

/* Is every column read, or said to be skipped? Velocities by another name are not absent. */
static il_status check_used(const columns *w, il_error *err) {
    char left[160];
    char last[3][16];
    list_columns(w, false, left, sizeof left);
    if (left[0] == '\0') {
        return IL_OK;
    }
    const size_t lengths[] = {w->d, w->d, w->p};
    for (size_t k = 0; k < 3; k++) {
        (void)snprintf(last[k], sizeof last[k], lengths[k] > 1 ? "..%zu" : "", lengths[k] - 1);
    }
    return il_fail(err, IL_EINVAL,
                   "'%s': %s: not understood; allowed: t, q0%s, u0%s%s%s; --mapping FILE says "
                   "which is which, with 'skip = NAME ...' or 'skip = *'",
                   w->table->path, left, last[0], last[1], w->p > 0 ? ", impulse0" : "", last[2]);
}

/* [-]NAME[*FACTOR]; text is cut. */
static il_status read_term(const columns *w, char *text, term *out, il_error *err) {
    out->factor = *text == '-' ? -1.0 : 1.0;
    text += *text == '-' || *text == '+';
    bool quoted = *text == '"';
    char *end = quoted ? strchr(text + 1, '"') : text;
    char *star = end != NULL ? strchr(end, '*') : NULL;
    if (star != NULL) {
        double factor = 0.0;
        if (!il_text_number(star + 1, &factor) || !isfinite(factor) || factor == 0.0) {
            return il_fail(err, IL_EINVAL,
                           "mapping '%s': '%s' ends in no factor; allowed: NAME*NUMBER", w->mapping,
                           text);
        }
        out->factor *= factor;
        *star = '\0';
    }
    if (quoted && end != NULL) {
        *end = '\0';
        text++;
    }
    return find(w, text, &out->column) ? IL_OK : miss(w, text, err);
}

/* The next word at *rest, which ends at a blank outside quotes; NULL: there is none. */
static char *next_word(char **rest) {
    char *start = *rest + strspn(*rest, " \t,\r\n");
    char *end = start;
    for (bool quoted = false; *end != '\0' && (quoted || strchr(" \t,\r\n", *end) == NULL); end++) {
        quoted = quoted != (*end == '"');
    }
    *rest = end + (*end != '\0');
    *end = '\0';
    return end > start ? start : NULL;
}

/* What stands behind "=" of a line of a mapping, into terms[n]. */
static il_status read_terms(const columns *w, char *text, term *terms, size_t n, const char *key,
                            il_error *err) {
    size_t k = 0;
    il_status status = IL_OK;
    for (char *one = NULL; status == IL_OK && (one = next_word(&text)) != NULL;) {
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

static il_status add_impulse(columns *w, size_t id, term which, il_error *err) {
    if (id >= w->p) {
        return il_fail(err, IL_EINVAL,
                       "impulse %zu is given, and the problem has %zu constraint%s; allowed: 0 to "
                       "%zu",
                       id, w->p, w->p == 1 ? "" : "s", w->p > 0 ? w->p - 1 : 0);
    }
    if (!il_memory_append(&w->impulses, w->n, sizeof *w->impulses) ||
        !il_memory_append(&w->id, w->n, sizeof *w->id)) {
        return starved(w, err);
    }
    w->impulses[w->n] = which;
    w->id[w->n++] = id;
    return IL_OK;
}

/* Columns that are not to be read, "*" for all that nothing else reads. */
static il_status read_skipped(columns *w, char *text, il_error *err) {
    term unread;
    il_status status = IL_OK;
    for (char *one = NULL; status == IL_OK && (one = next_word(&text)) != NULL;) {
        bool all = strcmp(one, "*") == 0;
        w->skips = w->skips || all;
        for (size_t k = 0; !all && k < w->table->n; k++) {
            all = !w->used[k] && strcmp(w->table->columns[k].name, one) == 0;
            w->used[k] = w->used[k] || all;
        }
        status = all ? IL_OK : read_term(w, one, &unread, err);
    }
    return status;
}

static il_status read_mapping_line(columns *w, char *line, il_error *err) {
    const char *start = line + strspn(line, " \t\r\n");
    char key[2] = "";
    char number[24] = "";
    size_t id = 0;
    int at = 0;
    if (*start == '#' || *start == '\0') {
        return IL_OK;
    }
    if (sscanf(line, " impulse %20[0-9] = %n", number, &at) == 1 && at > 0 &&
        il_text_count(number, &id)) {
        term one = {0, 1.0};
        il_status status = read_terms(w, line + at, &one, 1, "impulse", err);
        return status == IL_OK ? add_impulse(w, id, one, err) : status;
    }
    if (sscanf(line, " skip = %n", &at) == 0 && at > 0) {
        return read_skipped(w, line + at, err);
    }
    if (sscanf(line, " %1[tqu] = %n", key, &at) != 1 || at == 0) {
        return il_fail(err, IL_EINVAL,
                       "mapping '%s': '%.*s'; allowed: t = NAME, q = NAME ..., u = NAME ..., "
                       "impulse K = NAME, skip = NAME ...",
                       w->mapping, (int)strcspn(start, "=\r\n"), start);
    }
    *(key[0] == 't' ? &w->has_t : key[0] == 'q' ? &w->has_q : &w->has_u) = true;
    return key[0] == 't' ? read_terms(w, line + at, &w->t, 1, key, err)
                         : read_terms(w, line + at, key[0] == 'q' ? w->q : w->u, w->d, key, err);
}

static il_status read_mapping(columns *w, il_error *err) {
    char *line = NULL;
    size_t room = 0;
    il_error why = {IL_OK, ""};
    FILE *in = il_file_read(w->mapping, &why);
    il_status status = in != NULL ? IL_OK : il_fail(err, why.code, "%s", why.message);
    while (status == IL_OK && getline(&line, &room, in) >= 0) {
        status = read_mapping_line(w, line, err);
    }
    free(line);
    if (in != NULL) {
        (void)fclose(in);
    }
    return status;
}

/* Columns of d coordinates: x0 .. x(d-1) or x1 .. xd, with one coordinate also x, of any of the
 * letters; false where none has them all. */
static bool find_all(const columns *w, const char *letters, term *terms) {
    char name[32];
    for (size_t way = 0; letters[way / 3] != '\0'; way++) {
        const char *letter = &letters[way / 3];
        size_t first = way % 3;
        size_t found = 0;
        size_t column = 0;
        for (size_t k = 0; k == found && k < w->d && (first < 2 || w->d == 1); k++) {
            (void)snprintf(name, sizeof name, first < 2 ? "%.1s%zu" : "%.1s", letter, k + first);
            found += il_number_table_find(w->table, name, &column);
            terms[k] = (term){column, 1.0};
        }
        for (size_t k = 0; found == w->d && k < w->d; k++) {
            w->used[terms[k].column] = true;
        }
        if (found == w->d) {
            return true;
        }
    }
    return false;
}

/* impulse0 or impulses0; with one constraint the number may be left out. */
static bool is_impulse(const columns *w, const char *name, size_t *id) {
    size_t n = strncmp(name, "impulse", 7) == 0 ? (size_t)7 + (name[7] == 's') : 0;
    *id = 0;
    return n > 0 && (isdigit((unsigned char)name[n]) ? il_text_count(name + n, id)
                                                     : name[n] == '\0' && w->p == 1);
}

static il_status find_columns(columns *w, il_error *err) {
    il_status status = w->mapping != NULL ? read_mapping(w, err) : IL_OK;
    if (status != IL_OK) {
        return status;
    }
    if (!w->has_t) {
        w->t.factor = 1.0;
        if (!find(w, "t", &w->t.column) && !find(w, "time", &w->t.column)) {
            return miss(w, "t", err);
        }
    }
    if (!w->has_q && !find_all(w, "q", w->q)) {
        char name[32];
        size_t column = 0;
        size_t k = 0;
        do {
            (void)snprintf(name, sizeof name, "q%zu", k++);
        } while (il_number_table_find(w->table, name, &column));
        return miss(w, name, err);
    }
    w->has_u = w->has_u || find_all(w, "uv", w->u);
    for (size_t k = 0; status == IL_OK && k < w->table->n; k++) {
        const il_column *own = &w->table->columns[k];
        size_t id = 0;
        if (!w->used[k] && own->x != NULL && is_impulse(w, own->name, &id)) {
            w->used[k] = true;
            status = add_impulse(w, id, (term){k, 1.0}, err);
        }
    }
    return status == IL_OK && !w->skips ? check_used(w, err) : status;
}

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
                   row == 0 ? 0.0 : before, row == 0 ? "; subtract it from all times" : "");
}

/* The impulses of the step that ends at a sample; at the first there is no step. */
static il_status take_impulses(const columns *w, size_t row, il_trajectory *run, il_error *err) {
    for (size_t k = 0; k < w->n; k++) {
        il_contact contact = {.step = row, .id = w->id[k]};
        il_status status = take(w, row, w->impulses[k], &contact.impulse, err);
        if (status != IL_OK) {
            return status;
        }
        if (row > 0 && contact.impulse != 0.0 && il_trajectory_add_contact(run, contact) != IL_OK) {
            return starved(w, err);
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
    return status == IL_OK && il_trajectory_add(run, t, x, u) != IL_OK ? starved(w, err) : status;
}

/* The contacts of an HDF5 file. */
static il_status copy_contacts(const columns *w, il_trajectory *run, il_error *err) {
    for (size_t k = 0; k < w->table->ncontacts; k++) {
        const il_contact *c = &w->table->contacts[k];
        if (c->id >= w->p) {
            return il_fail(err, IL_EINVAL,
                           "'%s', step %zu: a contact of constraint %zu; allowed: 0 to %zu",
                           w->table->path, c->step, c->id, w->p > 0 ? w->p - 1 : 0);
        }
        if (il_trajectory_add_contact(run, *c) != IL_OK) {
            return starved(w, err);
        }
    }
    return IL_OK;
}

/* ---- resolution ----------------------------------------------------------------------------- */

/* What numbers of an array need to be told apart from their neighbours. */
typedef struct {
    size_t n;             /* numbers that differ from the sample before */
    int digits, decimals; /* of the shortest decimal that reads back as the number, at most */
    double apart;         /* from the nearest float, in half units of the last of 9 digits */
} fineness;

static void see_number(fineness *f, double x) {
    char text[40];
    int digits = 0;
    do {
        (void)snprintf(text, sizeof text, "%.*e", digits++, x);
    } while (digits < 17 && strtod(text, NULL) != x);
    int exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
    double unit = 0.5 * il_pow(10.0, exponent - 8);
    f->n++;
    f->digits = digits > f->digits ? digits : f->digits;
    f->decimals = digits - 1 - exponent > f->decimals ? digits - 1 - exponent : f->decimals;
    f->apart = fmax(f->apart, fabs(x - (double)(float)x) / unit);
}

/* The resolution of the columns terms[d], as they are in the file, where it is coarser than the one
 * known so far. Numbers that hardly change, or are simple, say nothing. Some thousand numbers are
 * enough to see the last digit. */
static void see_array(const columns *w, const term *terms, il_track *track) {
    enum { ENOUGH = 4000, LEAST = 8 };
    fineness f = {.n = 0};
    size_t stride = 1 + w->table->rows * w->d / ENOUGH;
    double factor = 0.0;
    for (size_t k = w->d; k < w->table->rows * w->d; k += stride) {
        const term *one = &terms[k % w->d];
        const il_column *from = &w->table->columns[one->column];
        const double *x = from->x + k / w->d * from->stride;
        if (*x != 0.0 && *x != *(x - from->stride)) {
            see_number(&f, *x);
            factor = fmax(factor, fabs(one->factor));
        }
    }
    int bits = w->table->columns[terms[0].column].bits;
    bool floats =
        bits > 0 || (f.digits > 7 && (f.digits > 9 ? f.apart == 0.0 : f.apart <= 1.000001));
    double relative = floats           ? ldexp(1.0, bits > 0 ? -bits : -24)
                      : f.digits >= 16 ? 0.0
                                       : 0.5 * il_pow(10.0, 1 - f.digits);
    if ((f.n >= LEAST || bits > 0) && relative > track->resolution) {
        track->resolution = relative;
        track->digits = floats ? 0 : f.digits;
        track->quantum = floats ? 0.0 : 0.5 * factor * il_pow(10.0, -f.decimals);
    }
}

/* x[2 d] is room. */
static il_status take_all(columns *w, il_track *track, double *x, il_error *err) {
    size_t rows = w->table->rows;
    il_status status = find_columns(w, err);
    status = status == IL_OK ? il_trajectory_init(&track->run, w->d, rows, err) : status;
    for (size_t row = 0; status == IL_OK && row < rows; row++) {
        status = take_sample(w, row, &track->run, &track->end, x, err);
    }
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
    columns w = {.table = &track->table, .mapping = mapping, .d = d, .p = p};
    w.q = calloc(d, sizeof *w.q);
    w.u = calloc(d, sizeof *w.u);
    track->column = calloc(d, sizeof *track->column);
    w.used = calloc(track->table.n + 1, sizeof *w.used);
    double *x = calloc(2 * d, sizeof *x);
    il_status status =
        w.q != NULL && w.u != NULL && w.used != NULL && track->column != NULL && x != NULL
            ? take_all(&w, track, x, err)
            : starved(&w, err);
    free(x);
    free(w.q);
    free(w.u);
    free(w.used);
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
}

const char *il_track_place(const il_track *track, size_t n, size_t k, char *out, size_t capacity) {
    return il_number_table_place(&track->table, n, track->column[k], out, capacity);
}
