/*
 * identity.c - functions, and what they depend on, as one text and its sum.
 */
#include "harness/lua/base/identity.h"

#include <lauxlib.h>
#include <lualib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/io/sealed.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/identity_names.h"

enum { DEPTH_MAX = 32 };

/* A text that grows; every error of Lua leaves it to the arena. */
typedef struct {
    lua_State *L;
    il_lua_identity *identity;
    char *text;
    size_t n, room;
    int seen; /* stack index of a table: value to its number */
    lua_Integer met;
    int depth;
    bool sorts;     /* functions at the top of a table are left out: what is declared beside them */
    char path[160]; /* of the value at hand, in words */
    bool trusted;
} writer;

static void put(writer *w, const char *text, size_t n) {
    if (w->n + n > w->room) {
        size_t room = 2 * (w->n + n) + 256;
        if (!il_memory_grow(&w->text, room, 1)) {
            const il_error none = {IL_ENOMEM, "no memory for what functions depend on"};
            il_lua_raise(w->L, NULL, &none);
        }
        w->room = room;
    }
    memcpy(w->text + w->n, text, n);
    w->n += n;
}

static void put_text(writer *w, const char *text) {
    put(w, text, strlen(text));
}

/* The value at hand cannot be trusted; the first reason stays. */
static void distrust(writer *w, const char *is) {
    if (w->trusted) {
        (void)snprintf(w->identity->now.why, sizeof w->identity->now.why, "%.100s: %.120s %.90s",
                       w->identity->what, w->path, is);
    }
    w->trusted = false;
}

static void serialise(writer *w, int index);

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct {
    bool number;
    double x;
    const char *text;
    size_t n;
    int place; /* of the key in the array on the stack */
} key;

static int by_value(const void *a, const void *b) {
    const key *x = a;
    const key *y = b;
    if (x->number != y->number) {
        return x->number ? -1 : 1;
    }
    if (x->number) {
        return (x->x > y->x) - (x->x < y->x);
    }
    size_t n = x->n < y->n ? x->n : y->n;
    int order = memcmp(x->text, y->text, n);
    return order != 0 ? order : (x->n > y->n) - (x->n < y->n);
}

/* The keys of the table at index, sorted, in a userdata that is pushed; texts stay the table's. */
static key *push_keys(writer *w, int index, size_t *n) {
    lua_State *L = w->L;
    *n = 0;
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        ++*n;
    }
    key *keys = lua_newuserdatauv(L, (*n + 1) * sizeof *keys, 0);
    size_t k = 0;
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        int type = lua_type(L, -2);
        if (type != LUA_TNUMBER && type != LUA_TSTRING) {
            distrust(w, "has a key that is neither a number nor a text");
            continue;
        }
        keys[k] = (key){.number = type == LUA_TNUMBER};
        if (keys[k].number) {
            keys[k].x = lua_tonumber(L, -2);
        } else {
            keys[k].text = lua_tolstring(L, -2, &keys[k].n);
        }
        k++;
    }
    *n = k;
    qsort(keys, *n, sizeof *keys, by_value);
    return keys;
}

static void push_key(lua_State *L, const key *k) {
    if (!k->number) {
        lua_pushlstring(L, k->text, k->n);
    } else if (fabs(k->x) < 0x1p53 && k->x == (double)(lua_Integer)k->x) {
        lua_pushinteger(L, (lua_Integer)k->x);
    } else {
        lua_pushnumber(L, k->x);
    }
}

static void put_table(writer *w, int index, bool top) {
    lua_State *L = w->L;
    size_t n = 0;
    if (lua_getmetatable(L, index) != 0) {
        distrust(w, "is a table with a metatable");
        lua_pop(L, 1);
    }
    const key *keys = push_keys(w, index, &n);
    char outer[sizeof w->path];
    memcpy(outer, w->path, sizeof outer);
    put_text(w, "{");
    for (size_t k = 0; k < n && w->trusted; k++) {
        push_key(L, &keys[k]);
        lua_pushvalue(L, -1);
        (void)lua_rawget(L, index);
        bool left_out = top && w->sorts &&
                        (lua_isfunction(L, -1) || (!keys[k].number && keys[k].n == 7 &&
                                                   memcmp(keys[k].text, "version", 7) == 0));
        if (!left_out) {
            if (keys[k].number) {
                il_text_append(w->path, sizeof w->path, "[%.10g]", keys[k].x);
            } else {
                il_text_append(w->path, sizeof w->path, ".%.40s", keys[k].text);
            }
            serialise(w, lua_gettop(L) - 1);
            serialise(w, lua_gettop(L));
            memcpy(w->path, outer, sizeof outer);
        }
        lua_pop(L, 2);
    }
    put_text(w, "}");
    lua_pop(L, 1);
}

