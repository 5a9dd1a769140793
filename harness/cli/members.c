/*
 * members.c - the members of harness/run/registry.h in a common form.
 */
#include "harness/cli/members.h"

#include <string.h>

bool il_cli_member_at(int family, size_t k, il_cli_member *out) {
    const il_problem_type *p = family == 0 ? il_problem_type_at(k) : NULL;
    const il_scheme_type *s = family == 1 ? il_scheme_type_at(k) : NULL;
    const il_projector_type *x = family == 2 ? il_projector_type_at(k) : NULL;
    if (p != NULL) {
        *out = (il_cli_member){"problems",   "problem", p->name,   p->title,
                               p->statement, p->source, p->params, p};
    } else if (s != NULL) {
        *out = (il_cli_member){"schemes",    "scheme",  s->name,   s->title,
                               s->statement, s->source, s->params, NULL};
    } else if (x != NULL) {
        *out = (il_cli_member){"projectors", "projector", x->name, x->title,
                               x->statement, x->source,   NULL,    NULL};
    }
    return p != NULL || s != NULL || x != NULL;
}

bool il_cli_member_find(const char *name, il_cli_member *out) {
    for (int family = 0; family < IL_CLI_FAMILIES; family++) {
        for (size_t k = 0; il_cli_member_at(family, k, out); k++) {
            if (strcmp(name, out->name) == 0) {
                return true;
            }
        }
    }
    return false;
}

json_t *il_cli_member_json(const il_cli_member *m) {
    return json_pack("{s:s, s:s, s:s}", "name", m->name, "title", m->title, "source", m->source);
}

size_t il_cli_member_names(const char *names[], size_t n, size_t capacity) {
    il_cli_member m;
    for (int family = 0; family < IL_CLI_FAMILIES; family++) {
        for (size_t k = 0; n < capacity && il_cli_member_at(family, k, &m); k++) {
            names[n++] = m.name;
        }
    }
    return n;
}
