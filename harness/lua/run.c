/*
 * run.c - lab.run: one run, its record as a table; lab.movie: one run, its pictures.
 *
 *     lab.run{problem =, scheme =, steps =, h =, horizon =, projector =, tol =, max_iterations =,
 *             rho =, accept_stalled =, seed =, samples = {...}, record = "full" | "final",
 *             series = true, loads = true, paraview = "NAME.pvd", every =,
 *             trajectory = true | "NAME.h5" | "NAME.csv", exact_arithmetic = true}
 *     lab.movie{name =, color = "speed" | "load", every =, and what lab.run takes} -> folder
 *
 * The table has the fields of `impactlab run --json`; null is nil. A run that fails on its way is
 * data (rec.status says how, and a line on the messages), input that is refused is an error.
 * trajectory = true puts a handle into rec.trajectory, a name writes RESULTS/trajectories/NAME and
 * puts its path there.
 */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/draw/movie.h"
#include "harness/io/trajectory_file.h"
#include "harness/io/vtk.h"
#include "harness/lua/case.h"
#include "harness/lua/context.h"
#include "harness/lua/folder.h"
#include "harness/lua/module.h"
#include "harness/lua/notice.h"
#include "harness/lua/record.h"

static const char CALL[] = "lab.run";

static const char *trajectory_path(const il_fields *f, bool *keep) {
    lua_State *L = f->L;
    const char *path = NULL;
    *keep = false;
    if (il_fields_push(f, "trajectory")) {
        const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
        if (lua_isboolean(L, -1)) {
            *keep = lua_toboolean(L, -1);
        } else if (name != NULL && name[0] != '\0' && strchr(name, '/') == NULL) {
            il_error err = {IL_OK, ""};
            path = il_lua_print(L, f->arena, "%s/%s", il_lua_push_folder(L, "trajectories"), name);
            lua_pop(L, 1);
            il_lua_expect(L, f->call, il_trajectory_check_path(path, &err), &err);
        } else {
            il_fields_refuse(f, "trajectory", -1,
                             "true, or a file name without folders that ends in .h5 or .csv");
        }
    }
    lua_pop(L, 1);
    return path;
}

static void write_trajectory(const il_fields *f, const il_trajectory *trajectory, const char *path,
                             const json_t *record) {
    il_error err = {IL_OK, ""};
    char **text = il_lua_take(f->L, f->arena, 1, sizeof *text, il_lua_close_text);
    *text = il_json_text(record);
    il_status status = *text != NULL ? il_trajectory_write(trajectory, path, *text, &err)
                                     : il_fail(&err, IL_ENOMEM, "no memory for a record");
    il_lua_expect(f->L, f->call, status, &err);
}

/* An interrupted run is not data: the script ends, as `impactlab run` does. */
static void expect_uninterrupted(lua_State *L, const char *call, const json_t *record) {
    const char *status = json_string_value(json_object_get(record, "status"));
    if (status != NULL && strcmp(status, il_status_name(IL_EINTERRUPTED)) == 0) {
        il_error err = {IL_OK, ""};
        const char *message = json_string_value(json_object_get(record, "message"));
        (void)il_fail(&err, IL_EINTERRUPTED, "%s", message != NULL ? message : "interrupted");
        il_lua_raise(L, call, &err);
    }
}

void il_lua_run_case(lua_State *L, const char *call, const il_case *c, il_trajectory *trajectory,
                     json_t **record) {
    il_error err = {IL_OK, ""};
    il_lua_context *context = il_lua_context_of(L);
    lua_State *outer = context->L;
    context->L = L;
    il_status status = il_case_run(c, trajectory, record, &err);
    context->L = outer;
    il_lua_expect(L, call, status, &err);
    expect_uninterrupted(L, call, *record);
    il_lua_notice_run(L, call, c, *record);
}

static void close_film(void *room) {
    il_film_free(room);
}

/* A film that the case c fills, every `every`-th node. */
static il_film *add_film(const il_fields *f, il_case *c) {
    il_film *film = il_lua_take(f->L, f->arena, 1, sizeof *film, close_film);
    il_observer *observer = il_lua_take(f->L, f->arena, 1, sizeof *observer, NULL);
    film->every = il_fields_count(f, "every", 1, 1);
    *observer = il_film_observer(film);
    c->observers = observer;
    c->nobservers = 1;
    return film;
}

