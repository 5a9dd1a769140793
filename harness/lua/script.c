/*
 * script.c - the Lua state of a script: its libraries, the module, errors with traceback.
 */
#include "harness/lua/script.h"

#include <errno.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build_id.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/io/sealed.h"
#include "harness/lua/base/args.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/guard.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/scripted/check.h"
#include "harness/lua/sweep/kept.h"
#include "library.inc"

enum { LIBRARY_FILES = sizeof library_files / sizeof library_files[0] };

/* ---- the module ----------------------------------------------------------------------------- */

/* host.check(holds, message): the check of a script (sensitivity.lua), counted and told or noted.
 */
static int check(lua_State *L) {
    il_lua_context *context = il_lua_context_of(L);
    const char *message = luaL_checkstring(L, 2);
    context->outcome.checks++;
    if (lua_toboolean(L, 1)) {
        il_lua_say(context, "check holds: %s", message);
        return 0;
    }
    il_lua_note(L, "check", message);
    il_lua_where(L);
    const char *text = lua_pushfstring(L, "%s%s", lua_tostring(L, -1), message);
    size_t n = context->outcome.checks_failed;
    il_memory_append(&context->complaints, n, sizeof *context->complaints);
    context->complaints[n] = il_alloc_text(text);
    context->outcome.checks_failed = n + 1;
    return 0;
}

/* __index of the module: what it has not, with the nearest of what it has. */
static int unknown_function(lua_State *L) {
    enum { MOST = 64 };
    const char *names[MOST];
    size_t n = 0;
    char given[96];
    il_lua_describe(L, 2, given, sizeof given);
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    for (lua_pushnil(L); n < MOST && lua_next(L, 1) != 0; lua_pop(L, 1)) {
        names[n++] = lua_tostring(L, -2); /* the module keeps it */
    }
    const char *near = il_text_nearest(key, names, n);
    il_lua_fail(L, NULL, IL_EINVAL,
                "the module has no %s%s%s%s `impactlab help lua` lists what it has", given,
                near != NULL ? "; did you mean '" : ";", near != NULL ? near : "",
                near != NULL ? "'?" : "");
}

static void push_file(lua_State *L, size_t k) {
    const char *text = (const char *)library_files[k].text;
    if (luaL_loadbufferx(L, text, library_files[k].size, "=library", "t") != LUA_OK) {
        (void)lua_error(L);
    }
}

void il_lua_push_part(lua_State *L, const char *name) {
    for (size_t k = 0; k < LIBRARY_FILES; k++) {
        if (strcmp(library_files[k].name, name) == 0) {
            push_file(L, k);
        }
    }
}

/* Whether the file is called where it is needed: by verify.c, present.c, results.c,
 * figure.lua. */
static bool is_later(const char *name) {
    static const char *const names[] = {"verify", "present", "plot", "plot_script", "results"};
    size_t k = 0;
    while (k < sizeof names / sizeof names[0] && strcmp(name, names[k]) != 0) {
        k++;
    }
    return k < sizeof names / sizeof names[0];
}

/* host.part(name, globals): a file of the library as a function, which sees these globals. */
static int part(lua_State *L) {
    il_lua_push_part(L, luaL_checkstring(L, 1));
    lua_pushvalue(L, 2);
    (void)lua_setupvalue(L, -2, 1);
    return 1;
}

/* Add harness/lua/library, in Lua, to the module at the top: each file is called with it and
 * with a table of functions in C that scripts do not see. */
static void add_library(lua_State *L) {
    static const luaL_Reg *const tables[] = {
        il_lua_host_fields,  il_lua_host_vectors, il_lua_host_problem, il_lua_host_scheme,
        il_lua_host_set,     il_lua_host_sweep,   il_lua_host_norms,   il_lua_host_ensemble,
        il_lua_host_numbers, il_lua_host_order,   il_lua_host_search,  il_lua_host_limits,
        il_lua_host_drawing};
    lua_newtable(L);
    for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++) {
        luaL_setfuncs(L, tables[k], 0);
    }
    lua_pushcfunction(L, check);
    lua_setfield(L, -2, "check");
    lua_pushcfunction(L, part);
    lua_setfield(L, -2, "part");
    lua_newtable(L);
    luaL_setfuncs(L, il_lua_sweep_methods, 0);
    lua_setfield(L, -2, "sweep_methods");
    lua_newtable(L);
    luaL_setfuncs(L, il_lua_result_methods, 0);
    lua_setfield(L, -2, "result_methods");
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, IL_LUA_HOST);
    for (size_t k = 0; k < LIBRARY_FILES; k++) {
        if (!is_later(library_files[k].name)) {
            push_file(L, k);
            lua_pushvalue(L, -3);
            lua_pushvalue(L, -3);
            lua_call(L, 2, 0);
        }
    }
    lua_pop(L, 1);
}

