/*
 * args.c - arenas, and tables with known keys.
 */
#include "harness/lua/base/args.h"

#include <jansson.h>
#include <lauxlib.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory_limit.h"
#include "harness/base/params.h"
#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/lua/base/context.h"
#include "harness/run/case.h"

bool il_lua_new_type(lua_State *L, const char *name, const luaL_Reg *meta) {
    bool made = luaL_newmetatable(L, name);
    if (made) {
        luaL_setfuncs(L, meta, 0);
        lua_pushliteral(L, "impactlab"); /* what getmetatable shows */
        lua_setfield(L, -2, "__metatable");
    }
    return made;
}

/* ---- arenas --------------------------------------------------------------------------------- */

static const char ARENA[] = "impactlab.arena";

typedef struct block {
    struct block *next;
    size_t count, size; /* of what close closes */
    void (*close)(void *);
    max_align_t room[];
} block;

struct il_lua_arena {
    block *blocks; /* the youngest first: closed in the reverse order of taking */
    bool closed;
};

static int arena_close(lua_State *L) {
    il_lua_arena *arena = luaL_checkudata(L, 1, ARENA);
    while (arena->blocks != NULL) {
        block *b = arena->blocks;
        arena->blocks = b->next;
        for (size_t k = 0; b->close != NULL && k < b->count; k++) {
            b->close((char *)b->room + k * b->size);
        }
        free(b);
    }
    arena->closed = true;
    return 0;
}

il_lua_arena *il_lua_arena_new(lua_State *L) {
    il_lua_expect_open(L);
    il_lua_arena *arena = lua_newuserdatauv(L, sizeof *arena, 0);
    *arena = (il_lua_arena){NULL, false};
    if (luaL_newmetatable(L, ARENA)) {
        lua_pushcfunction(L, arena_close);
        lua_setfield(L, -2, "__gc");
        lua_pushcfunction(L, arena_close);
        lua_setfield(L, -2, "__close");
    }
    lua_setmetatable(L, -2);
    return arena;
}

il_lua_arena *il_lua_arena_open(lua_State *L) {
    il_lua_arena *arena = il_lua_arena_new(L);
    lua_toclose(L, -1);
    return arena;
}

bool il_lua_arena_alive(const il_lua_arena *arena) {
    return !arena->closed;
}

void *il_lua_take(lua_State *L, il_lua_arena *arena, size_t count, size_t size,
                  void (*close)(void *)) {
    size_t bytes = count < SIZE_MAX / 2 / size ? sizeof(block) + count * size : SIZE_MAX;
    block *b = NULL;
    il_error err = {IL_OK, ""};
    il_lua_expect(L, NULL, il_memory_ask(&b, bytes, 1, "bytes", &err), &err);
    memset(b, 0, bytes);
    b->next = arena->blocks;
    b->count = count;
    b->size = size;
    b->close = close;
    arena->blocks = b;
    return b->room;
}

char *il_lua_copy(lua_State *L, il_lua_arena *arena, const char *text) {
    size_t n = strlen(text) + 1;
    return memcpy(il_lua_take(L, arena, n, 1, NULL), text, n);
}

char *il_lua_print(lua_State *L, il_lua_arena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t room = n < 0 ? 1 : (size_t)n + 1;
    char *text = il_lua_take(L, arena, room, 1, NULL);
    va_start(args, format);
    (void)vsnprintf(text, room, format, args);
    va_end(args);
    return text;
}

void il_lua_close_params(void *room) {
    il_params_destroy(*(il_params **)room);
}

void il_lua_close_problem(void *room) {
    il_problem_destroy(*(il_problem **)room);
}

void il_lua_close_json(void *room) {
    json_decref(*(json_t **)room);
}

void il_lua_close_text(void *room) {
    free(*(char **)room);
}

/* ---- errors --------------------------------------------------------------------------------- */

void il_lua_describe(lua_State *L, int index, char *out, size_t capacity) {
    switch (lua_type(L, index)) {
    case LUA_TSTRING:
        (void)snprintf(out, capacity, "'%.60s'", lua_tostring(L, index));
        break;
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) {
            (void)snprintf(out, capacity, "%lld", (long long)lua_tointeger(L, index));
        } else if (isnan(lua_tonumber(L, index))) {
            (void)snprintf(out, capacity, "nan"); /* its sign means nothing */
        } else {
            (void)snprintf(out, capacity, "%.14g", lua_tonumber(L, index));
        }
        break;
    case LUA_TBOOLEAN:
        (void)snprintf(out, capacity, "%s", lua_toboolean(L, index) ? "true" : "false");
        break;
    case LUA_TNIL:
    case LUA_TNONE:
        (void)snprintf(out, capacity, "nil");
        break;
    default:
        (void)snprintf(out, capacity, "a %s", luaL_typename(L, index));
    }
}

const char *il_lua_plural(size_t n) {
    return n == 1 ? "" : "s";
}

void il_lua_raise(lua_State *L, const char *call, const il_error *err) {
    il_lua_context *context = il_lua_context_of(L);
    il_error *raised = &context->raised;
    raised->code = err->code;
    raised->message[0] = '\0';
    if (call != NULL) {
        il_text_append(raised->message, sizeof raised->message, "%s: ", call);
    }
    il_text_append(raised->message, sizeof raised->message, "%s", err->message);
    il_lua_where(L);
    lua_pushstring(L, raised->message);
    lua_concat(L, 2);
    (void)lua_error(L);
    abort(); /* lua_error does not return, but does not say so */
}

void il_lua_fail(lua_State *L, const char *call, il_status code, const char *format, ...) {
    il_error err = {code, ""};
    va_list args;
    va_start(args, format);
    (void)vsnprintf(err.message, sizeof err.message, format, args);
    va_end(args);
    il_text_make_printable(err.message, false);
    il_lua_raise(L, call, &err);
}

