/*
 * test_lua_own.c - schemes, references and norms that scripts bring, and what is kept of results that
 * functions of a script made.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    CU_ASSERT_EQUAL(s.outcome.runs_failed, 8); /* the fakes */
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
    CU_ASSERT_EQUAL(s.outcome.cases, 89); /* a norm counts none twice */
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
        {"lab.scheme{name = 'own'}", IL_EINVAL, "step is missing"},
        {"lab.scheme{name = 'own', step = 3}", IL_EINVAL, "step is 3; allowed: a function(s)"},
        {"lab.scheme{name = 'maury', step = step}", IL_EINVAL, "no built-in scheme has"},
        {"lab.scheme{name = 'a:b', step = step}", IL_EINVAL, "name is 'a:b'; allowed: letters"},
        {"for k = 1, 2 do lab.scheme{name = 'own', step = step} end", IL_EINVAL,
         "no scheme of this script has"},
        {"lab.scheme{name = 'own', step = step, order = 3}", IL_EINVAL, "order is 3"},
        {"lab.scheme{name = 'own', step = step, orders = 1}", IL_EINVAL, "did you mean 'order'"},
        {"lab.scheme{name = 'own', step = step, color = 'red'}", IL_EINVAL, "\"#rrggbb\""},
        {"lab.scheme{name = 'own', step = step, version = ''}", IL_EINVAL, "version is ''"},
        {"lab.run{problem = 'cradle', scheme = 3, steps = 8}", IL_EINVAL,
         "scheme is 3; allowed: the name of a scheme, or what lab.scheme returned"},
        {"lab.sweep{problem = 'cradle', schemes = {'maury', {}}, steps = {8}}", IL_EINVAL,
         "schemes[2] is a table"},
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
        {"by(function(s) return s.q end)", IL_ESCRIPT, "step returned q, u, where u is nil"},
        {"by(function(s) return {1}, s.u end)", IL_ESCRIPT, "q has 1 number; allowed:"},
        {"by(function(s) return s.q, {'a', 1, 1, 1, 1} end)", IL_ESCRIPT, "u has 'a' at 1"},
        {"by(function(s) project(s) return s.q / 0, s.u end)", IL_ESCRIPT,
         "not_finite: scheme 'own': the step to t ="},
        {"by(function(s) error('boom') end)", IL_ESCRIPT, "script_error: scheme 'own': "},
        {"by(function(s) error{} end)", IL_ESCRIPT, "the error is a table"},
        {"by(function(s) s:project_linearised(s.u) end)", IL_ESCRIPT, "unknown key '[...]'"},
        {"by(function(s) s:project_linearised{} end)", IL_ESCRIPT, "nothing to project"},
        {"by(function(s) s:project_linearised{velocity = s.u, displacement = s.u} end)", IL_ESCRIPT,
         "a velocity and a displacement"},
        {"by(function(s) s:project_exact{velocity = 3} end)", IL_ESCRIPT, "velocity is 3"},
        {"by(function(s) s:project_tangent{displacement = s.u} end)", IL_ESCRIPT,
         "unknown key 'displacement'"},
        {"by(function(s) s:project_tangent{velocity = s.u, gamma = 2} end)", IL_ESCRIPT,
         "gamma is 2; allowed: a number from 0"},
        {"by(function(s) s.project_exact{velocity = s.u} end)", IL_ESCRIPT,
         "project_exact is given"},
        {"by(function(s) s:project_exactly{velocity = s.u} end)", IL_ESCRIPT, "project_exactly"},
        {"by(function(s) return s.q + 1, s.u end)", IL_ESCRIPT, "cannot be added"},
        {"by(function(s) return s.q + {1}, s.u end)", IL_ESCRIPT, "cannot be added"},
        {"by(function(s) return s.q * s.q, s.u end)", IL_ESCRIPT, "by numbers alone"},
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
        {"compare{file = 'nix.csv'}", IL_EIO, "cannot read"},
        {"compare{file = 'ball.txt'}", IL_EINVAL, "must end in .csv or .h5"},
        {"compare{file = '../ball.csv'}", IL_EINVAL, "--trust allows others"},
        {"compare{file = '/etc/passwd.csv'}", IL_EINVAL, "--trust allows others"},
        {"compare({file = 'ball.csv'}, 'cradle')", IL_EINVAL,
         "has 1 coordinate, and problem 'cradle' has 5"},
        {"compare({file = 'ball.h5'}, {'bouncing_ball', T = 3})", IL_EINVAL,
         "ends at t = 2, and the run at 3"},
        {"compare{}", IL_EINVAL, "{file = \"x.csv\"} or {of ="},
        {"compare{file = 'ball.csv', of = print}", IL_EINVAL, "one of them"},
        {"compare{file = 'ball.csv', breaks = {1}}", IL_EINVAL, "it beside a function alone"},
        {"compare{of = 3}", IL_EINVAL, "reference.of is 3"},
        {"compare{of = function() return 1 end}", IL_ESCRIPT, "where u is nil"},
        {"compare{of = function() return {1, 2}, 0 end}", IL_ESCRIPT,
         "q has 2 numbers; allowed: 1"},
        {"compare{of = function() return 0 / 0, 0 end}", IL_ESCRIPT, "a finite number"},
        {"compare{of = function() return 0, 0 end, breaks = {1, 1}}", IL_EINVAL,
         "breaks[2] is 1; allowed: times > 0 that increase strictly"},
        {"lab.sweep{problems = {'bouncing_ball', 'cradle'}, scheme = 'maury', steps = {8},\n"
         "          reference = {file = 'ball.csv'}}",
         IL_EINVAL, "for one problem alone"},
    };
    check_refusals(list, sizeof list / sizeof list[0]);
}