/* ---- libraries ------------------------------------------------------------------------------- */

static void put_library(writer *w, const char *name) {
    static const char *const fickle[] = {"math.random", "os",     "io",      "debug",   "package",
                                         "load",        "dofile", "require", "collect", "_G"};
    put_text(w, "L");
    put_text(w, name);
    put_text(w, ";");
    for (size_t k = 0; k < sizeof fickle / sizeof fickle[0]; k++) {
        if (strncmp(name, fickle[k], strlen(fickle[k])) == 0) {
            distrust(w, "need not give the same every time");
        }
    }
}

/* ---- functions ------------------------------------------------------------------------------- */

/* The value at the top of the stack, which the source calls by the name; it is popped. */
static void put_named(writer *w, const char *kind, const char *name, size_t n) {
    put_text(w, kind);
    put(w, name, n);
    put_text(w, "=");
    serialise(w, lua_gettop(w->L));
    lua_pop(w->L, 1);
}

/* A global that the source names, at the top of the stack; it is popped. */
static void put_global(writer *w, const char *word, size_t n, const char *outer) {
    (void)snprintf(w->path, sizeof w->path, "the global '%.*s' that %.60s names",
                   (int)(n < 60 ? n : 60), word, outer);
    put_named(w, "G", word, n);
}

/* A function of math, or a method of texts, by its field alone: m.random, ("x"):mine(). */
static void put_field(writer *w, const char *word, size_t n, const char *outer) {
    static const char *const libraries[] = {LUA_MATHLIBNAME, LUA_STRLIBNAME};
    lua_State *L = w->L;
    for (size_t k = 0; k < 2; k++) {
        (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
        (void)lua_getfield(L, -1, libraries[k]);
        if (lua_istable(L, -1)) {
            lua_pushlstring(L, word, n);
            if (lua_rawget(L, -2) == LUA_TFUNCTION) {
                (void)snprintf(w->path, sizeof w->path, "%s.%.*s in %.60s", libraries[k],
                               (int)(n < 60 ? n : 60), word, outer);
                lua_pushvalue(L, -1);
                put_named(w, "M", word, n);
            }
            lua_pop(L, 1);
        }
        lua_pop(L, 2);
    }
}

/* What the words of the source stand for, each once. */
static void put_words(writer *w, const char *source, size_t size, bool sees_globals) {
    lua_State *L = w->L;
    const char *at = source;
    const char *word = NULL;
    size_t n = 0;
    bool field = false;
    char outer[sizeof w->path];
    memcpy(outer, w->path, sizeof outer);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    int globals = lua_gettop(L);
    if (sees_globals && lua_getmetatable(L, globals) != 0) {
        distrust(w, "sees globals with a metatable");
        lua_pop(L, 1);
    }
    lua_newtable(L); /* words that were met, other than as fields */
    while (w->trusted && (word = il_lua_next_word(&at, source + size, &n, &field)) != NULL) {
        put_field(w, word, n, outer);
        lua_pushlstring(L, word, n);
        lua_pushvalue(L, -1);
        if (sees_globals && !field && lua_rawget(L, globals + 1) == LUA_TNIL) {
            lua_pushvalue(L, -2);
            lua_pushboolean(L, 1);
            lua_rawset(L, globals + 1);
            lua_pushvalue(L, -2);
            if (lua_rawget(L, globals) != LUA_TNIL) {
                put_global(w, word, n, outer);
            }
        }
        lua_settop(L, globals + 1);
        memcpy(w->path, outer, sizeof outer);
    }
    lua_settop(L, globals - 1);
}

static int put_bytes(lua_State *L, const void *bytes, size_t n, void *data) {
    (void)L;
    put(data, bytes, n);
    return 0;
}

/* The lines do not tell which function it is where two are on one, nor the value of a <const>,
 * which is no upvalue: there its bytecode stands beside them. */
static void put_source(writer *w, int index, const char *script, const char *source, size_t n) {
    int functions = 0;
    const char *line_end = memchr(source, '\n', n);
    const char *at = source;
    while ((at = strstr(at, "function")) != NULL && (line_end == NULL || at < line_end)) {
        functions++;
        at++;
    }
    put_text(w, "F");
    put(w, source, n);
    if (functions > 1 || strstr(script, "<const>") != NULL) {
        lua_pushvalue(w->L, index);
        (void)lua_dump(w->L, put_bytes, w, 1);
        lua_pop(w->L, 1);
    }
}

static void put_function(writer *w, int index) {
    lua_State *L = w->L;
    const il_lua_context *context = il_lua_context_of(L);
    const char *script = context->options->script;
    lua_Debug where;
    size_t n = 0;
    lua_pushvalue(L, index);
    (void)lua_getinfo(L, ">S", &where);
    if (context->text == NULL || where.source[0] != '@' || script == NULL ||
        strcmp(where.source + 1, script) != 0) {
        distrust(w, "is not a function of the script's own file");
        return;
    }
    const char *source = il_lua_lines(context->text, where.linedefined, where.lastlinedefined, &n);
    if (source == NULL) {
        distrust(w, "is not in the script's file");
        return;
    }
    put_source(w, index, context->text, source, n);
    char outer[sizeof w->path];
    memcpy(outer, w->path, sizeof outer);
    const char *name = NULL;
    bool sees_globals = false;
    for (int k = 1; w->trusted && (name = lua_getupvalue(L, index, k)) != NULL; k++) {
        if (strcmp(name, "_ENV") == 0) {
            sees_globals = true;
            lua_pop(L, 1);
        } else {
            (void)snprintf(w->path, sizeof w->path, "upvalue '%.40s' of %.60s", name, outer);
            put_named(w, "U", name, strlen(name));
        }
        memcpy(w->path, outer, sizeof outer);
    }
    put_words(w, source, n, sees_globals);
    put_text(w, ";");
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Has the table or function at index been written already? Then its number stands for it. */
static bool is_met(writer *w, int index) {
    lua_State *L = w->L;
    char text[40];
    lua_pushvalue(L, index);
    bool met = lua_rawget(L, w->seen) == LUA_TNUMBER;
    if (met) {
        (void)snprintf(text, sizeof text, "@%lld;", (long long)lua_tointeger(L, -1));
        put_text(w, text);
    } else {
        lua_pushvalue(L, index);
        lua_pushinteger(L, ++w->met);
        lua_rawset(L, w->seen);
    }
    lua_pop(L, 1);
    return met;
}

static void put_object(writer *w, int index) {
    lua_State *L = w->L;
    const char *library = il_lua_push_library(L, index);
    if (library != NULL) {
        put_library(w, library);
        lua_pop(L, 1);
    } else if (lua_iscfunction(L, index)) {
        distrust(w, "is a C function that is none of Lua's libraries");
    } else if (w->depth == DEPTH_MAX || lua_checkstack(L, 40) == 0) {
        distrust(w, "is nested too deeply");
    } else if (!is_met(w, index)) {
        w->depth++;
        if (lua_istable(L, index)) {
            put_table(w, index, w->depth == 1);
        } else {
            put_function(w, index);
        }
        w->depth--;
    }
}

static void serialise(writer *w, int index) {
    lua_State *L = w->L;
    char text[64];
    size_t n = 0;
    const char *bytes = NULL;
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        put_text(w, "n;");
        break;
    case LUA_TBOOLEAN:
        put_text(w, lua_toboolean(L, index) ? "t;" : "f;");
        break;
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) {
            (void)snprintf(text, sizeof text, "i%lld;", (long long)lua_tointeger(L, index));
        } else {
            (void)snprintf(text, sizeof text, "d%a;", lua_tonumber(L, index));
        }
        put_text(w, text);
        break;
    case LUA_TSTRING:
        bytes = lua_tolstring(L, index, &n);
        (void)snprintf(text, sizeof text, "s%zu:", n);
        put_text(w, text);
        put(w, bytes, n);
        break;
    case LUA_TTABLE:
    case LUA_TFUNCTION:
        put_object(w, index);
        break;
    default:
        (void)snprintf(text, sizeof text, "is a %s", luaL_typename(L, index));
        distrust(w, text);
    }
}

