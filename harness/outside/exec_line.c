/*
 * exec_line.c - nothing in a line is passed over: a key that is not known, or a value of another
 * kind, is an error.
 */
#include "harness/outside/exec_line.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/data/facts.h"

static const char KEYS[] = "\"q\", \"u\", \"impulses\", \"t\", with between=dense \"motion\"";

/* The names of this many constraints are kept, where a program uses them. */
enum { NAMED_MAX = 1 << 21 };
static const double SAME_TIME = 1e-9;

/* By the bodies, then the wall. */
struct il_exec_named {
    il_facts_contact about;
    size_t id;
};

/* ---- constraints by name -------------------------------------------------------------------- */

static int compare_counts(size_t a, size_t b) {
    return (a > b) - (a < b);
}

static int compare_named(const void *a, const void *b) {
    const il_facts_contact *x = &((const struct il_exec_named *)a)->about;
    const il_facts_contact *y = &((const struct il_exec_named *)b)->about;
    int first = compare_counts(x->first, y->first);
    int second = first != 0 ? first : compare_counts(x->second, y->second);
    return second != 0 ? second : compare_counts(x->wall, y->wall);
}

static il_status name_all(il_exec_line *w, il_error *err) {
    const il_problem *problem = w->problem;
    il_rows rows;
    if (w->named != NULL) {
        return IL_OK;
    }
    if (problem->p > NAMED_MAX) {
        return il_fail(err, IL_EINVAL,
                       "wrote impulses by bodies, and there are %zu constraints; allowed: [[ID, "
                       "IMPULSE], ...] above %d",
                       problem->p, NAMED_MAX);
    }
    w->named = il_alloc_zero(problem->p, sizeof *w->named);
    il_rows_init(&rows);
    for (size_t id = 0; id < problem->p; id++) {
        w->named[id].id = id;
        (void)il_facts_contact_of(problem, id, &rows, &w->named[id].about);
    }
    il_rows_free(&rows);
    qsort(w->named, problem->p, sizeof *w->named, compare_named);
    return IL_OK;
}

static size_t wall_called(const il_problem *problem, const char *name) {
    size_t n = problem->nwalls > 0 ? problem->nwalls : problem->space == 0 ? problem->p : 0;
    for (size_t k = 0; k < n; k++) {
        char own[IL_DESCRIPTION_MAX];
        if (strcmp(il_facts_wall(problem, k, own), name) == 0) {
            return k;
        }
    }
    return SIZE_MAX - 1; /* no constraint has it */
}

/* [i, j, impulse] or [i, "floor", impulse]. */
static il_status find_named(il_exec_line *w, const json_t *of, size_t *id, bool *good,
                            il_error *err) {
    const json_t *i = json_array_get(of, 0);
    const json_t *j = json_array_get(of, 1);
    struct il_exec_named key = {{SIZE_MAX, SIZE_MAX, SIZE_MAX}, 0};
    il_status status = name_all(w, err);
    *good = json_is_integer(i) && json_integer_value(i) >= 0 &&
            (json_is_string(j) || (json_is_integer(j) && json_integer_value(j) >= 0));
    if (status != IL_OK || !*good) {
        return status;
    }
    size_t a = (size_t)json_integer_value(i);
    size_t b = json_is_string(j) ? SIZE_MAX : (size_t)json_integer_value(j);
    key.about.first = a < b ? a : b;
    key.about.second = a < b ? b : a;
    if (json_is_string(j)) {
        key.about.wall = wall_called(w->problem, json_string_value(j));
    }
    const struct il_exec_named *found =
        bsearch(&key, w->named, w->problem->p, sizeof *w->named, compare_named);
    *good = found != NULL;
    *id = found != NULL ? found->id : 0;
    return IL_OK;
}

/* ---- impulses ------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b) {
    return compare_counts(((const il_contact *)a)->id, ((const il_contact *)b)->id);
}

/* Impulses of one constraint, as of several points of one contact, add up. */
static void merge(il_exec_line *w) {
    size_t to = 0;
    bool sorted = true;
    for (size_t k = 1; sorted && k < w->n; k++) {
        sorted = w->contacts[k - 1].id < w->contacts[k].id;
    }
    if (sorted) {
        return;
    }
    qsort(w->contacts, w->n, sizeof *w->contacts, by_id);
    for (size_t k = 1; k < w->n; k++) {
        if (w->contacts[k].id == w->contacts[to].id) {
            w->contacts[to].impulse += w->contacts[k].impulse;
        } else {
            w->contacts[++to] = w->contacts[k];
        }
    }
    w->n = to + 1;
}

static il_status take_one(il_exec_line *w, const json_t *one, il_contact *out, bool *good,
                          il_error *err) {
    size_t n = json_array_size(one);
    const json_t *id = json_array_get(one, 0);
    const json_t *impulse = n > 0 ? json_array_get(one, n - 1) : NULL;
    il_status status = IL_OK;
    *good = json_is_number(impulse) && isfinite(json_number_value(impulse));
    if (*good && n == 3) {
        status = find_named(w, one, &out->id, good, err);
    } else {
        *good = *good && n == 2 && json_is_integer(id) && json_integer_value(id) >= 0 &&
                (size_t)json_integer_value(id) < w->problem->p;
        out->id = *good ? (size_t)json_integer_value(id) : 0;
    }
    out->impulse = json_number_value(impulse);
    return status;
}

static il_status refuse_impulse(const json_t *one, size_t p, il_error *err) {
    char *text = il_json_text_as(one, JSON_ENCODE_ANY | JSON_COMPACT);
    il_status status =
        il_fail(err, IL_EINVAL,
                "wrote the impulse '%.60s'; allowed: [ID, IMPULSE] with an integer 0 <= ID < %zu, "
                "[I, J, IMPULSE] of two bodies, [I, \"WALL\", IMPULSE]",
                text, p);
    free(text);
    return status;
}