static void norms_and_figures_are_validated(void) {
    static const refusal list[] = {
        {"sweep():order{norm = 'u_l1'}", IL_EINVAL, "norm is 'u_l1'; allowed: u_L1"},
        {"sweep():order{norm = 3}", IL_EINVAL, "norm is 3; allowed: the name of a norm"},
        {"sweep():order{norm = {name = 'own'}}", IL_EINVAL, "norm.of is nil"},
        {"sweep():order{norm = {of = print}}", IL_EINVAL, "norm.name is nil"},
        {"sweep():order{norm = {name = 'q_Linf', of = print}}", IL_EINVAL, "have already"},
        {"sweep():order{norm = {name = 'a.b', of = print}}", IL_EINVAL, "letters, digits and _"},
        {"sweep():order{norm = {name = 'own', of = print, off = 1}}", IL_EINVAL, "norm.off"},
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
        {"sweep():figure{'energy', norms = {'u_L1'}}", IL_EINVAL, "several for \"convergence\""},
        {"sweep():figure{'convergence', norms = {'u_L1'}, norm = 'u_L1'}", IL_EINVAL,
         "without norm"},
        {"sweep():figure{'energy', slopes = {1}}", IL_EINVAL, "for \"convergence\" alone"},
        {"sweep():figure{'parameter', field = 'h'}", IL_EINVAL, "x is missing"},
        {"sweep():figure{'parameter', field = 'h', x = {1, 2}}", IL_EINVAL,
         "1 numbers, one a problem"},
        {"sweep():figure{'parameter', field = 'h', x = 'nix'}", IL_EINVAL, "no run has a point"},
        {"sweep():figure{'parameter', field = 'h', norm = 'u_L1', x = 'h'}", IL_EINVAL,
         "one of them"},
    };
    check_refusals(list, sizeof list / sizeof list[0]);
}

/* ---- what is kept ---------------------------------------------------------------------------- */

/* A script of a problem, a scheme and a sweep of six cases, in which parts can be replaced. */
typedef struct {
    const char *before, *force, *more, *step, *legend;
} part;

static const part PLAIN = {.before = "local g = 9.81 local function weight(m) return m * g end",
                           .force = "return {-weight(1)}",
                           .more = "",
                           .step = "local u = s:project_linearised{velocity = s:free_velocity()}",
                           .legend = "a legend"};

static void write_parts(const il_stage *s, const part *p) {
    char text[4096];
    (void)snprintf(
        text, sizeof text,
        "local lab = require 'impactlab'\n"
        "%s\n"
        "local ball = lab.problem{name = 'ball', horizon = 1, q0 = {1}, %s\n"
        "  force = function(t, q)\n    %s\n  end,\n"
        "  constraints = function(t, q) return {{g = q[1], grad = {1}}} end}\n"
        "local own = lab.scheme{name = 'own', step = function(s)\n  %s\n"
        "  return s.q + s.h * u, u end}\n"
        "local r = lab.sweep{problem = ball, schemes = {'maury', own},\n"
        "                    steps = {8, 12, 16}, reference = {'self', steps = 64}}:run()\n"
        "r:figure{'convergence', title = '%s'}\n",
        p->before, p->more, p->force, p->step, p->legend);
    il_stage_write(s->script, text);
}