/* The path of the .pvd file that is asked for, or NULL. */
static const char *paraview_path(const il_fields *f) {
    lua_State *L = f->L;
    const char *name = il_fields_text(f, "paraview", NULL);
    const char *path = NULL;
    if (name != NULL) {
        il_error err = {IL_OK, ""};
        if (!il_text_is_file_name(name)) {
            (void)il_fields_push(f, "paraview");
            il_fields_refuse(f, "paraview", -1, "a file name without folders that ends in .pvd");
        }
        path = il_lua_print(L, f->arena, "%s/%s", il_lua_push_folder(L, "paraview"), name);
        lua_pop(L, 1);
        il_lua_expect(L, f->call, il_vtk_check_path(path, &err), &err);
    }
    return path;
}

static void write_paraview(const il_fields *f, const il_film *film, const char *path) {
    il_error err = {IL_OK, ""};
    il_lua_expect(f->L, f->call, il_vtk_write(film, path, &err), &err);
    il_lua_say(il_lua_context_of(f->L), "wrote %s", path);
    lua_pushstring(f->L, path);
    lua_setfield(f->L, -2, "paraview");
}

static int run(lua_State *L) {
    static const char *const known[] = {IL_CASE_RUN_KEYS, "trajectory", "exact_arithmetic",
                                        "series",         "loads",      "every",
                                        "paraview",       NULL};
    lua_settop(L, 1);
    il_lua_arena *arena = il_lua_arena_open(L);
    lua_newtable(L); /* keeps the problem alive, whatever its callbacks do to the argument */
    int keeper = lua_gettop(L);
    il_fields f = il_fields_open(L, arena, 1, CALL, "");
    il_fields_known(&f, 0, known);
    il_choice problem = {0};
    il_case c = il_case_read_run(&f, &problem, keeper);
    c.exact = il_fields_flag(&f, "exact_arithmetic", false);
    c.series = il_fields_flag(&f, "series", false);
    c.loads = il_fields_flag(&f, "loads", false);
    bool keep = false;
    const char *path = trajectory_path(&f, &keep);
    const char *pvd = paraview_path(&f);
    const il_film *film = pvd != NULL ? add_film(&f, &c) : NULL;

    json_t **record = il_lua_take(L, arena, 1, sizeof *record, il_lua_close_json);
    il_trajectory *trajectory = il_lua_push_trajectory(L);
    il_lua_run_case(L, CALL, &c, keep || path != NULL || c.exact ? trajectory : NULL, record);
    il_lua_push_json(L, *record);
    if (pvd != NULL) {
        write_paraview(&f, film, pvd);
    }
    if (path != NULL) {
        write_trajectory(&f, trajectory, path, *record);
        lua_pushstring(L, path);
        lua_setfield(L, -2, "trajectory");
    } else if (keep) {
        lua_pushvalue(L, -2);
        lua_setfield(L, -2, "trajectory");
    }
    return 1;
}

/* lab.movie: the folder of the frames. */
static int movie(lua_State *L) {
    static const char *const known[] = {IL_CASE_RUN_KEYS, "name", "every", "color", NULL};
    static const char *const colors[] = {"speed", "load", NULL};
    il_error err = {IL_OK, ""};
    lua_settop(L, 1);
    il_lua_arena *arena = il_lua_arena_open(L);
    lua_newtable(L);
    int keeper = lua_gettop(L);
    il_fields f = il_fields_open(L, arena, 1, "lab.movie", "");
    il_fields_known(&f, 0, known);
    const char *name = il_fields_text(&f, "name", NULL);
    if (!il_text_is_file_name(name)) {
        il_fields_miss(&f, "name", "the folder's name: letters, digits and ._-");
    }
    il_movie_color color = (il_movie_color)il_fields_choice(&f, "color", colors, IL_COLOR_SPEED);
    il_choice problem = {0};
    il_case c = il_case_read_run(&f, &problem, keeper);
    il_film *film = add_film(&f, &c);
    const char *dir = lua_pushfstring(L, "%s/%s", il_lua_push_folder(L, "movies"), name);
    il_lua_expect(L, f.call, il_movie_check(dir, &err), &err);
    json_t **record = il_lua_take(L, arena, 1, sizeof *record, il_lua_close_json);
    il_lua_run_case(L, f.call, &c, NULL, record);
    il_lua_expect(L, f.call, il_movie_write(film, color, dir, &err), &err);
    il_lua_say(il_lua_context_of(L), "wrote %s: %d frames", dir, (int)film->n);
    return 1;
}

void il_lua_add_run(lua_State *L) {
    static const luaL_Reg functions[] = {{"run", run}, {"movie", movie}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
