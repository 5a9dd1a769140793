/*
 * run.c - lab.run: one run, its record as a table.
 *
 *     lab.run{problem =, scheme =, steps =, h =, horizon =, projector =, tol =, max_iterations =,
 *             rho =, accept_stalled =, seed =, samples = {...}, record = "full" | "final",
 *             series = true, loads = true, paraview = "NAME.pvd", every =,
 *             trajectory = true | "NAME.h5" | "NAME.csv", exact_arithmetic = true}
 *
 * The table has the fields of `impactlab run --json`; null is nil. A run that fails on its way is
 * data (rec.status says how, and a line on the messages), input that is refused is an error.
 * trajectory = true puts a handle into rec.trajectory, a name writes RESULTS/trajectories/NAME and
 * puts its path there.
 */
#include <lauxlib.h>
#include <stdlib.h>

#include "harness/base/json.h"
#include "harness/io/formats/trajectory_file.h"
#include "harness/io/formats/vtk.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/scripted/case.h"
#include "harness/lua/sweep/result.h"
#include "harness/run/references.h"

static const char CALL[] = "lab.run";

/* An interrupted run is not data: the script ends, as `impactlab run` does. */
static void expect_uninterrupted(lua_State *L, const char *call, const json_t *record) {
    if (il_record_has_status(record, IL_EINTERRUPTED)) {
        il_lua_fail(L, call, IL_EINTERRUPTED, "%s", il_json_get_text(record, "message"));
    }
}

static void close_outcome(void *room) {
    il_outcome_free(room);
}

/* A stored reference of the run that is damaged, and made again, is told. */
static void tell_reference(lua_State *L, const char *call, const il_case *c) {
    char *key = NULL;
    il_error err = {IL_OK, ""};
    il_error note = {IL_OK, ""};
    il_event_driven *there = NULL;
    if (!c->event_driven || !il_reference_keeps(c)) {
        return;
    }
    il_lua_expect(L, call, il_reference_key(c, &key, &err), &err);
    if (il_reference_find_events(c->references, key, &there, &note) == IL_OK &&
        note.code != IL_OK) {
        il_lua_say(il_lua_context_of(L), "%s: %s", call, note.message);
    }
    il_event_driven_destroy(there);
    free(key);
}

const il_outcome *il_lua_run_case(lua_State *L, const char *call, il_lua_arena *arena,
                                  const il_case *c, il_trajectory *trajectory) {
    il_error err = {IL_OK, ""};
    il_lua_context *context = il_lua_context_of(L);
    il_outcome *outcome = il_lua_take(L, arena, 1, sizeof *outcome, close_outcome);
    lua_State *outer = context->L;
    il_progress progress;
    il_case watched = *c;
    char title[120];
    (void)snprintf(title, sizeof title, "%s: %.60s by %.30s", call, c->problem->label,
                   c->scheme->name);
    il_progress_begin(&progress, il_lua_waiting(context), title);
    watched.progress = &progress;
    watched.references = context->references;
    tell_reference(L, call, &watched);
    context->L = L;
    il_status status = il_case_conduct(&watched, trajectory, outcome, &err);
    il_progress_clear(&progress);
    context->L = outer;
    il_lua_expect(L, call, status, &err);
    expect_uninterrupted(L, call, outcome->json);
    il_lua_notice_run(L, call, c, outcome->json);
    return outcome;
}

/* Each file of a run, told and put into the table at the top. */
static void set_files(const il_fields *f, const il_case *c) {
    for (size_t k = 0; il_option_at(k) != NULL; k++) {
        const il_option *o = il_option_at(k);
        if (o->kind != IL_OPTION_FILE) {
            continue;
        }
        const char *path = *(const char *const *)(const void *)((const char *)c + o->at);
        if (path != NULL) {
            il_lua_tell(il_lua_context_of(f->L), "wrote %s", path);
            lua_pushstring(f->L, path);
            lua_setfield(f->L, -2, o->key);
        }
    }
}

/* trajectory = true, for a value instead of a file. */
static bool wants_trajectory(const il_fields *f) {
    bool wants =
        il_fields_push(f, "trajectory") && lua_isboolean(f->L, -1) && lua_toboolean(f->L, -1);
    lua_pop(f->L, 1);
    return wants;
}

static int run(lua_State *L) {
    il_fields f = il_fields_begin(L, 1, CALL, NULL);
    lua_newtable(L); /* keeps the problem alive, whatever its callbacks do to the argument */
    int keeper = lua_gettop(L);
    il_case_known(&f, IL_WHERE_CASE | IL_WHERE_RUN, NULL);
    il_choice problem = {0};
    il_case c = il_case_read_run(&f, IL_WHERE_RUN, &problem, keeper);
    bool keep = wants_trajectory(&f);
    il_trajectory *trajectory = il_lua_push_trajectory(L);
    il_case made = c;
    if (il_lua_context_of(L)->options->checks != NULL) {
        made.files = (il_files){.every = c.files.every};
    }
    il_lua_push_json(L, il_lua_run_case(L, CALL, f.arena, &made, keep ? trajectory : NULL)->json);
    set_files(&f, &c);
    if (keep) {
        lua_pushvalue(L, -2);
        lua_setfield(L, -2, "trajectory");
    }
    return 1;
}

const luaL_Reg il_lua_module_run[] = {{"run", run}, {NULL, NULL}};