/* Run the parts: so many of the six cases are found. */
static void expect_found(il_stage *s, const part *p, size_t found) {
    write_parts(s, p);
    il_status status = il_stage_run(s);
    CU_ASSERT_EQUAL(status, IL_OK);
    CU_ASSERT_EQUAL(s->outcome.found, found);
    CU_ASSERT_EQUAL(s->outcome.ran, 6 - found);
    CU_ASSERT_EQUAL(s->outcome.failed, 0);
    if (status != IL_OK || s->outcome.found != found) {
        (void)fprintf(stderr, "%s %s: %s\n%s\n", p->before, p->force, s->err.message, s->messages);
    }
}

static void what_functions_made_is_found_again(void) {
    il_stage s;
    il_stage_new(&s);
    expect_found(&s, &PLAIN, 0);
    expect_found(&s, &PLAIN, 6);
    part p = PLAIN;
    p.legend = "another legend";
    expect_found(&s, &p, 6);
    p.before = "-- lines above\n\nlocal g = 9.81 local function weight(m) return m * g end";
    expect_found(&s, &p, 6);
    p = PLAIN;
    p.force = "return {-weight(1) * 1}"; /* the function itself */
    expect_found(&s, &p, 0);
    p = PLAIN;
    p.before =
        "local g = 1.62 local function weight(m) return m * g end"; /* an upvalue's upvalue */
    expect_found(&s, &p, 0);
    p.before = "local g = 9.81 local function weight(m) return g * m end"; /* its function */
    expect_found(&s, &p, 0);
    p = PLAIN;
    p.step = "local u = 1 * s:project_linearised{velocity = s:free_velocity()}";
    expect_found(&s, &p, 3); /* those by maury do not depend on it */
    p = PLAIN;
    p.more = "u0 = {-1},"; /* data beside functions */
    expect_found(&s, &p, 0);
    expect_found(&s, &PLAIN, 6);
    il_stage_free(&s);
}

/* Each pair differs in what the function depends on, and nowhere in its own text. */
static void what_functions_depend_on_is_seen(void) {
    static const struct {
        const char *force, *one, *two;
    } pairs[] = {
        {"return {-table[1]}", "local table = {1, {2}}", "local table = {1, {3}}"},
        {"return {-table[1]}", "local table = {1, a = 2}", "local table = {1, b = 2}"},
        {"return {-(flag and 1 or 2)}", "local flag = true", "local flag = false"},
        {"return {-#name}", "local name = 'abc'", "local name = 'abd'"},
        {"return {-weight}", "weight = 1", "weight = 2"}, /* a global */
        {"return {-weight()}", "function weight() return 1 end", "function weight() return 2 end"},
        {"return {-weight}", "local weight <const> = 1", "local weight <const> = 2"},
        {"return {-f(t)}", "local f = math.sin", "local f = math.cos"},
        {"return {-f(t)}", "local f, g = function() return 1 end, function() return 2 end",
         "local g, f = function() return 1 end, function() return 2 end"}, /* of one line */
        {"return {-f(t)}", "local function k() return 1 end local function f() return k() end",
         "local function k() return 3 end local function f() return k() end"},
    };
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        il_stage s;
        il_stage_new(&s);
        part p = PLAIN;
        p.force = pairs[k].force;
        p.before = pairs[k].one;
        expect_found(&s, &p, 0);
        expect_found(&s, &p, 6);
        p.before = pairs[k].two;
        expect_found(&s, &p, 0);
        il_stage_free(&s);
    }
}

static void a_version_stands_for_functions(void) {
    il_stage s;
    il_stage_new(&s);
    part p = PLAIN;
    p.more = "version = 'first',";
    expect_found(&s, &p, 0);
    p.force = "return {-weight(1) * 1}"; /* the user says that it is the same */
    expect_found(&s, &p, 6);
    p.more = "version = 'second',";
    expect_found(&s, &p, 0);
    p.more = "version = 'second', u0 = {-1},"; /* data are seen all the same */
    expect_found(&s, &p, 0);
    il_stage_free(&s);
}

