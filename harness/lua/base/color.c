/*
 * color.c - the colours of schemes, and lab.colors, the same for scripts.
 */
#include "harness/lua/base/color.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/run/registry.h"

/* Okabe and Ito's colours, but for those that schemes have of their own. */
static const char *const further[] = {"#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f"};

enum { NFURTHER = sizeof further / sizeof further[0] };

/* Colour i of all: those that are left, then the schemes' own. NULL past the end. */
static const char *color_at(size_t i) {
    if (i < NFURTHER) {
        return further[i];
    }
    i -= NFURTHER;
    for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
        if (il_scheme_type_at(k)->color != NULL && i-- == 0) {
            return il_scheme_type_at(k)->color;
        }
    }
    return NULL;
}

/* A scheme with settings of its own goes by its text (FNV-1a), after the others. */
static size_t hash(const char *text) {
    size_t sum = 2166136261u;
    for (; *text != '\0'; text++) {
        sum = ((sum ^ (unsigned char)*text) * 16777619u) & 0xffffffffu;
    }
    return sum;
}

/* Is the scheme none that has a colour of its own to keep: one with settings, or a script's? */
static bool is_guest(const char *name) {
    size_t k = 0;
    while (il_scheme_type_at(k) != NULL && strcmp(il_scheme_type_at(k)->name, name) != 0) {
        k++;
    }
    return il_scheme_type_at(k) == NULL;
}

/* "#rrggbb" for a scheme as it is asked for ("maury", "moreau_jean:theta=0.5"). Schemes without a
 * colour of their own take the next of a further palette, in the order of the registry. */
static const char *color_of(const char *name) {
    size_t rank = 0; /* among those without a colour of their own */
    for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
        const char *color = il_scheme_type_at(k)->color;
        if (strcmp(il_scheme_type_at(k)->name, name) == 0) {
            return color != NULL ? color : further[rank % NFURTHER];
        }
        rank += color == NULL;
    }
    return further[(hash(name) + rank) % NFURTHER];
}

/* Has a scheme without settings, or one with settings before k, this colour? */
static bool taken(const char *const *names, size_t n, const char *const *colors, size_t k,
                  const char *color) {
    for (size_t i = 0; i < n; i++) {
        if ((i < k || !is_guest(names[i])) && i != k && strcmp(colors[i], color) == 0) {
            return true;
        }
    }
    return false;
}

void il_scheme_colors(const char *const *names, size_t n, const char **colors) {
    for (size_t k = 0; k < n; k++) {
        colors[k] = color_of(names[k]);
    }
    for (size_t k = 0; k < n; k++) {
        const char *color = colors[k];
        for (size_t i = 0;
             color_at(i) != NULL && is_guest(names[k]) && taken(names, n, colors, k, color); i++) {
            color = color_at(i);
        }
        colors[k] = taken(names, n, colors, k, color) ? colors[k] : color;
    }
}

void il_lua_add_colors(lua_State *L) {
    lua_newtable(L);
    for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
        il_lua_set_text(L, il_scheme_type_at(k)->name, color_of(il_scheme_type_at(k)->name));
    }
    lua_setfield(L, -2, "colors");
}
