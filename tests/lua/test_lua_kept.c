/*
 * test_lua_kept.c - what is stored of results that functions of a script made, and found again.
 */
#include <stdio.h>
#include <string.h>

#include "tests/support/lua_stage.h"
#include "tests/support/suite.h"

/* A script of a problem, a scheme and a sweep of six cases, in which parts can be replaced. */
typedef struct {
    const char *before, *force, *more, *step, *shows, *legend;
} part;

/* gnuplot takes most of a script's time: a figure where it is what is tried, elsewhere words. */
static const char FIGURE[] = "r:figure{'convergence', title =";
static const char WORDS[] = "lab.section{title =";

static const part PLAIN = {.before = "local g = 9.81 local function weight(m) return m * g end",
                           .force = "return {-weight(1)}",
                           .more = "",
                           .step = "local u = s:project_linearised{velocity = s:free_velocity()}",
                           .shows = WORDS,
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
        "local own = lab.scheme{name = 'own', version = '1', step = function(s)\n  %s\n"
        "  return s.q + s.h * u, u end}\n"
        "local r = lab.sweep{problem = ball, schemes = {'maury', own},\n"
        "                    steps = {8, 12, 16}, reference = {'self', steps = 64}}:run()\n"
        "%s '%s'}\n",
        p->before, p->more, p->force, p->step, p->shows, p->legend);
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

static void what_a_script_made_is_found_again(void) {
    il_stage s;
    il_stage_new(&s);
    expect_found(&s, &PLAIN, 0);
    expect_found(&s, &PLAIN, 6);
    part p = PLAIN;
    p.before = "local g = 1.62 local function weight(m) return m * g end";
    expect_found(&s, &p, 0); /* any other text is another script */
    expect_found(&s, &p, 6);
    expect_found(&s, &PLAIN, 6);
    static const char *const arguments[] = {"2"};
    s.options.args = arguments;
    s.options.nargs = 1;
    expect_found(&s, &PLAIN, 0);
    il_stage_free(&s);
}

/* Two problems, and two sweeps, that the script's text does not tell apart. */
static void declarations_and_sweeps_of_a_script_are_told_apart(void) {
    static const char text[] =
        "local lab = require 'impactlab'\n"
        "local g\n"
        "local function ball() return lab.problem{name = 'ball', horizon = 1, q0 = {1},\n"
        "  force = function() return {-g} end,\n"
        "  constraints = function(t, q) return {{g = q[1], grad = {1}}} end} end\n"
        "local function fall(p) local r = lab.sweep{problem = p, scheme = 'maury', steps = {8},\n"
        "  reference = {'self', steps = 64}}:run() return r:records()[1].error.u_L1 end\n"
        "g = 1 local one = ball() local x = fall(one)\n"
        "local two = ball() g = 3 local y, z = fall(two), fall(one)\n"
        "assert(x ~= y and x ~= z and y == z, x .. ' ' .. y .. ' ' .. z)\n";
    il_stage s;
    il_stage_new(&s);
    il_stage_write(s.script, text);
    for (size_t again = 0; again < 2; again++) {
        CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
        CU_ASSERT_EQUAL(s.outcome.found, 3 * again);
    }
    il_stage_free(&s);
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

static void what_may_change_is_told_and_not_kept(void) {
    for (int trusted = 0; trusted < 2; trusted++) {
        const char *told = trusted ? "problem 'ball': a trusted script may read what changes"
                                   : "problem 'ball': its script names the clock";
        il_stage s;
        il_stage_new(&s);
        s.options.trusted = trusted;
        part p = PLAIN;
        p.before = trusted ? PLAIN.before
                           : "local began = os.clock() local function weight() return 9.81 end";
        for (int again = 0; again < 2; again++) {
            expect_found(&s, &p, 0);
            CU_ASSERT_PTR_NOT_NULL(strstr(s.messages, told));
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
    part p = PLAIN;
    p.shows = FIGURE; /* which asks for the cases that are not there */
    write_parts(&s, &p);
    s.options.shards = 3; /* every third case: as if it had been stopped after these */
    s.options.shard = 1;
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_EINTERRUPTED);
    CU_ASSERT_EQUAL(s.outcome.ran, 2);
    s.options.shards = 0;
    s.options.resume = true;
    expect_found(&s, &p, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(s.messages, "2 of 6 cases found"));
    expect_found(&s, &p, 6);
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
        CU_ASSERT_EQUAL(s.outcome.found, k % 2 == 0 ? 0 : 2);
        bool found = strstr(s.messages, "norm own: 2 cases: 2 found stored, 0 run") != NULL;
        CU_ASSERT_EQUAL(found, k % 2 == 1);
    }
    il_stage_free(&s);
}

static const il_test tests[] = {
    {"what functions of a script made is found again", what_a_script_made_is_found_again},
    {"declarations and sweeps of a script are told apart",
     declarations_and_sweeps_of_a_script_are_told_apart},
    {"a version stands for functions", a_version_stands_for_functions},
    {"what may change is told and not kept", what_may_change_is_told_and_not_kept},
    {"an unfinished sweep of functions goes on", an_unfinished_sweep_goes_on},
    {"references and norms of a script are kept", references_and_norms_are_kept},
    {.name = NULL}};

extern const il_suite il_suite_lua_kept;
const il_suite il_suite_lua_kept = {"what is kept of functions", tests};
