/*
 * registry.c - expands the generated lists of members.
 */
#include "harness/run/registry.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/outside/exec.h"
#include "harness/outside/file_scheme.h"

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

#define X(name) #name,
static const char *const problem_names[] = {
#include "problems.def"
};
static const char *const scheme_names[] = {
#include "schemes.def"
};
static const char *const projector_names[] = {
#include "projectors.def"
};
#undef X

enum {
    PROBLEMS = sizeof problems / sizeof problems[0],
    SCHEMES = sizeof schemes / sizeof schemes[0],
    PROJECTORS = sizeof projectors / sizeof projectors[0]
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

const il_projector_type *il_projector_type_default(void) {
    size_t k = 0;
    while (k + 1 < PROJECTORS && !projectors[k]->preferred) {
        k++;
    }
    return projectors[k];
}

/* The index of word among the n names of a family, or the error that says what there is. */
static il_status choose(const char *family, const char *const *names, size_t n, const char *word,
                        size_t *index, il_error *err) {
    char message[IL_MESSAGE_MAX];
    for (size_t k = 0; k < n; k++) {
        if (strcmp(word, names[k]) == 0) {
            *index = k;
            return IL_OK;
        }
    }
    il_text_unknown(family, word, names, n, message, sizeof message);
    return il_fail(err, IL_EINVAL, "%s", message);
}

il_status il_problem_type_find(const char *name, const il_problem_type **out, il_error *err) {
    size_t k = 0;
    il_status status = choose("problem", problem_names, PROBLEMS, name, &k, err);
    *out = status == IL_OK ? problems[k] : NULL;
    return status;
}

il_status il_scheme_type_find(const char *name, const il_scheme_type **out, il_error *err) {
    const il_scheme_type *const outside[] = {&il_scheme_exec, &il_scheme_file};
    size_t k = 0;
    for (size_t i = 0; i < 2; i++) {
        if (strcmp(name, outside[i]->name) == 0) {
            *out = outside[i];
            return IL_OK;
        }
    }
    il_status status = choose("scheme", scheme_names, SCHEMES, name, &k, err);
    *out = status == IL_OK ? schemes[k] : NULL;
    return status;
}

il_status il_projector_type_find(const char *name, const il_projector_type **out, il_error *err) {
    size_t k = 0;
    il_status status = choose("projector", projector_names, PROJECTORS, name, &k, err);
    *out = status == IL_OK ? projectors[k] : NULL;
    return status;
}

/* One "key=value" of a scheme's settings. */
static il_status set_one(const il_scheme_type *type, il_params *params, const char *text,
                         il_error *err) {
    char key[64];
    const char *equals = strchr(text, '=');
    size_t n = equals != NULL ? (size_t)(equals - text) : strlen(text);
    if (equals == NULL || n == 0 || n >= sizeof key) {
        return il_fail(err, IL_EINVAL, "scheme '%s': '%s' is not of the form key=value", type->name,
                       text);
    }
    memcpy(key, text, n);
    key[n] = '\0';
    il_error why = {IL_OK, ""};
    il_status status = il_params_set_text(params, key, equals + 1, &why);
    return status == IL_OK ? IL_OK
                           : il_fail(err, status, "scheme '%s': %.900s", type->name, why.message);
}

il_status il_scheme_params(const il_scheme_type *type, const char *settings, il_params **out,
                           il_error *err) {
    char text[256];
    *out = NULL;
    if (type->verbatim) {
        return settings != NULL
                   ? IL_OK
                   : il_fail(err, IL_EINVAL, "scheme is '%s'; allowed: %s:%s", type->name,
                             type->name, type->starts ? "COMMAND" : "FILE");
    }
    if (settings != NULL && type->params == NULL) {
        return il_fail(err, IL_EINVAL, "scheme '%s' has no parameters, and '%s' is given",
                       type->name, settings);
    }
    if (type->params == NULL) {
        return IL_OK;
    }
    if (settings != NULL && strlen(settings) >= sizeof text) {
        return il_fail(err, IL_EINVAL, "scheme '%s': the settings are longer than %zu characters",
                       type->name, sizeof text - 1);
    }
    il_status status = il_params_create(out, type->params, err);
    (void)snprintf(text, sizeof text, "%s", settings != NULL ? settings : "");
    char *rest = NULL;
    for (char *one = strtok_r(text, ",", &rest); status == IL_OK && one != NULL;
         one = strtok_r(NULL, ",", &rest)) {
        status = set_one(type, *out, one, err);
    }
    if (status != IL_OK) {
        il_params_destroy(*out);
        *out = NULL;
    }
    return status;
}

/* Settings that are no parameters may give a name, which no scheme of ours has. */
static il_status name_outside(il_scheme_choice *w, il_error *err) {
    const il_scheme_type *ours = NULL;
    il_status status = w->type->read(w->settings, w->label, err);
    if (status != IL_OK || w->label[0] == '\0') {
        return status;
    }
    if (il_scheme_type_find(w->label, &ours, NULL) == IL_OK) {
        return il_fail(err, IL_EINVAL,
                       "scheme '%s': name is '%s', which is a scheme of ours; allowed: another",
                       w->type->name, w->label);
    }
    w->name = w->label;
    return IL_OK;
}

il_status il_scheme_choose(const char *text, il_scheme_choice *out, il_error *err) {
    const char *colon = strchr(text, ':');
    char name[64];
    if (colon != NULL && colon[1] == '\0') { /* another name of one scheme would be another case */
        return il_fail(err, IL_EINVAL,
                       "scheme is '%s'; allowed: behind the colon key=value (of exec a command, of "
                       "file a name), or no colon",
                       text);
    }
    *out = (il_scheme_choice){.name = text, .settings = colon != NULL ? colon + 1 : NULL};
    size_t n = colon != NULL ? (size_t)(colon - text) : strlen(text);
    (void)snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), text);
    il_params *params = NULL;
    il_status status = il_scheme_type_find(name, &out->type, err);
    if (status == IL_OK) {
        status = il_scheme_params(out->type, out->settings, &params, err);
    }
    il_params_destroy(params);
    if (status == IL_OK && out->type->verbatim) {
        status = name_outside(out, err);
    }
    return status;
}

