/*
 * read.c - the values of a table, by a table of options (harness/base/option.h).
 */
#include <math.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/lua/base/args.h"

/* Each reads the value at the top of the stack, which stays. */

static const char *read_text(const il_fields *f, const char *key) {
    size_t n = 0;
    const char *text = lua_type(f->L, -1) == LUA_TSTRING ? lua_tolstring(f->L, -1, &n) : NULL;
    if (text == NULL || n == 0) {
        il_fields_refuse(f, key, -1, text != NULL ? "a string that is not empty" : "a string");
    }
    if (strlen(text) != n || !il_text_is_utf8(text)) {
        il_fields_refuse(f, key, -1, "a string in UTF-8, without zero bytes");
    }
    return il_lua_copy(f->L, f->arena, text);
}

/* The number of an option whose kind is IL_LUA_COUNT, IL_OPTION_POSITIVE or any finite one. */
static double read_number(const il_fields *f, const il_option *o) {
    double x = lua_type(f->L, -1) == LUA_TNUMBER ? lua_tonumber(f->L, -1) : NAN;
    char least[64];
    (void)snprintf(least, sizeof least, "an integer >= %zu", o->least);
    if (o->kind == IL_LUA_COUNT ? !(x >= (double)o->least && x <= 0x1p53 && x == floor(x))
                                : !isfinite(x) || (o->kind == IL_OPTION_POSITIVE && x <= 0.0)) {
        il_fields_refuse(f, o->key, -1,
                         o->kind == IL_LUA_COUNT         ? least
                         : o->kind == IL_OPTION_POSITIVE ? "a number > 0"
                                                         : "a finite number");
    }
    return x;
}

/* Push item k of the array at the top of the stack, or the value there where it is none, and put
 * its name into name. False, for the caller to refuse, if it is not of the type. */
static bool push_item(const il_fields *f, const char *what, size_t k, int type, char name[200]) {
    bool array = lua_istable(f->L, -1);
    (void)snprintf(name, 200, array ? "%.160s[%zu]" : "%.160s", what, k + 1);
    if (array) {
        (void)lua_rawgeti(f->L, -1, (lua_Integer)k + 1);
    } else {
        lua_pushvalue(f->L, -1);
    }
    return lua_type(f->L, -1) == type;
}

double *il_fields_numbers_at_top(const il_fields *f, const char *what, bool finite, size_t *n) {
    lua_State *L = f->L;
    char name[200];
    if (lua_type(L, -1) != LUA_TTABLE && lua_type(L, -1) != LUA_TNUMBER) {
        il_fields_refuse(f, what, -1, "a number or an array of numbers");
    }
    *n = lua_istable(L, -1) ? il_fields_length(f, what) : 1;
    double *x = il_lua_take(L, f->arena, *n, sizeof *x, NULL);
    for (size_t k = 0; k < *n; k++) {
        if (!push_item(f, what, k, LUA_TNUMBER, name)) {
            il_fields_refuse(f, name, -1, "a number");
        }
        x[k] = lua_tonumber(L, -1);
        if (finite && !isfinite(x[k])) {
            il_fields_refuse(f, name, -1, "a finite number");
        }
        lua_pop(L, 1);
    }
    return x;
}

static double *read_numbers(const il_fields *f, const char *key, int kind, size_t *n) {
    double *x = il_fields_numbers_at_top(f, key, kind != IL_LUA_NUMBERS, n);
    for (size_t k = 0; kind == IL_LUA_TIMES && k < *n; k++) {
        if (!(x[k] > (k == 0 ? 0.0 : x[k - 1]))) {
            lua_pushnumber(f->L, x[k]);
            il_fields_refuse(f, il_lua_print(f->L, f->arena, "%s[%zu]", key, k + 1), -1,
                             "times > 0 that increase strictly");
        }
    }
    return x;
}

