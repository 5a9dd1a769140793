/*
 * folder.c - the folders of results are made when they are needed.
 */
#include "harness/lua/base/folder.h"

#include <lauxlib.h>

#include "harness/io/file.h"
#include "harness/lua/base/args.h"
#include "harness/lua/base/context.h"

const char *il_lua_push_folder(lua_State *L, const char *folder) {
    il_error err = {IL_OK, ""};
    const char *results = il_lua_context_of(L)->options->results;
    if (results == NULL && il_lua_context_of(L)->options->gathers) {
        return lua_pushfstring(L, "(not written)/%s", folder);
    }
    if (results == NULL) {
        (void)luaL_error(L, "nothing is written here: there is no results folder");
    }
    const char *path = lua_pushfstring(L, "%s/%s", results, folder);
    il_lua_expect(L, NULL, il_folder_make_inside(results, folder, &err), &err);
    return path;
}
