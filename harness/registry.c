/*
 * registry.c - expands the generated lists of members.
 */
#include "harness/registry.h"

#include <string.h>

#include "harness/base/text.h"

#define X(name) extern const il_problem_type il_problem_##name;
#include "problems.def"
#undef X
#define X(name) extern const il_scheme_type il_scheme_##name;
#include "schemes.def"
#undef X
#define X(name) extern const il_projector_type il_projector_##name;
#include "projectors.def"
#undef X

#define X(name) &il_problem_##name,
static const il_problem_type *const problems[] = {
#include "problems.def"
};
#undef X
#define X(name) &il_scheme_##name,
static const il_scheme_type *const schemes[] = {
#include "schemes.def"
};
#undef X
#define X(name) &il_projector_##name,
static const il_projector_type *const projectors[] = {
#include "projectors.def"
};
#undef X

enum {
    PROBLEMS = sizeof problems / sizeof problems[0],
    SCHEMES = sizeof schemes / sizeof schemes[0],
    PROJECTORS = sizeof projectors / sizeof projectors[0],
    MEMBERS_MAX = 64
};

const il_problem_type *il_problem_type_at(size_t k) {
    return k < PROBLEMS ? problems[k] : NULL;
}

const il_scheme_type *il_scheme_type_at(size_t k) {
    return k < SCHEMES ? schemes[k] : NULL;
}

const il_projector_type *il_projector_type_at(size_t k) {
    return k < PROJECTORS ? projectors[k] : NULL;
}

static const char *problem_name(size_t k) {
    return k < PROBLEMS ? problems[k]->name : NULL;
}

static const char *scheme_name(size_t k) {
    return k < SCHEMES ? schemes[k]->name : NULL;
}

static const char *projector_name(size_t k) {
    return k < PROJECTORS ? projectors[k]->name : NULL;
}

/* The index of word in a family, or the error that says what there is. */
static il_status choose(const char *family, const char *(*name_at)(size_t k), const char *word,
                        size_t *index, il_error *err) {
    const char *names[MEMBERS_MAX];
    char known[512] = "";
    size_t n = 0;
    for (; name_at(n) != NULL && n < MEMBERS_MAX; n++) {
        names[n] = name_at(n);
        if (strcmp(word, names[n]) == 0) {
            *index = n;
            return IL_OK;
        }
        il_text_append(known, sizeof known, "%s%s", n == 0 ? "" : ", ", names[n]);
    }
    const char *near = il_text_nearest(word, names, n);
    if (near != NULL) {
        return il_fail(err, IL_EINVAL, "unknown %s '%s'; did you mean '%s'? Known: %s", family,
                       word, near, known);
    }
    return il_fail(err, IL_EINVAL, "unknown %s '%s'; known: %s", family, word, known);
}

il_status il_problem_type_find(const char *name, const il_problem_type **out, il_error *err) {
    size_t k = 0;
    il_status status = choose("problem", problem_name, name, &k, err);
    *out = status == IL_OK ? problems[k] : NULL;
    return status;
}

il_status il_scheme_type_find(const char *name, const il_scheme_type **out, il_error *err) {
    size_t k = 0;
    il_status status = choose("scheme", scheme_name, name, &k, err);
    *out = status == IL_OK ? schemes[k] : NULL;
    return status;
}

il_status il_projector_type_find(const char *name, const il_projector_type **out, il_error *err) {
    size_t k = 0;
    il_status status = choose("projector", projector_name, name, &k, err);
    *out = status == IL_OK ? projectors[k] : NULL;
    return status;
}