/* ---- identities ------------------------------------------------------------------------------ */

static void close_text(void *room) {
    free(((writer *)room)->text);
}

/* A writer of the arena, with its table of what was met on the stack. */
static writer *new_writer(lua_State *L, il_lua_arena *arena, il_lua_identity *identity) {
    writer *w = il_lua_take(L, arena, 1, sizeof *w, close_text);
    lua_newtable(L);
    w->L = L;
    w->identity = identity;
    w->seen = lua_gettop(L);
    w->trusted = true;
    return w;
}

/* Under pcall. */
static int compute(lua_State *L) {
    il_lua_identity *identity = lua_touserdata(L, 1);
    writer *w = new_writer(L, il_lua_arena_open(L), identity);
    put(w, identity->data, identity->ndata);
    if (identity->version != NULL) {
        put_text(w, "version ");
        put_text(w, identity->version);
    }
    for (size_t k = 0; identity->version == NULL && k < identity->n && w->trusted; k++) {
        (void)snprintf(w->path, sizeof w->path, "%s", identity->names[k]);
        put_text(w, identity->names[k]);
        put_text(w, "=");
        lua_rawgeti(L, LUA_REGISTRYINDEX, identity->refs[k]);
        serialise(w, lua_gettop(L));
        lua_pop(L, 1);
    }
    if (w->trusted) {
        il_sealed_sum(w->text != NULL ? w->text : "", w->n, identity->now.sum);
    }
    return 0;
}

