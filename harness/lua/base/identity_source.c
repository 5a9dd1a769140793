/*
 * identity_source.c - as much of Lua's lexical rules (manual, 3.1) as it takes to find names.
 */
#include "harness/lua/base/identity_source.h"

#include <ctype.h>
#include <string.h>

static bool is_letter(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* The first or last place of word, whole, in [at, end), or NULL; *n: how many there are. */
static const char *find_word(const char *at, const char *end, const char *word, bool last,
                             size_t *n) {
    size_t length = strlen(word);
    const char *found = NULL;
    *n = 0;
    for (const char *c = at; c + length <= end; c++) {
        bool here = memcmp(c, word, length) == 0 && (c == at || !is_letter(c[-1])) &&
                    (c + length == end || !is_letter(c[length]));
        if (here && (last || found == NULL)) {
            found = c;
        }
        *n += here;
    }
    return found;
}

static const char *line_of(const char *script, int line) {
    for (int k = 1; k < line && script != NULL; k++) {
        script = strchr(script, '\n');
        script = script != NULL ? script + 1 : NULL;
    }
    return script;
}

bool il_lua_source_of(const char *script, int first, int last, il_lua_source *source) {
    size_t n = 0;
    const char *begin = first >= 1 ? line_of(script, first) : NULL;
    const char *final = begin != NULL && last >= first ? line_of(begin, last - first + 1) : NULL;
    if (final == NULL) {
        return false;
    }
    const char *from = find_word(begin, begin + strcspn(begin, "\n"), "function", false, &n);
    size_t ends = 0;
    const char *to = find_word(final, final + strcspn(final, "\n"), "end", true, &ends);
    if (from == NULL || to == NULL || to < from) {
        return false;
    }
    *source = (il_lua_source){.text = from, .n = (size_t)(to + 3 - from), .ambiguous = n > 1};
    return true;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* After the long bracket [[...]], [=[...]=] that opens at `at`; NULL if none does. */
static const char *skip_long(const char *at, const char *end) {
    const char *c = at + 1;
    size_t level = 0;
    while (c < end && *c == '=') {
        c++;
        level++;
    }
    if (c >= end || *c != '[') {
        return NULL;
    }
    for (c++; c < end; c++) {
        size_t k = 0;
        while (*c == ']' && c + 1 + k < end && c[1 + k] == '=') {
            k++;
        }
        if (*c == ']' && k == level && c + 1 + k < end && c[1 + k] == ']') {
            return c + level + 2;
        }
    }
    return end;
}

/* After the comment or string that begins at `at`; at itself where none does. */
static const char *skip_text(const char *at, const char *end) {
    bool comment = at + 1 < end && at[0] == '-' && at[1] == '-';
    const char *bracket = comment ? at + 2 : at;
    if (bracket < end && *bracket == '[') {
        const char *after = skip_long(bracket, end);
        if (after != NULL) {
            return after;
        }
    }
    if (comment) {
        while (at < end && *at != '\n') {
            at++;
        }
        return at;
    }
    if (*at == '"' || *at == '\'') {
        char quote = *at++;
        while (at < end && *at != quote) {
            at += *at == '\\' ? 2 : 1;
        }
        return at < end ? at + 1 : end;
    }
    return at;
}

static const char *skip_name(const char *at, const char *end) {
    while (at < end && is_letter(*at)) {
        at++;
    }
    return at;
}

/* The next name, whatever it is; *field: it stands after a dot or a colon, alone: "a..b" has two
 * names, and "::a::b" too. */
static const char *next_name(const char *at, const char *end, il_lua_name *name, bool *field) {
    char before = ' ';
    char before_that = ' ';
    while (at < end) {
        const char *after = skip_text(at, end);
        if (after != at) {
            before = before_that = ' ';
            at = after;
        } else if (isalpha((unsigned char)*at) || *at == '_') {
            after = skip_name(at, end);
            *name = (il_lua_name){at, (size_t)(after - at)};
            *field = (before == '.' || before == ':') && before_that != before;
            return after;
        } else if (isdigit((unsigned char)*at)) { /* 0x1p4, 1e5: letters of a number */
            while (at < end && (is_letter(*at) || *at == '.')) {
                at++;
            }
            before = before_that = ' ';
        } else {
            if (!isspace((unsigned char)*at)) {
                before_that = before;
                before = *at;
            }
            at++;
        }
    }
    return NULL;
}

const char *il_lua_next_name(const char *at, const char *end, il_lua_name *name) {
    bool field = false;
    do {
        at = next_name(at, end, name, &field);
    } while (at != NULL && field);
    return at;
}

static bool is_name(const il_lua_name *name, const char *text) {
    return strlen(text) == name->n && memcmp(name->text, text, name->n) == 0;
}

/* Does a dot and a name begin at `at`? */
static bool begins_field(const char *at, const char *end) {
    while (at < end && isspace((unsigned char)*at)) {
        at++;
    }
    if (at == end || *at++ != '.') {
        return false;
    }
    while (at < end && isspace((unsigned char)*at)) {
        at++;
    }
    return at < end && (isalpha((unsigned char)*at) || *at == '_');
}

bool il_lua_source_has_fields_alone(const il_lua_source *source, const il_lua_name *name) {
    const char *end = source->text + source->n;
    const char *at = source->text;
    il_lua_name met;
    bool alone = true;
    while ((at = il_lua_next_name(at, end, &met)) != NULL) {
        bool here = met.n == name->n && memcmp(met.text, name->text, met.n) == 0;
        alone = alone && (!here || begins_field(at, end));
    }
    return alone;
}

const char *il_lua_source_suspect(const il_lua_source *source) {
    /* also as fields, whatever the library is called there */
    static const char *const anywhere[] = {"random", "randomseed", "clock", NULL};
    static const char *const names[] = {"_G",     "_ENV",     "debug",          "io",
                                        "os",     "require",  "package",        "load",
                                        "dofile", "loadfile", "collectgarbage", NULL};
    il_lua_name name;
    bool field = false;
    const char *end = source->text + source->n;
    const char *at = source->text;
    while ((at = next_name(at, end, &name, &field)) != NULL) {
        for (size_t k = 0; anywhere[k] != NULL; k++) {
            if (is_name(&name, anywhere[k])) {
                return anywhere[k];
            }
        }
        for (size_t k = 0; !field && names[k] != NULL; k++) {
            if (is_name(&name, names[k])) {
                return names[k];
            }
        }
    }
    return NULL;
}

bool il_lua_source_has_constants(const char *script) {
    for (const char *c = strchr(script, '<'); c != NULL; c = strchr(c + 1, '<')) {
        const char *word = c + 1 + strspn(c + 1, " \t\r\n");
        if (strncmp(word, "const", 5) == 0 || strncmp(word, "close", 5) == 0) {
            return true;
        }
    }
    return false;
}