static const char **read_texts(const il_fields *f, const char *key, size_t *n) {
    lua_State *L = f->L;
    char name[200];
    if (!lua_istable(L, -1) && lua_type(L, -1) != LUA_TSTRING) {
        il_fields_refuse(f, key, -1, "a string or an array of strings");
    }
    *n = lua_istable(L, -1) ? il_fields_length(f, key) : 1;
    const char **texts = il_lua_take(L, f->arena, *n, sizeof *texts, NULL);
    for (size_t k = 0; k < *n; k++) {
        if (!push_item(f, key, k, LUA_TSTRING, name)) {
            il_fields_refuse(f, name, -1, "a string");
        }
        texts[k] = il_lua_copy(L, f->arena, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    return texts;
}

/* The text that the value stands for: texts and numbers as they are, an array of texts, for what
 * `set` reads, with commas between them. */
static const char *text_of(const il_fields *f, const il_option *o, const char *allowed) {
    lua_State *L = f->L;
    if (lua_type(L, -1) == LUA_TNUMBER) {
        return il_lua_print(L, f->arena, "%.17g", lua_tonumber(L, -1));
    }
    if (lua_type(L, -1) == LUA_TSTRING) {
        return il_lua_copy(L, f->arena, lua_tostring(L, -1));
    }
    if (!lua_istable(L, -1) || o->kind != IL_OPTION_SET) {
        il_fields_refuse(f, o->key, -1, allowed);
    }
    size_t n = 0;
    const char **texts = read_texts(f, o->key, &n);
    const char *all = n > 0 ? texts[0] : "";
    for (size_t k = 1; k < n; k++) {
        all = il_lua_print(L, f->arena, "%s,%s", all, texts[k]);
    }
    return all;
}

/* As the command line does. */
static void set(const il_fields *f, const il_option *o, void *into, const char *allowed) {
    il_error err = {IL_OK, ""};
    bool own = o->kind == IL_OPTION_SET;
    const char *text = text_of(f, o, allowed);
    il_status status = own ? o->set(into, text, &err) : il_option_set(o, into, text, &err);
    if (status != IL_OK && (!own || err.message[0] == '\0')) {
        il_fields_refuse(f, o->key, -1, allowed);
    }
    il_lua_expect(f->L, f->call, status, &err);
}

/* The file NAME in a folder of the results. */
static const char *read_file(const il_fields *f, const il_option *o) {
    lua_State *L = f->L;
    const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    if (!il_text_is_file_name(name) || lua_rawlen(L, -1) != strlen(name)) {
        char allowed[128];
        (void)snprintf(allowed, sizeof allowed,
                       "a file name without folders, of letters, digits and ._-: %s", o->value);
        il_fields_refuse(f, o->key, -1, allowed);
    }
    const char *path = il_lua_print(L, f->arena, "%s/%s", il_lua_push_folder(L, o->folder), name);
    lua_pop(L, 1);
    return path;
}

static void read_value(const il_fields *f, const il_option *o, char *into) {
    void *at = into + o->at;
    size_t n = 0;
    size_t *count = o->beside > 0 ? (size_t *)(void *)(into + o->beside) : &n;
    switch (o->kind) {
    case IL_OPTION_FLAG:
        if (!lua_isboolean(f->L, -1)) {
            il_fields_refuse(f, o->key, -1, "true or false");
        }
        *(bool *)at = lua_toboolean(f->L, -1);
        break;
    case IL_OPTION_TEXT:
        *(const char **)at = read_text(f, o->key);
        break;
    case IL_OPTION_FILE: /* true stands for no file, but for a value */
        *(const char **)at = lua_isboolean(f->L, -1) ? *(const char **)at : read_file(f, o);
        break;
    case IL_OPTION_POSITIVE:
        if (o->beside > 0 && lua_type(f->L, -1) == LUA_TSTRING) { /* exact arithmetic wants it */
            set(f, o, into, "a number > 0, or the text of one such as \"1/3\"");
        } else {
            *(double *)at = read_number(f, o);
        }
        break;
    case IL_LUA_NUMBER:
        *(double *)at = read_number(f, o);
        break;
    case IL_LUA_COUNT:
        *(size_t *)at = (size_t)read_number(f, o);
        break;
    case IL_OPTION_NUMBERS:
    case IL_LUA_NUMBERS:
    case IL_LUA_TIMES:
        *(const double **)at = read_numbers(f, o->key, o->kind, count);
        break;
    case IL_LUA_TEXTS:
        *(const char ***)at = read_texts(f, o->key, count);
        break;
    case IL_OPTION_OTHER:
        break;
    default:
        set(f, o, into, il_option_allowed(o).text);
    }
}

void il_lua_read(const il_fields *f, const il_option *option, void *into) {
    if (il_fields_push(f, option->key)) {
        read_value(f, option, into);
    }
    lua_pop(f->L, 1);
}

const char *il_fields_text(const il_fields *f, const char *key, const char *fallback) {
    il_lua_read(f, &(il_option){key, .kind = IL_OPTION_TEXT}, &fallback);
    return fallback;
}

bool il_fields_flag(const il_fields *f, const char *key, bool fallback) {
    il_lua_read(f, &(il_option){key, .kind = IL_OPTION_FLAG}, &fallback);
    return fallback;
}

double il_fields_number(const il_fields *f, const char *key, double fallback) {
    il_lua_read(f, &(il_option){key, .kind = IL_LUA_NUMBER}, &fallback);
    return fallback;
}

size_t il_fields_count(const il_fields *f, const char *key, size_t least, size_t fallback) {
    il_lua_read(f, &(il_option){key, .kind = IL_LUA_COUNT, .least = least}, &fallback);
    return fallback;
}

int il_fields_choice(const il_fields *f, const char *key, const char *choices, int fallback) {
    il_lua_read(f, &(il_option){key, .kind = IL_OPTION_CHOICE, .value = choices}, &fallback);
    return fallback;
}

double *il_fields_numbers(const il_fields *f, const char *key, int kind, size_t *n) {
    *n = 0;
    double *x = il_fields_push(f, key) ? read_numbers(f, key, kind, n) : NULL;
    lua_pop(f->L, 1);
    return x;
}
