/*
 * figure.c - host.draw(call, figure, result, folder): the files of a figure that
 * harness/lua/library/plot.lua has written, into the folder, or else into RESULTS/figures, with
 * what is said of it; returns the path of the PNG.
 */
#include <lauxlib.h>

#include "harness/lua/base/context.h"
#include "harness/lua/draw/draw.h"

int il_lua_draw_figure(lua_State *L) {
    il_error err = {IL_OK, ""};
    il_section section;
    lua_settop(L, 4);
    il_fields f = il_fields_open(L, il_lua_arena_open(L), 2, luaL_checkstring(L, 1), "");
    const il_lua_context *context = il_lua_context_of(L);
    const char *folder = lua_tostring(L, 4);
    il_figure fig = {.name = il_fields_text(&f, "name", NULL),
                     .shows = il_fields_text(&f, "shows", NULL),
                     .tex = il_fields_flag(&f, "tex", false),
                     .dropped = il_fields_count(&f, "dropped", 0, 0),
                     .not_finite = il_fields_count(&f, "not_finite", 0, 0),
                     .order = il_lua_place(&f)};
    if (folder == NULL) { /* of a script */
        fig.section = il_lua_section(L, &section);
        fig.origin = il_lua_origin(L, f.arena, 3);
        folder = il_lua_push_folder(L, "figures");
        il_lua_tell_other(L, folder, fig.name, ".json");
    }
    (void)il_fields_push(&f, "caption");
    fig.caption = lua_tostring(L, -1); /* the figure keeps these */
    (void)il_fields_push(&f, "script");
    fig.script = lua_tostring(L, -1);
    (void)il_fields_push(&f, "data");
    fig.data = lua_tolstring(L, -1, &fig.size);
    il_lua_expect(L, f.call, il_figure_draw(&fig, folder, &err), &err);
    const char *note = il_fields_text(&f, "note", NULL);
    if (note != NULL) {
        il_lua_say(context, "%s/%s.png: %s", folder, fig.name, note);
    }
    lua_pushfstring(L, "%s/%s.png", folder, fig.name);
    il_lua_tell(context, "wrote %s", lua_tostring(L, -1));
    return 1;
}
