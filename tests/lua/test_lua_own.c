/*
 * test_lua_own.c - schemes, references and norms that scripts bring.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/lua_stage.h"
#include "tests/support/suite.h"

static void schemes_are_their_twins(void) {
    il_stage s;
    il_stage_new(&s);
    s.options.workers = 2;
    s.options.script = "tests/lua/own_schemes.lua";
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
    CU_ASSERT(s.outcome.checks >= 80);
    CU_ASSERT_EQUAL(s.outcome.checks_failed, 0);
    CU_ASSERT_EQUAL(s.outcome.runs_failed, 13); /* the fakes */
    il_stage_free(&s);
}

static void callbacks_are_read(void) {
    il_stage s;
    il_stage_new(&s);
    s.options.script = "tests/lua/own_callbacks.lua";
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
    CU_ASSERT(s.outcome.checks >= 31);
    CU_ASSERT_EQUAL(s.outcome.checks_failed, 0);
    CU_ASSERT_EQUAL(s.outcome.runs_failed, 11); /* the broken */
    il_stage_free(&s);
}

static void references_and_norms_measure(void) {
    il_stage s;
    il_stage_new(&s);
    s.options.workers = 2;
    s.options.script = "tests/lua/own_measured.lua";
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
    CU_ASSERT(s.outcome.checks >= 44);
    CU_ASSERT_EQUAL(s.outcome.checks_failed, 0);
    CU_ASSERT_EQUAL(s.outcome.failed, 0);
    CU_ASSERT_EQUAL(s.outcome.cases, 95); /* a norm counts none twice */
    char *drawn = il_stage_read(s.results, "figures/across-parameter.gp");
    CU_ASSERT_PTR_NOT_NULL(strstr(drawn, "xlabel1 = 'N'"));
    free(drawn);
    il_stage_free(&s);
}

/* ---- what is refused ------------------------------------------------------------------------- */

typedef struct {
    const char *code;
    il_status status;
    const char *message;
} refusal;

static const char PRELUDE[] =
    "local lab = require 'impactlab'\n"
    "local function project(s) return s:project_linearised{velocity = s:free_velocity()} end\n"
    "local function step(s) local u = project(s) return s.q + s.h * u, u end\n"
    "local function by(f, p)\n"
    "  local r = lab.run{problem = p or 'cradle', scheme = lab.scheme{name = 'own', step = f},\n"
    "                    steps = 8}\n"
    "  error(r.status .. ': ' .. r.message, 0)\n"
    "end\n"
    "local function compare(r, p)\n"
    "  return lab.run{problem = p or 'bouncing_ball', scheme = 'maury', steps = 8, reference = r}\n"
    "end\n"
    "local function sweep() return lab.sweep{problem = 'bouncing_ball', scheme = 'maury',\n"
    "                                        steps = {8, 16}}:run() end\n"
    "lab.run{problem = 'bouncing_ball', scheme = 'maury', steps = 8, trajectory = 'ball.csv'}\n"
    "lab.run{problem = 'bouncing_ball', scheme = 'maury', steps = 8, trajectory = 'ball.h5'}\n";

static void check_refusals(const refusal *list, size_t n) {
    for (size_t k = 0; k < n; k++) {
        char script[4096];
        il_stage s;
        il_stage_new(&s);
        char link[128];
        (void)snprintf(link, sizeof link, "%s/link.csv", s.folder);
        CU_ASSERT_EQUAL(symlink("/etc/passwd", link), 0);
        (void)snprintf(script, sizeof script, "%s%s\n", PRELUDE, list[k].code);
        il_stage_write(s.script, script);
        il_status status = il_stage_run(&s);
        CU_ASSERT_EQUAL(status, list[k].status);
        bool said = strstr(s.err.message, list[k].message) != NULL;
        if (status != list[k].status || !said) {
            (void)fprintf(stderr, "%s\n  says: %s\n", list[k].code, s.err.message);
        }
        CU_ASSERT(said);
        il_stage_free(&s);
    }
}

static void declarations_are_validated(void) {
    static const refusal list[] = {
        {"lab.scheme{step = step}", IL_EINVAL, "lab.scheme: name is missing"},
        {"lab.scheme{name = 'maury', step = step}", IL_EINVAL, "no built-in scheme has"},
        {"for k = 1, 2 do lab.scheme{name = 'own', step = step} end", IL_EINVAL,
         "no scheme of this script has"},
        {"lab.run{problem = 'crowd', steps = 8, scheme = lab.scheme{name = 'own', order = 2,\n"
         "        step = step}}",
         IL_EUNSUPPORTED, "order"},
        {"lab.run{problem = {'bouncing_ball', e = 0.5}, steps = 8,\n"
         "        scheme = lab.scheme{name = 'own', step = step}}",
         IL_EUNSUPPORTED, "restitution"},
    };
    check_refusals(list, sizeof list / sizeof list[0]);
}

