/*
 * columns.c - which columns of a table stand for times, coordinates, velocities and impulses: by
 * their names, or by a mapping.
 */
#include "harness/outside/columns.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/io/file.h"

/* The column of this name, which is then read. */
static bool find(const il_columns *w, const char *name, size_t *column) {
    bool found = il_number_table_find(w->table, name, column);
    if (found) {
        w->used[*column] = true;
    }
    return found;
}

/* "t, q0, u (of type '<c16')": all columns, or those that are not read. */
static void list_columns(const il_columns *w, bool all, char *out, size_t capacity) {
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

static il_status miss(const il_columns *w, const char *name, il_error *err) {
    char known[320];
    bool blank = false;
    list_columns(w, true, known, sizeof known);
    for (size_t k = 0; k < w->table->n; k++) {
        blank = blank || strchr(w->table->columns[k].name, ' ') != NULL;
    }
    return il_fail(err, IL_EINVAL, "'%s' has no column '%s'%s; it has %s%s", w->table->path, name,
                   strstr(known, " (") != NULL ? " that can be read" : "",
                   known[0] != '\0' ? known : "nothing of such names",
                   w->mapping == NULL ? "; --mapping FILE says which is which"
                   : blank            ? "; in a mapping a name with a blank stands in \"\""
                                      : "");
}

/* Is every column read, or said to be skipped? Velocities by another name are not absent. */
static il_status check_used(const il_columns *w, il_error *err) {
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
static il_status read_term(const il_columns *w, char *text, il_term *out, il_error *err) {
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

/* Read what stands behind "=" of a line of a mapping, into terms[n]. */
static il_status read_terms(const il_columns *w, char *text, il_term *terms, size_t n,
                            const char *key, il_error *err) {
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

static il_status add_impulse(il_columns *w, size_t id, il_term which, il_error *err) {
    if (id >= w->p) {
        return il_fail(err, IL_EINVAL,
                       "impulse %zu is given, and the problem has %zu constraint%s; allowed: 0 to "
                       "%zu",
                       id, w->p, w->p == 1 ? "" : "s", w->p > 0 ? w->p - 1 : 0);
    }
    il_memory_append(&w->impulses, w->n, sizeof *w->impulses);
    il_memory_append(&w->id, w->n, sizeof *w->id);
    w->impulses[w->n] = which;
    w->id[w->n++] = id;
    return IL_OK;
}

/* Columns that are not to be read, "*" for all that nothing else reads. */
static il_status read_skipped(il_columns *w, char *text, il_error *err) {
    il_term unread;
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

static il_status read_mapping_line(il_columns *w, char *line, il_error *err) {
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
        il_term one = {0, 1.0};
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

static il_status read_mapping(il_columns *w, il_error *err) {
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
static bool find_all(const il_columns *w, const char *letters, il_term *terms) {
    char name[32];
    for (size_t way = 0; letters[way / 3] != '\0'; way++) {
        const char *letter = &letters[way / 3];
        size_t first = way % 3;
        size_t found = 0;
        size_t column = 0;
        for (size_t k = 0; k == found && k < w->d && (first < 2 || w->d == 1); k++) {
            (void)snprintf(name, sizeof name, first < 2 ? "%.1s%zu" : "%.1s", letter, k + first);
            found += il_number_table_find(w->table, name, &column);
            terms[k] = (il_term){column, 1.0};
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
static bool is_impulse(const il_columns *w, const char *name, size_t *id) {
    size_t n = strncmp(name, "impulse", 7) == 0 ? (size_t)7 + (name[7] == 's') : 0;
    *id = 0;
    return n > 0 && (isdigit((unsigned char)name[n]) ? il_text_count(name + n, id)
                                                     : name[n] == '\0' && w->p == 1);
}

/* c<k><i>, with one coordinate also c<k>. */
static bool find_coefficient(const il_columns *w, size_t k, size_t i, size_t *column) {
    char name[48];
    (void)snprintf(name, sizeof name, "c%zu%zu", k, i);
    bool found = find(w, name, column);
    if (!found && w->d == 1) {
        (void)snprintf(name, sizeof name, "c%zu", k);
        found = find(w, name, column);
    }
    return found;
}

/* The motion between samples. */
static il_status find_motion(il_columns *w, il_error *err) {
    size_t column = 0;
    if (!w->dense) {
        return il_number_table_find(w->table, "c00", &column) && w->mapping == NULL
                   ? il_fail(err, IL_EINVAL,
                             "'%s' has the motion between samples, c00, ...; allowed: --between "
                             "dense",
                             w->table->path)
                   : IL_OK;
    }
    if (!w->has_u) {
        return miss(w, "u0", err);
    }
    w->has_step = w->mapping == NULL && find(w, "step", &w->step);
    w->c = il_alloc_zero((IL_MOTION_DEGREE_MAX + 1) * w->d, sizeof *w->c);
    size_t n = 0;
    size_t most = w->mapping == NULL ? (IL_MOTION_DEGREE_MAX + 1) * w->d : 0;
    while (n < most && find_coefficient(w, n / w->d, n % w->d, &w->c[n])) {
        n++;
    }
    w->coefficients = n / w->d;
    if (n > 0 && (n % w->d != 0 || w->coefficients < 2 || !w->has_step)) {
        char name[48];
        (void)snprintf(name, sizeof name, "c%zu%zu", n / w->d, n % w->d);
        return miss(w, w->has_step ? name : "step", err);
    }
    return IL_OK;
}

il_status il_columns_find(il_columns *w, il_error *err) {
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
    status = find_motion(w, err);
    for (size_t k = 0; status == IL_OK && k < w->table->n; k++) {
        const il_column *own = &w->table->columns[k];
        size_t id = 0;
        if (!w->used[k] && own->x != NULL && is_impulse(w, own->name, &id)) {
            w->used[k] = true;
            status = add_impulse(w, id, (il_term){k, 1.0}, err);
        }
    }
    return status == IL_OK && !w->skips ? check_used(w, err) : status;
}