static void what_cannot_be_trusted_is_told_and_not_kept(void) {
    static const struct {
        const char *before, *force, *told;
    } list[] = {
        {"local n = 0", "n = n + 1 return {-1}", "has changed since it was declared"},
        {"local n = 0", "if t > 0.5 then n = n + 1 end return {-1}",
         "has changed since it was declared"},
        {"", "return {-1 - 0 * math.random()}", "force uses 'random'"},
        {"local r = math.random", "return {-1 - 0 * r()}", "'r' of force need not give the same"},
        {"", "return {-1 - 0 * os.clock()}", "force uses 'os'"},
        {"", "return {-(_G.x or 1)}", "force uses '_G'"},
        {"local k = setmetatable({1}, {})", "return {-k[1]}",
         "'k' of force is a table with a metatable"},
        {"local k = lab.problem{name = 'k', q0 = {1}, horizon = 1}", "return {k and -1}",
         "'k' of force is a userdata"},
        {"local k = coroutine.create(print)", "return {k and -1}", "'k' of force is a thread"},
        {"local k = {a = {b = lab.run}}", "return {k and -1}",
         "'k' of force.a.b is a C function that is none of Lua's libraries"},
        {"weight = lab.run", "return {weight and -1}", "the global 'weight' that force names"},
        {"math.mine = 1", "return {-math.mine}", "is a library that the script has changed"},
        {"setmetatable(_G, {__index = function() return 1 end})", "return {-nix}",
         "sees globals with a metatable"},
    };
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        il_stage s;
        il_stage_new(&s);
        part p = PLAIN;
        p.before = list[k].before;
        p.force = list[k].force;
        for (int again = 0; again < 2; again++) {
            expect_found(&s, &p, 0);
            bool told = strstr(s.messages, list[k].told) != NULL &&
                        strstr(s.messages, "results are not kept: problem 'ball'") != NULL;
            CU_ASSERT(told);
            if (!told) {
                (void)fprintf(stderr, "%s %s: %s\n", p.before, p.force, s.messages);
            }
        }
        p.more = "version = '1',";
        expect_found(&s, &p, 0);
        expect_found(&s, &p, 6); /* a version makes up for it */
        il_stage_free(&s);
    }
}

/* A sweep that ends in its midst keeps what was finished. */
static void an_unfinished_sweep_goes_on(void) {
    il_stage s;
    il_stage_new(&s);
    write_parts(&s, &PLAIN);
    s.options.shards = 3; /* every third case: as if it had been stopped after these */
    s.options.shard = 1;
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_EINTERRUPTED);
    CU_ASSERT_EQUAL(s.outcome.ran, 2);
    s.options.shards = 0;
    s.options.resume = true;
    expect_found(&s, &PLAIN, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(s.messages, "2 of 6 cases found"));
    expect_found(&s, &PLAIN, 6);
    il_stage_free(&s);
}

static void references_and_norms_are_kept(void) {
    static const char *const bodies[] = {"return 1 - t, -1", "return 1 - t * t, -2 * t"};
    static const char *const norms[] = {"run:at(0.5)[1]", "2 * run:at(0.5)[1]"};
    char text[1024];
    il_stage s;
    il_stage_new(&s);
    for (size_t k = 0; k < 8; k++) { /* each twice: a norm's cases count none */
        (void)snprintf(text, sizeof text,
                       "local lab = require 'impactlab'\n"
                       "local r = lab.sweep{problem = 'bouncing_ball', scheme = 'maury',\n"
                       "  steps = {8, 16}, reference = {of = function(t)\n %s\n end}}:run()\n"
                       "r:order{norm = {name = 'own', of = function(run) return %s end}}\n",
                       bodies[k / 4], norms[k / 2 % 2]);
        il_stage_write(s.script, text);
        CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
        CU_ASSERT_EQUAL(s.outcome.found, k % 4 == 0 ? 0 : 2);
        bool found = strstr(s.messages, "norm own: 2 cases: 2 found stored, 0 run") != NULL;
        CU_ASSERT_EQUAL(found, k % 2 == 1);
    }
    il_stage_free(&s);
}

static const il_test tests[] = {
    {"schemes in Lua have the numbers of their compiled twins, and fakes no certificate",
     schemes_are_their_twins},
    {"references and norms of a script measure what the program's do",
     references_and_norms_measure},
    {"declarations of schemes are validated", declarations_are_validated},
    {"steps of schemes in Lua are validated", steps_are_validated},
    {"references of a script are validated", references_are_validated},
    {"norms of a script and figures of them are validated", norms_and_figures_are_validated},
    {"what functions of a script made is found again", what_functions_made_is_found_again},
    {"what functions depend on is seen wherever it stands", what_functions_depend_on_is_seen},
    {"a version stands for functions", a_version_stands_for_functions},
    {"what cannot be trusted is told and not kept", what_cannot_be_trusted_is_told_and_not_kept},
    {"an unfinished sweep of functions goes on", an_unfinished_sweep_goes_on},
    {"references and norms of a script are kept", references_and_norms_are_kept},
    {.name = NULL}};

extern const il_suite il_suite_lua_own;
const il_suite il_suite_lua_own = {"what scripts bring", tests};
