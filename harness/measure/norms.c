/*
 * norms.c - expands the generated list of norms.
 */
#include "harness/measure/norms.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "harness/base/text.h"

#define X(name) extern const il_norm_type il_norm_##name;
#include "norms.def"
#undef X

#define X(name) &il_norm_##name,
static const il_norm_type *const norms[] = {
#include "norms.def"
};
#undef X

enum { NORMS = sizeof norms / sizeof norms[0] };
_Static_assert(NORMS < 30, "a norm is a bit of an unsigned, and one is IL_NORM_AUTO");

const il_norm_type *il_norm_type_at(size_t k) {
    return k < NORMS ? norms[k] : NULL;
}

unsigned il_norm_all(void) {
    return (1u << NORMS) - 1u;
}

bool il_norm_bits(const char *name, unsigned *bits) {
    for (size_t k = 0; k < NORMS; k++) {
        if (strcmp(norms[k]->name, name) == 0) {
            *bits = 1u << k;
            return true;
        }
    }
    *bits = strcmp(name, "all") == 0 ? il_norm_all() : IL_NORM_NONE;
    return strcmp(name, "all") == 0 || strcmp(name, "none") == 0;
}

void il_norm_names(char *out, size_t capacity) {
    out[0] = '\0';
    for (size_t k = 0; k < NORMS; k++) {
        il_text_append(out, capacity, "%s, ", norms[k]->name);
    }
    il_text_append(out, capacity, "all, none");
}

il_norms il_norms_none(void) {
    il_norms none = {.no_lambda = NULL};
    for (size_t k = 0; k < IL_NORMS_VALUES_MAX; k++) {
        none.x[k] = NAN;
    }
    return none;
}

static size_t count(const il_norm_type *norm) {
    size_t n = 0;
    while (norm->values[n].key != NULL) {
        n++;
    }
    return n;
}

/* Where the values of norm k begin. */
static size_t place(size_t k) {
    size_t at = 0;
    for (size_t i = 0; i < k; i++) {
        at += count(norms[i]);
    }
    assert(at + count(norms[k]) <= IL_NORMS_VALUES_MAX);
    return at;
}

const double *il_norms_of(const il_norms *w, size_t k) {
    return w->x + place(k);
}

double il_norms_value(const il_norms *w, const char *name, const char *key) {
    for (size_t k = 0; k < NORMS; k++) {
        for (size_t i = 0; strcmp(norms[k]->name, name) == 0 && norms[k]->values[i].key != NULL;
             i++) {
            if (key == NULL || strcmp(norms[k]->values[i].key, key) == 0) {
                return w->x[place(k) + i];
            }
        }
    }
    return NAN;
}

il_status il_norms_compute(il_norms *w, const il_norms_query *query, unsigned bits, il_error *err) {
    il_norm_run alone = {.graphed = false};
    il_norm_data data = {.query = query,
                         .T = query->run->t[query->run->nodes - 1],
                         .run = query->kept != NULL ? query->kept : &alone};
    il_status status = IL_OK;
    *w = il_norms_none();
    for (size_t k = 0; status == IL_OK && k < NORMS; k++) {
        if ((bits & 1u << k) != 0) {
            status = norms[k]->compute(&data, w->x + place(k), err);
        }
    }
    w->no_lambda = data.no_lambda;
    il_norm_data_free(&data);
    il_norm_run_free(&alone);
    return status;
}