static void compute_safely(lua_State *L, il_lua_identity *identity) {
    int top = lua_gettop(L);
    identity->now.sum[0] = identity->now.why[0] = '\0';
    if (identity->data == NULL || lua_checkstack(L, 8) == 0) {
        memcpy(identity->now.why, identity->refused, sizeof identity->refused);
        return;
    }
    lua_pushcfunction(L, compute);
    lua_pushlightuserdata(L, identity);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
        identity->now.sum[0] = '\0';
        (void)snprintf(identity->now.why, sizeof identity->now.why, "%.100s: %.180s",
                       identity->what, lua_tostring(L, -1));
    }
    lua_settop(L, top);
}

void il_lua_identity_begin(il_lua_identity *identity, const il_fields *f, const char *what) {
    lua_State *L = f->L;
    int top = lua_gettop(L);
    *identity = (il_lua_identity){.what = what, .version = il_fields_word(f, "version", NULL)};
    if (identity->version != NULL && identity->version[0] == '\0') {
        (void)il_fields_push(f, "version");
        il_fields_refuse(f, "version", -1, "a text that is another whenever the functions are");
    }
    writer *w = new_writer(L, f->arena, identity);
    w->sorts = true;
    (void)snprintf(w->path, sizeof w->path, "declared");
    serialise(w, f->table);
    if (w->trusted) {
        char *data = il_lua_take(L, f->arena, w->n, 1, NULL);
        memcpy(data, w->text, w->n);
        identity->data = data;
        identity->ndata = w->n;
    } else {
        memcpy(identity->refused, identity->now.why, sizeof identity->refused);
    }
    lua_settop(L, top);
}

void il_lua_identity_add(il_lua_identity *identity, const char *name, int ref) {
    if (identity->n < IL_LUA_IDENTITY_MAX && ref != LUA_NOREF) {
        identity->names[identity->n] = name;
        identity->refs[identity->n++] = ref;
    }
}

void il_lua_identity_declare(lua_State *L, il_lua_identity *identity) {
    compute_safely(L, identity);
    memcpy(identity->declared, identity->now.sum, sizeof identity->declared);
}

void il_lua_identify(lua_State *L, il_lua_identity *identity) {
    compute_safely(L, identity);
    if (identity->now.sum[0] != '\0' && strcmp(identity->now.sum, identity->declared) != 0) {
        identity->now.sum[0] = '\0';
        (void)snprintf(identity->now.why, sizeof identity->now.why,
                       "%.100s: what its functions depend on has changed since it was declared",
                       identity->what);
    }
    if (identity->now.why[0] != '\0') {
        il_text_append(identity->now.why, sizeof identity->now.why, "; %s",
                       identity->data != NULL ? "version = \"...\" says when it is another"
                                              : "a plain table of numbers and texts would do");
    }
}