static void steps_are_validated(void) {
    static const refusal list[] = {
        {"by(function(s) return s.q end)", IL_ESCRIPT, "step gave u as nil"},
        {"by(function(s) project(s) return s.q / 0, s.u end)", IL_ESCRIPT,
         "not_finite: scheme 'own': the step to t ="},
        {"by(function(s) s:project_linearised{velocity = s.u, displacement = s.u} end)", IL_ESCRIPT,
         "a velocity and a displacement"},
        {"by(function(s) s:project_tangent{displacement = s.u} end)", IL_EINVAL,
         "unknown key 'displacement'"},
        {"local kept; local w = lab.scheme{name = 'own', step = function(s) kept = s\n"
         "  return step(s) end}\n"
         "lab.run{problem = 'cradle', scheme = w, steps = 8}\n"
         "kept:free_velocity()",
         IL_ESCRIPT, "free_velocity is called outside a step"},
        {"by(function(s) pcall(s.project_linearised, s, {velocity = s.u / 0}) return step(s) end)",
         IL_ESCRIPT, "not_finite"},
    };
    check_refusals(list, sizeof list / sizeof list[0]);
}

static void references_are_validated(void) {
    static const refusal list[] = {
        {"compare{file = 'link.csv'}", IL_EIO, "a link, which is not followed"},
        {"compare{file = '../ball.csv'}", IL_EINVAL, "--trust allows others"},
        {"compare({file = 'ball.csv'}, 'cradle')", IL_EINVAL,
         "has 1 coordinate, and problem 'cradle' has 5"},
        {"compare({file = 'ball.h5'}, {'bouncing_ball', T = 3})", IL_EINVAL,
         "ends at t = 2, and the run at 3"},
        {"compare{of = function() return 1 end}", IL_ESCRIPT, "it gave u as nil"},
        {"compare{of = function() return 0, 0 end, breaks = {1, 1}}", IL_EINVAL,
         "breaks[2] is 1; allowed: times > 0 that increase strictly"},
    };
    check_refusals(list, sizeof list / sizeof list[0]);
}

static void norms_and_figures_are_validated(void) {
    static const refusal list[] = {
        {"sweep():order{norm = 'u_l1'}", IL_EINVAL, "norm is 'u_l1'; allowed: u_L1"},
        {"sweep():order{norm = {name = 'own', of = function() return 'a' end}}", IL_ESCRIPT,
         "norm 'own': it returned 'a'; allowed: a number"},
        {"sweep():order{norm = {name = 'own', of = function(r) return r:at(9) end}}", IL_ESCRIPT,
         "t is 9.0; allowed: 0 to 2.0"},
        {"local r = sweep() for k = 1, 2 do\n"
         "  r:order{norm = {name = 'own', of = function() return k end}} end",
         IL_EINVAL, "a norm of another function has it"},
        {"local kept sweep():order{norm = {name = 'own', of = function(a, b) kept = b return 1 "
         "end}}\n"
         "if kept then kept:at(0) end error('forked')",
         IL_ESCRIPT, "forked"},
        {"local r = sweep()\n"
         "r:order{norm = {name = 'own', of = function(run, ref) ref:at(0.31415) return 1 end}}\n"
         "r = lab.sweep{problem = 'bouncing_ball', scheme = 'maury', steps = {8, 16}, reference =\n"
         "  {of = function(t) return t == 0.31415 and error('boom') or 0, 0 end}}:run()\n"
         "r:order{norm = {name = 'other', of = function(run, ref) ref:at(0.31415) return 1 end}}",
         IL_ESCRIPT, "reference 'function': "},
        {"sweep():figure{'parameter', field = 'h', norm = 'u_L1', x = 'h'}", IL_EINVAL,
         "one of them"},
    };
    check_refusals(list, sizeof list / sizeof list[0]);
}

static const il_test tests[] = {
    {"schemes in Lua have the numbers of their compiled twins, and fakes no certificate",
     schemes_are_their_twins},
    {"what callbacks of a problem give is read, and what is wrong is said", callbacks_are_read},
    {"references and norms of a script measure what the program's do",
     references_and_norms_measure},
    {"declarations of schemes are validated", declarations_are_validated},
    {"steps of schemes in Lua are validated", steps_are_validated},
    {"references of a script are validated", references_are_validated},
    {"norms of a script and figures of them are validated", norms_and_figures_are_validated},
    {.name = NULL}};

extern const il_suite il_suite_lua_own;
const il_suite il_suite_lua_own = {"what scripts bring", tests};