/* In C first, then in Lua. */
static void push_module(lua_State *L) {
    lua_newtable(L);
    luaL_setfuncs(L, il_lua_module_run, 0);
    luaL_setfuncs(L, il_lua_module_orbits, 0);
    add_library(L);
    il_lua_set(L, IL_SET("version", IL_VERSION), IL_SET("build", IL_BUILD_ID));
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, unknown_function);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
}

/* require: the module is its upvalue, and there is no other. */
static int require(lua_State *L) {
    const char *name = luaL_checkstring(L, 1);
    if (strcmp(name, "impactlab") != 0) {
        return luaL_error(L,
                          "module '%s' is not available: a script has the module 'impactlab' "
                          "and no other, neither files nor processes (--trust allows them)",
                          name);
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    return 1;
}

/* ---- the state ------------------------------------------------------------------------------ */

static void open_libraries(lua_State *L) {
    const il_lua_options *options = il_lua_context_of(L)->options;
    il_lua_guard_open(L, options->trusted ? options->script : NULL);
    lua_getglobal(L, LUA_MATHLIBNAME);
    lua_getfield(L, -1, "randomseed");
    lua_pushinteger(L, 1);
    lua_call(L, 1, 0); /* Lua 5.4 seeds from the clock otherwise */
    lua_pop(L, 1);
    push_module(L);
    if (options->checks != NULL) {
        il_lua_check_install(L);
    }
    if (options->trusted) {
        luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
        lua_insert(L, -2);
        lua_setfield(L, -2, "impactlab");
        lua_pop(L, 1);
    } else {
        lua_pushcclosure(L, require, 1);
        lua_setglobal(L, "require");
    }
}

static void set_arguments(lua_State *L, const il_lua_options *options) {
    lua_newtable(L);
    lua_pushstring(L, options->script);
    lua_rawseti(L, -2, 0);
    for (size_t k = 0; k < options->nargs; k++) {
        lua_pushstring(L, options->args[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setglobal(L, "arg");
}

typedef struct {
    lua_CFunction body;
    void *data;
} protected_call;

/* Called with everything else inside pcall, so that no error, not even of memory, panics. */
static int run_protected(lua_State *L) {
    const protected_call *call = lua_touserdata(L, 1);
    open_libraries(L);
    lua_pushcfunction(L, call->body);
    lua_pushlightuserdata(L, call->data);
    lua_call(L, 1, 0);
    return 0;
}

/* The script's text, for identities and provenance. A pipe is refused: reading it may block, and it
 * cannot be read twice. */
static il_status read_text(il_lua_context *context, il_error *err) {
    const char *path = context->options->script;
    struct stat info;
    size_t n = 0;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
        return il_fail(err, IL_EIO, "cannot read the script '%s': it is not a file", path);
    }
    if (il_text_ends_with(path, ".py")) {
        return il_fail(err, IL_EINVAL, "the script '%s' is Python; allowed: a script in Lua", path);
    }
    FILE *file = fopen(path, "rb");
    bool some = file != NULL && getdelim(&context->text, &n, '\0', file) >= 0;
    bool empty = file != NULL && !some && feof(file);
    int reason = errno;
    if (file != NULL) {
        (void)fclose(file);
    }
    if (some) {
        il_sealed_sum(context->text, strlen(context->text), context->sum);
        return IL_OK;
    }
    free(context->text);
    context->text = NULL;
    return empty ? IL_OK
                 : il_fail(err, il_status_of_errno(reason), "cannot read the script '%s': %s", path,
                           strerror(reason));
}

static int run_file(lua_State *L) {
    const il_lua_options *options = il_lua_context_of(L)->options;
    set_arguments(L, options);
    errno = 0;
    if (luaL_loadfilex(L, options->script, "t") != LUA_OK) {
        il_error none = {IL_ENOMEM, "no memory to read the script"};
        il_lua_expect(L, NULL, errno == ENOMEM ? IL_ENOMEM : IL_OK, &none);
        const char *message = lua_tostring(L, -1);
        if (message != NULL && strchr(message, ':') == NULL) { /* of bytecode, of depth: no place */
            lua_pushfstring(L, "%s: %s", options->script, message);
        }
        return lua_error(L);
    }
    luaL_checkstack(L, (int)options->nargs, "too many arguments");
    for (size_t k = 0; k < options->nargs; k++) { /* as lua itself does: also in `...` */
        lua_pushstring(L, options->args[k]);
    }
    lua_call(L, (int)options->nargs, 0);
    return 0;
}

/* A hint where a script that is not trusted misses something: Lua says only that it is nil. */
static const char *missed(const il_lua_context *context, const char *message) {
    static const char *const globals[] = {"io", "package", "debug", "load", "loadfile", "dofile"};
    static const char *const fields[] = {"date",   "difftime", "execute",   "exit", "getenv",
                                         "remove", "rename",   "setlocale", "time", "tmpname"};
    char words[40];
    for (size_t k = 0; !context->options->trusted && k < sizeof globals / sizeof globals[0]; k++) {
        (void)snprintf(words, sizeof words, "a nil value (global '%s')", globals[k]);
        if (strstr(message, words) != NULL) {
            return "; --trust grants it";
        }
    }
    for (size_t k = 0; !context->options->trusted && k < sizeof fields / sizeof fields[0]; k++) {
        (void)snprintf(words, sizeof words, "a nil value (field '%s')", fields[k]);
        if (strstr(message, words) != NULL) {
            return "; of os only clock is there without --trust";
        }
    }
    return "";
}

/* A traceback without frames of C and of the library, which a script's author knows nothing of. */
static void keep_script_frames(char *text) {
    char *to = text;
    bool ours = false;
    for (const char *line = text; *line != '\0';) {
        size_t n = strcspn(line, "\n");
        n += line[n] == '\n';
        ours = strncmp(line, "\t[C]:", 5) == 0 || strncmp(line, "\tlibrary:", 9) == 0 ||
               (ours && strncmp(line, "\t(...tail", 9) == 0);
        if (!ours) {
            memmove(to, line, n);
            to += n;
        }
        line += n;
    }
    to -= to > text && to[-1] == '\n';
    *to = '\0';
}

/* The message with a traceback below it. The error keeps its own message in front, and the context
 * remembers whether it is the one that C raised: coroutine.wrap may have put a place before it. */
static int on_error(lua_State *L) {
    il_lua_context *context = il_lua_context_of(L);
    if (lua_type(L, 1) != LUA_TSTRING) {
        if (luaL_callmeta(L, 1, "__tostring") == 0 || lua_type(L, -1) != LUA_TSTRING) {
            lua_pushfstring(L, "the error is a %s, not a message", luaL_typename(L, 1));
        }
        lua_replace(L, 1);
        lua_settop(L, 1);
    }
    const char *message = lua_tostring(L, 1);
    const il_error *raised = &context->raised;
    size_t n = strlen(message);
    size_t m = strlen(raised->message);
    if (raised->code == IL_OK || m == 0 || n < m || strcmp(message + n - m, raised->message) != 0) {
        context->raised.code = IL_ESCRIPT;
    }
    (void)snprintf(context->raised.message, sizeof context->raised.message, "%s%s", message,
                   missed(context, message));
    bool expected = context->options->checks != NULL && context->options->checks->placeholders;
    if (context->raised.code != IL_EINTERRUPTED && !expected) {
        luaL_traceback(L, L, NULL, 1);
        free(context->traceback);
        context->traceback = il_alloc_text(lua_tostring(L, -1));
        keep_script_frames(context->traceback);
        if (strchr(context->traceback, '\n') != NULL) { /* there is a script */
            il_lua_say(context, "%s", context->traceback);
        }
    }
    lua_settop(L, 1); /* a loader that failed in here raises the message again */
    return 1;
}

/* ---- running -------------------------------------------------------------------------------- */

il_status il_lua_call(il_lua_context *context, lua_CFunction body, void *data, il_error *err) {
    protected_call call = {body, data};
    lua_State *L = luaL_newstate();
    if (L == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for Lua");
    }
    memcpy(lua_getextraspace(L), &context, sizeof(void *));
    context->L = L;
    lua_pushcfunction(L, on_error);
    lua_pushcfunction(L, run_protected);
    lua_pushlightuserdata(L, &call);
    il_status status = IL_OK;
    il_lua_guard_watch(L);
    int code = lua_pcall(L, 1, 0, 1);
    switch (code) {
    case LUA_OK:
        break;
    case LUA_ERRMEM:
        status = il_fail(err, IL_ENOMEM, "the script ran out of memory");
        break;
    case LUA_ERRRUN:
        status = il_fail(err, context->raised.code, "%s", context->raised.message);
        break;
    default:
        status = il_fail(err, IL_ESCRIPT, "an error while the script's error was handled");
    }
    if (il_interrupted() && (status != IL_EINTERRUPTED || err == NULL)) {
        status = il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
    }
    il_lua_guard_watch(NULL);
    context->L = L;
    context->closing = true;
    lua_close(L);
    return status;
}

/* A script's parts leave no outcome of their own: the run without shards, which draws, does. */
static il_status open_folders(il_lua_context *context, il_error *err) {
    const il_lua_options *options = context->options;
    if (options->results == NULL) { /* nothing is left behind */
        return IL_OK;
    }
    il_roster_head head = {.script = options->script,
                           .text = context->text,
                           .sum = context->sum[0] != '\0' ? context->sum : NULL,
                           .build = IL_BUILD_ID,
                           .args = options->args,
                           .nargs = options->nargs,
                           .shard = options->shard,
                           .shards = options->shards,
                           .workers = options->workers};
    il_status status = il_store_open(&context->store, options->results, err);
    context->references = il_alloc_format("%s/references", options->results);
    if (status == IL_OK) {
        status = il_roster_open(&context->roster, options->results, &head, err);
        il_store_watch(context->store, context->roster);
    }
    if (status == IL_OK) {
        status = il_leases_open(&context->leases, options->results, err);
    }
    if (status == IL_OK && options->shards == 0) {
        status = il_journal_open(&context->journal, options->results, options->script,
                                 options->args, options->nargs, IL_BUILD_ID, err);
    }
    return status;
}

static const char *ending_of(const il_lua_outcome *o, il_status status) {
    if (status != IL_OK) {
        return status == IL_EINTERRUPTED ? "interrupted" : "error";
    }
    if (o->failed + o->runs_failed + o->orders_failed + o->checks_failed > 0) {
        return "failed";
    }
    return o->missing > 0 ? "missing" : "ok";
}

/* The last entry of the journal. An error's message begins with its place, "FILE:LINE: ". */
static il_status close_journal(il_lua_context *context, il_status status, il_error *err) {
    il_journal *journal = context->journal;
    const il_lua_outcome *o = &context->outcome;
    const char *ending = ending_of(o, status);
    const char *reason = status != IL_OK ? err->message : "";
    if (strcmp(ending, "error") == 0) {
        size_t n = strlen(context->options->script);
        bool ours = strncmp(reason, context->options->script, n) == 0 && reason[n] == ':';
        size_t digits = ours ? strspn(reason + n + 1, "0123456789") : 0;
        char *place = digits > 0 ? il_alloc_letters(reason, n + 1 + digits) : NULL;
        const char *text = place != NULL ? reason + strlen(place) : reason;
        il_journal_note(journal, "error", place, text + strspn(text, ": "));
        free(place);
    }
    il_journal_count(journal, "cases", o->failed, o->cases);
    il_journal_count(journal, "runs", o->runs_failed, o->runs);
    il_journal_count(journal, "orders", o->orders_failed, o->orders);
    il_journal_count(journal, "checks", o->checks_failed, o->checks);
    if (context->options->judged != NULL) {
        *context->options->judged = json_incref(il_journal_judged(journal));
    }
    il_error unwritten = {IL_OK, ""};
    il_status closed = il_journal_close(journal, ending, reason, context->traceback, &unwritten);
    if (status == IL_OK && closed != IL_OK) {
        return il_fail(err, closed, "%s", unwritten.message);
    }
    return status;
}

/* The last notes in the roster; an error of its own is one only if there is no other. */
static il_status close_roster(il_lua_context *context, il_status status, il_error *err) {
    il_error unwritten = {IL_OK, ""};
    bool whole = status == IL_OK && context->outcome.missing == 0;
    il_store_watch(context->store, NULL);
    il_status closed = il_roster_close(context->roster, whole, &unwritten);
    context->roster = NULL;
    if (status == IL_OK && closed != IL_OK) {
        return il_fail(err, closed, "%s", unwritten.message);
    }
    return status;
}

il_status il_lua_run_body(const il_lua_options *options, lua_CFunction body, void *data,
                          il_lua_outcome *outcome, il_error *err) {
    il_lua_context context = {.options = options, .pid = (int)getpid()};
    const char *slash = strrchr(options->script, '/');
    (void)snprintf(context.name, sizeof context.name, "%s",
                   slash != NULL ? slash + 1 : options->script);
    il_status status = body == run_file ? read_text(&context, err) : IL_OK;
    if (status == IL_OK) {
        status = open_folders(&context, err);
    }
    if (status == IL_OK) {
        status = il_lua_call(&context, body, data, err);
    }
    status = close_roster(&context, status, err);
    status = close_journal(&context, status, err);
    for (size_t k = 0; k < context.outcome.checks_failed; k++) {
        il_lua_say(&context, "check failed: %s", context.complaints[k]);
        free(context.complaints[k]);
    }
    free(context.complaints);
    free(context.text);
    free(context.traceback);
    free(context.references);
    il_leases_close(context.leases);
    il_store_close(context.store);
    if (outcome != NULL) {
        *outcome = context.outcome;
    }
    return status;
}

il_status il_lua_run_script(const il_lua_options *options, il_lua_outcome *outcome, il_error *err) {
    return il_lua_run_body(options, run_file, NULL, outcome, err);
}