il_status il_scheme_suits(const il_scheme_type *type, const il_problem *problem, il_error *err) {
    il_error why = {IL_OK, ""};
    char others[256] = "";
    il_status status = il_scheme_admits(type, problem, &why);
    if (status == IL_OK) {
        return IL_OK;
    }
    for (size_t k = 0; k < SCHEMES; k++) {
        if (il_scheme_admits(schemes[k], problem, NULL) == IL_OK) {
            il_text_append(others, sizeof others, "%s%s", others[0] == '\0' ? "" : ", ",
                           schemes[k]->name);
        }
    }
    return il_fail(err, status, "%.700s; %s%s", why.message,
                   others[0] == '\0' ? "no scheme suits this problem" : "these suit it: ", others);
}

/* ---- substitutes ---------------------------------------------------------------------------- */

il_status il_substitute_problem(const il_substitutes *substitutes, const char *name,
                                const il_problem_type **out, il_error *err) {
    const il_problem_type *const *list = substitutes != NULL ? substitutes->problems : NULL;
    for (; list != NULL && *list != NULL; list++) {
        if (strcmp((*list)->name, name) == 0) {
            *out = *list;
            return IL_OK;
        }
    }
    return il_problem_type_find(name, out, err);
}

il_status il_substitute_projector(const il_substitutes *substitutes, const char *name,
                                  const il_projector_type **out, il_error *err) {
    const il_projector_type *const *list = substitutes != NULL ? substitutes->projectors : NULL;
    for (; list != NULL && *list != NULL; list++) {
        if (strcmp((*list)->name, name) == 0) {
            *out = *list;
            return IL_OK;
        }
    }
    return il_projector_type_find(name, out, err);
}

void il_substitute_scheme(const il_substitutes *substitutes, il_scheme_choice *choice) {
    const il_scheme_type *const *list = substitutes != NULL ? substitutes->schemes : NULL;
    for (; list != NULL && *list != NULL; list++) {
        if (strcmp((*list)->name, choice->type->name) == 0) {
            choice->type = *list;
        }
    }
}