static il_status take_impulses(il_exec_line *w, const json_t *list, il_error *err) {
    w->given = list != NULL;
    w->n = json_array_size(list);
    if (list != NULL && !json_is_array(list)) {
        return il_fail(err, IL_EINVAL,
                       "wrote \"impulses\" that are no list; allowed: [[ID, "
                       "IMPULSE], ...]");
    }
    if (w->n > w->room) {
        il_memory_grow(&w->contacts, 2 * w->n, sizeof *w->contacts);
        w->room = 2 * w->n;
    }
    for (size_t k = 0; k < w->n; k++) {
        bool good = false;
        w->contacts[k] = (il_contact){.id = 0};
        il_status status = take_one(w, json_array_get(list, k), &w->contacts[k], &good, err);
        if (status != IL_OK || !good) {
            return status != IL_OK ? status
                                   : refuse_impulse(json_array_get(list, k), w->problem->p, err);
        }
    }
    merge(w);
    return IL_OK;
}

/* ---- the line ------------------------------------------------------------------------------- */

/* x[d] from a list; false where it has no such numbers. */
static bool take_list(const json_t *list, double *x, size_t d) {
    bool good = json_is_array(list) && json_array_size(list) == d;
    for (size_t k = 0; good && k < d; k++) {
        const json_t *one = json_array_get(list, k);
        x[k] = json_number_value(one);
        good = json_is_number(one) && isfinite(x[k]);
    }
    return good;
}

static bool take(const json_t *line, const char *key, double *x, size_t d) {
    return take_list(json_object_get(line, key), x, d);
}

/* Coefficients of all pieces, those left out zero; *most grows to the number of a piece. */
static bool take_pieces(il_exec_line *w, const json_t *list, size_t n, size_t stride,
                        size_t *most) {
    size_t d = w->problem->d;
    bool good = true;
    memset(w->c, 0, n * stride * d * sizeof *w->c);
    for (size_t j = 0; good && j < n; j++) {
        const json_t *piece = json_array_get(list, j);
        size_t size = json_array_size(piece);
        good = size >= 2 && size <= IL_MOTION_DEGREE_MAX + 1;
        *most = size > *most ? size : *most;
        for (size_t k = 0; good && k < size && stride > 0; k++) {
            good = take_list(json_array_get(piece, k), w->c + (j * stride + k) * d, d);
        }
    }
    return good;
}

static il_status take_motion(il_exec_line *w, const json_t *motion, il_error *err) {
    const json_t *ends = json_object_get(motion, "ends");
    const json_t *list = json_object_get(motion, "c");
    size_t n = json_array_size(ends);
    size_t d = w->problem->d;
    size_t most = 0;
    if (n > w->pieces) {
        il_memory_grow(&w->end, n, sizeof *w->end);
        il_memory_grow(&w->c, n * (IL_MOTION_DEGREE_MAX + 1) * d, sizeof *w->c);
        w->pieces = n;
    }
    bool good = n > 0 && json_array_size(list) == n && json_object_size(motion) == 2 &&
                take_list(ends, w->end, n) && take_pieces(w, list, n, 0, &most) &&
                take_pieces(w, list, n, most, &most);
    w->motion = (il_motion){.d = d, .n = n, .degree = most - 1, .end = w->end, .c = w->c};
    return good ? IL_OK
                : il_fail(err, IL_EINVAL,
                          "wrote no \"motion\" that can be read; allowed with between=dense: "
                          "{\"ends\": [times], \"c\": [a list a piece, of 2 to 8 lists of %zu "
                          "number%s]}",
                          d, d == 1 ? "" : "s");
}

static il_status check_keys(json_t *line, double t1, bool dense, il_error *err) {
    static const char *const known[] = {"q", "u", "impulses", "t", "motion"};
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(line, key, value) {
        bool ours = false;
        for (size_t k = 0; k < sizeof known / sizeof known[0] - !dense; k++) {
            ours = ours || strcmp(key, known[k]) == 0;
        }
        if (!ours) {
            return il_fail(err, IL_EINVAL, "wrote \"%.40s\"; allowed: %s", key, KEYS);
        }
    }
    const json_t *t = json_object_get(line, "t");
    if (t != NULL && !(fabs(json_number_value(t) - t1) <= SAME_TIME * (1.0 + t1))) {
        return il_fail(err, IL_EINVAL, "wrote \"t\": %.10g; allowed: the end of the step, %.10g%s",
                       json_number_value(t), t1,
                       json_number_value(t) == 0.0 ? " (the start is not written)" : "");
    }
    return IL_OK;
}

il_status il_exec_line_read(il_exec_line *w, const char *text, double t1, il_state *out,
                            il_error *err) {
    json_t *line = NULL;
    il_status status = il_json_parse(text, &line, NULL);
    bool good = status == IL_OK && take(line, "q", out->q, w->problem->d) &&
                take(line, "u", out->u, w->problem->d);
    if (!good) {
        status =
            il_fail(err, IL_EINVAL, "wrote '%.60s', and not {\"q\": [%zu number%s], \"u\": ...}",
                    text, w->problem->d, w->problem->d == 1 ? "" : "s");
    } else {
        status = check_keys(line, t1, w->dense, err);
    }
    status = status == IL_OK ? take_impulses(w, json_object_get(line, "impulses"), err) : status;
    if (status == IL_OK && w->dense) {
        status = take_motion(w, json_object_get(line, "motion"), err);
    }
    json_decref(line);
    return status;
}

void il_exec_line_free(il_exec_line *w) {
    free(w->contacts);
    free(w->named);
    free(w->end);
    free(w->c);
}