void il_lua_expect(lua_State *L, const char *call, il_status status, const il_error *err) {
    il_error plain = {status, ""};
    (void)snprintf(plain.message, sizeof plain.message, "%s", il_status_text(status));
    if (status != IL_OK) { /* one who only returns a code says no more than it means */
        il_lua_raise(L, call, err->code == status ? err : &plain);
    }
}

static _Noreturn void complain(const il_fields *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static _Noreturn void complain(const il_fields *f, const char *format, ...) {
    il_error err = {IL_EINVAL, ""};
    va_list args;
    va_start(args, format);
    (void)vsnprintf(err.message, sizeof err.message, format, args);
    va_end(args);
    il_lua_raise(f->L, f->call, &err);
}

void il_fields_refuse(const il_fields *f, const char *what, int index, const char *allowed) {
    char given[96];
    il_lua_describe(f->L, index, given, sizeof given);
    complain(f, "%s%s is %s; allowed: %s", f->path, what, given, allowed);
}

void il_fields_refuse_key(const il_fields *f, const char *key, const char *allowed) {
    (void)il_fields_push(f, key);
    il_fields_refuse(f, key, -1, allowed);
}

void il_fields_miss(const il_fields *f, const char *key, const char *allowed) {
    bool there = il_fields_push(f, key);
    lua_pop(f->L, 1);
    complain(f, "%s%s is %s; it takes %s", f->path, key, there ? "empty" : "missing", allowed);
}

const char *il_lua_push_folder(lua_State *L, const char *folder) {
    il_error err = {IL_OK, ""};
    const char *results = il_lua_context_of(L)->options->results;
    if (results == NULL && il_lua_context_of(L)->options->checks != NULL) {
        return lua_pushfstring(L, "(not written)/%s", folder);
    }
    if (results == NULL) {
        (void)luaL_error(L, "nothing is written here: there is no results folder");
    }
    const char *path = lua_pushfstring(L, "%s/%s", results, folder);
    il_lua_expect(L, NULL, il_folder_make_inside(results, folder, &err), &err);
    return path;
}

/* ---- tables --------------------------------------------------------------------------------- */

il_fields il_fields_open(lua_State *L, il_lua_arena *arena, int index, const char *call,
                         const char *path) {
    il_fields f = {.L = L, .arena = arena, .table = lua_absindex(L, index), .call = call};
    luaL_checkstack(L, 16, "too deeply nested tables");
    if (lua_type(L, index) != LUA_TTABLE) {
        il_fields_refuse(&f, path[0] != '\0' ? path : "the argument", index,
                         "a table, as in {key = value}");
    }
    (void)snprintf(f.path, sizeof f.path, "%s%s", path, path[0] != '\0' ? "." : "");
    return f;
}

/* key is the first by name of the unknown keys, since a table has no order; NULL: given. */
static _Noreturn void unknown_key(const il_fields *f, const char *const *known, const char *key,
                                  const char *given) {
    char list[512] = "";
    size_t n = 0;
    for (; known[n] != NULL; n++) {
        il_text_append(list, sizeof list, "%s%s", n == 0 ? "" : ", ", known[n]);
    }
    if (key == NULL) {
        complain(f, "unknown key '%s[%s]'; known: %s", f->path, given, list);
    }
    const char *near = il_text_nearest(key, known, n);
    if (near != NULL) {
        complain(f, "unknown key '%s%.80s'; did you mean '%s'? Known: %s", f->path, key, near,
                 list);
    }
    complain(f, "unknown key '%s%.80s'; known: %s", f->path, key, list);
}

void il_fields_known(const il_fields *f, const char *const *known) {
    lua_State *L = f->L;
    const char *first = NULL; /* the table keeps it */
    char other[96] = "";
    lua_pushnil(L);
    for (; lua_next(L, f->table) != 0; lua_pop(L, 1)) {
        bool found = false;
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
        for (size_t k = 0; !found && known[k] != NULL && key != NULL; k++) {
            found = strcmp(key, known[k]) == 0;
        }
        if (!found && key == NULL) {
            char given[96];
            il_lua_describe(L, -2, given, sizeof given);
            if (other[0] == '\0' || strcmp(given, other) < 0) {
                (void)snprintf(other, sizeof other, "%s", given);
            }
        } else if (!found && (first == NULL || strcmp(key, first) < 0)) {
            first = key;
        }
    }
    if (first != NULL || other[0] != '\0') {
        unknown_key(f, known, other[0] != '\0' ? NULL : first, other);
    }
}

il_fields il_fields_begin(lua_State *L, int n, const char *call, const char *const *known) {
    lua_settop(L, n);
    il_fields f = il_fields_open(L, il_lua_arena_open(L), n, call, "");
    if (known != NULL) {
        il_fields_known(&f, known);
    }
    return f;
}

bool il_fields_push(const il_fields *f, const char *key) {
    lua_pushstring(f->L, key);
    return lua_rawget(f->L, f->table) != LUA_TNIL;
}

size_t il_fields_length(const il_fields *f, const char *what) {
    lua_State *L = f->L;
    size_t n = (size_t)lua_rawlen(L, -1);
    if (lua_getmetatable(L, -1) != 0) { /* of ours, with names beside */
        lua_pop(L, 1);
        return n;
    }
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
        if (!lua_isinteger(L, -2) || (lua_Unsigned)lua_tointeger(L, -2) - 1 >= n) {
            char key[96];
            il_lua_describe(L, -2, key, sizeof key);
            complain(f,
                     "%s%s has an entry at %s beside its first %zu; allowed: an array without "
                     "gaps and names",
                     f->path, what, key, n);
        }
        lua_pop(L, 1);
    }
    return n;
}
