/*
 * test_lua_report.c - what a script leaves behind: lines on failures, exit statuses, figures of
 * sweeps, tables with all digits. And the manual of scripts, whose examples must run.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/cli/verb.h"
#include "tests/support/lua_stage.h"
#include "tests/support/suite.h"

static const char LAB[] = "local lab = require 'impactlab'\n";

/* Two steps never suffice for one sweep of Uzawa's iteration over eight particles: every such run
 * ends with not_converged. */
#define FAILING                                                                                    \
    "problem = {'sticky', N = 8, seed = 1}, scheme = 'maury', projector = 'uzawa', "               \
    "max_iterations = 1"

static void write_script(const il_stage *s, const char *text) {
    char whole[4096];
    (void)snprintf(whole, sizeof whole, "%s%s", LAB, text);
    il_stage_write(s->script, whole);
}

static size_t count(const char *text, const char *word) {
    size_t n = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        n++;
    }
    return n;
}

static bool says(const il_stage *s, const char *word) {
    bool found = strstr(s->messages, word) != NULL;
    if (!found) {
        (void)printf("\n'%s' is not in\n%s\n", word, s->messages);
    }
    return found;
}

/* ---- failures ------------------------------------------------------------------------------- */

static void failed_runs_leave_a_line(void) {
    il_stage s;
    il_stage_new(&s);
    write_script(&s, "for n = 3, 5 do\n"
                     "  lab.run{" FAILING ", steps = n}\n"
                     "end\n"
                     "lab.run{problem = 'sticky', scheme = 'maury', steps = 3}\n");
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
    CU_ASSERT(s.outcome.runs == 4 && s.outcome.runs_failed == 3);
    CU_ASSERT(says(&s, "script.lua:3: lab.run: sticky(N=8, seed=1) by maury, 3 steps: "
                       "not_converged: "));
    CU_ASSERT_EQUAL(count(s.messages, "not_converged"), 1); /* one kind, one line */
    write_script(&s, "lab.sweep{name = 'bad', " FAILING ", steps = {3, 4, 5}}:run()\n"
                     "lab.sweep{name = 'again', " FAILING ", steps = {3, 4, 5, 6}}:run()\n");
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
    CU_ASSERT(s.outcome.cases == 7 && s.outcome.failed == 7 && s.outcome.runs == 0);
    CU_ASSERT(says(&s, "sweep bad: sticky(N=8, seed=1) by maury, 3 steps: not_converged: "));
    CU_ASSERT(says(&s, "(3 cases so)"));
    CU_ASSERT_EQUAL(count(s.messages, "not_converged"), 1);
    CU_ASSERT(says(&s, "sweep again: 4 cases: 3 found stored, 1 run"));
    il_stage_free(&s);
}

/* ---- exit statuses -------------------------------------------------------------------------- */

/* The verb with its standard error in s->messages. */
static int sweep_verb(il_stage *s, int argc, char **argv) {
    char path[128];
    (void)snprintf(path, sizeof path, "%s/err", s->folder);
    (void)fflush(stderr);
    int old = dup(STDERR_FILENO);
    int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    CU_ASSERT_FATAL(old >= 0 && file >= 0);
    (void)dup2(file, STDERR_FILENO);
    int status = il_cli_perform(&il_cli_sweep, NULL, argc, argv);
    (void)fflush(stderr);
    (void)dup2(old, STDERR_FILENO);
    (void)close(file);
    (void)close(old);
    free(s->messages);
    s->messages = il_stage_read(s->folder, "err");
    return status;
}

static void exit_status_tells_of_failures(void) {
    static const struct {
        const char *text;
        int status;
        const char *says; /* last line */
    } list[] = {
        {"lab.run{problem = 'sticky', scheme = 'maury', steps = 3}", IL_EXIT_OK, ""},
        {"lab.check(true, 'fine')", IL_EXIT_OK, "check holds: fine\n"},
        {"lab.run{" FAILING ", steps = 3}", IL_EXIT_FAILED,
         "impactlab: failed: 1 of 1 runs of lab.run\n"},
        {"local r = lab.sweep{problem = {'sticky', N = 8, seed = 1}, scheme = 'maury', "
         "projector = 'uzawa', max_iterations = 1, reference = 'exact', steps = {3, 4, 5, 6}}:run()"
         " r:order{} lab.check(r.failed == 0, 'all well')",
         IL_EXIT_FAILED, "impactlab: failed: 4 of 4 cases, 1 of 1 orders, 1 of 1 checks\n"},
        {"local r = lab.sweep{" FAILING ", steps = {3, 4}}:run()\n"
         "lab.check(r:figure{'energy'} == nil, 'nothing to draw')\n"
         "lab.check(lab.figure{name = 'f', series = {{x = {}, y = {}}}} == nil, 'nothing here')",
         IL_EXIT_FAILED, "impactlab: failed: 2 of 2 cases\n"},
        {"lab.figure{name = 'f', series = {{x = {}, y = {}}}}", IL_EXIT_USAGE, "no point to show"},
        {"error('mine')", IL_EXIT_USAGE, "script.lua:2: mine\n"},
    };
    il_stage s;
    il_stage_new(&s);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        char *argv[] = {"sweep", s.script, "--results", s.results};
        write_script(&s, list[k].text);
        CU_ASSERT_EQUAL(sweep_verb(&s, 4, argv), list[k].status);
        CU_ASSERT(says(&s, list[k].says));
        CU_ASSERT_EQUAL(count(s.messages, "impactlab: failed"), list[k].status == IL_EXIT_FAILED);
    }
    il_stage_free(&s);
}

/* ---- figures -------------------------------------------------------------------------------- */

static void lost_points_are_told(void) {
    il_stage s;
    il_stage_new(&s);
    write_script(&s, "lab.figure{name = 'holes', panels = {\n"
                     "  {series = {{x = {1, 2}, y = {1, 2}}}},\n"
                     "  {series = {{x = {1}, y = {1}},\n"
                     "             {x = {1, 2, 3}, y = {1, 0 / 0, 1 / 0}, label = 'b'}}}}}\n"
                     "lab.figure{name = 'whole', series = {{x = {1, 2}, y = {1, 2}}}}\n");
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
    CU_ASSERT(says(&s, "figure holes: 2 of 3 points of panels[2].series[2] (b) are not finite"));
    CU_ASSERT_EQUAL(count(s.messages, "not finite"), 1);
    il_stage_free(&s);
}

/* ---- tables --------------------------------------------------------------------------------- */

/* The cell of row and column (from 0) of a csv without quotes, copied into out. */
static void cell(const char *text, size_t row, size_t column, char *out, size_t capacity) {
    for (; row > 0 && text != NULL; row--) {
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
    for (; column > 0 && text != NULL; column--) {
        text = strchr(text, ',');
        text = text != NULL ? text + 1 : NULL;
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    (void)snprintf(out, capacity, "%.*s", (int)strcspn(text, ",\r\n"), text);
}

static void csv_tables_have_all_digits(void) {
    char given[64];
    char digits[64];
    il_stage s;
    il_stage_new(&s);
    write_script(&s,
                 "local r = lab.sweep{name = 'd', problem = 'bouncing_ball', scheme = 'maury',\n"
                 "  steps = {7, 70000}, reference = 'exact'}:run()\n"
                 "r:table{'errors', norms = {'u_L1'}}\n"
                 "local rows = {}\n"
                 "for k, record in ipairs(r:records()) do\n"
                 "  rows[k] = {('%.17g'):format(record.error.u_L1), record.error.u_L1, 0.1}\n"
                 "end\n"
                 "lab.table{name = 'mine', heads = {'a', 'b', 'c'}, rows = rows}\n");
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
    char *csv = il_stage_read(s.results, "tables/d-errors.csv");
    char *txt = il_stage_read(s.results, "tables/d-errors.txt");
    char *mine = il_stage_read(s.results, "tables/mine.csv");
    char *manifest = il_stage_read(s.results, "tables/d-errors.table.json");
    for (size_t row = 1; row <= 2; row++) {
        cell(mine, row, 0, digits, sizeof digits);
        cell(csv, row, 4, given, sizeof given);
        CU_ASSERT(strtod(given, NULL) == strtod(digits, NULL)); /* to the last bit */
        CU_ASSERT_PTR_NULL(strstr(txt, given));
        cell(mine, row, 1, given, sizeof given);
        CU_ASSERT(strtod(given, NULL) == strtod(digits, NULL));
        cell(mine, row, 2, given, sizeof given);
        CU_ASSERT_STRING_EQUAL(given, "0.1"); /* and no more digits than that takes */
    }
    cell(csv, 2, 2, given, sizeof given);
    CU_ASSERT_STRING_EQUAL(given, "70000");
    CU_ASSERT_PTR_NOT_NULL(strstr(txt, " 70000 "));
    CU_ASSERT(strstr(manifest, "d-errors.txt") != NULL &&
              strstr(manifest, "d-errors.csv") != NULL && strstr(manifest, "d-errors.tex") != NULL);
    free(csv);
    free(txt);
    free(mine);
    free(manifest);
    il_stage_free(&s);
}

/* The page's journal has each verdict once, however often it is asked for, and findings. */
static void verdicts_are_noted(void) {
    il_stage s;
    il_stage_new(&s);
    write_script(&s,
                 "lab.section('Balls')\n"
                 "local r = lab.sweep{name = 'v', problem = 'bouncing_ball', scheme = 'maury',\n"
                 "  steps = lab.levels{from = 16, count = 4, jitter = 4, seed = 1}}:run()\n"
                 "local o = r:order{norm = 'u_L1'}\n"
                 "r:orders{norms = {'u_L1'}}\n"
                 "lab.finding('a finding in ' .. o.verdict)\n"
                 "lab.section()\n"
                 "r:table{'errors'}\n");
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
    char *journal = il_stage_read(s.results, "outcomes/script-*.json");
    char *manifest = il_stage_read(s.results, "tables/v-errors.table.json");
    CU_ASSERT_FATAL(journal != NULL && manifest != NULL);
    CU_ASSERT_EQUAL(count(journal, "\"kind\": \"order\""), 1);
    CU_ASSERT_EQUAL(count(journal, "\"kind\": \"finding\""), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(journal, "a finding in "));
    CU_ASSERT_PTR_NOT_NULL(strstr(manifest, "\"section\": null"));
    free(journal);
    free(manifest);
    il_stage_free(&s);
}

/* ---- the manual ----------------------------------------------------------------------------- */

/* Send standard output nowhere; back is what it was. */
static int silence(void) {
    (void)fflush(stdout);
    int back = dup(STDOUT_FILENO);
    int nowhere = open("/dev/null", O_WRONLY);
    CU_ASSERT_FATAL(back >= 0 && nowhere >= 0);
    (void)dup2(nowhere, STDOUT_FILENO);
    (void)close(nowhere);
    return back;
}

static void restore(int back) {
    (void)fflush(stdout);
    (void)dup2(back, STDOUT_FILENO);
    (void)close(back);
}

/* Every fenced block of Lua in scripts/README.md, in order, as a script in one results folder. */
static void examples_of_the_manual_run(void) {
    enum { LEAST = 12 };
    il_stage s;
    il_stage_new(&s);
    s.options.workers = 2;
    char *manual = il_stage_read("scripts", "README.md");
    size_t n = 0;
    for (char *at = strstr(manual, "```lua\n"); at != NULL; at = strstr(at, "```lua\n")) {
        char *text = at + strlen("```lua\n");
        char *end = strstr(text, "\n```");
        CU_ASSERT_PTR_NOT_NULL_FATAL(end);
        end[1] = '\0';
        il_stage_write(s.script, text);
        int back = silence();
        il_status status = il_stage_run(&s);
        restore(back);
        if (status != IL_OK || s.outcome.checks_failed > 0) {
            (void)printf("\n%s\n%s\n%s", text, s.err.message, s.messages);
        }
        CU_ASSERT_EQUAL(status, IL_OK);
        CU_ASSERT_EQUAL(s.outcome.checks_failed + s.outcome.failed + s.outcome.runs_failed, 0);
        n++;
        at = end + 2;
    }
    CU_ASSERT(n >= LEAST);
    free(manual);
    il_stage_free(&s);
}

static const il_test tests[] = {
    {"failed runs leave a line, one a kind", failed_runs_leave_a_line},
    {"the exit status tells of failures", exit_status_tells_of_failures},
    {"points that are not finite are told", lost_points_are_told},
    {"csv tables have all digits, the others are rounded", csv_tables_have_all_digits},
    {"each verdict and finding is noted for the page", verdicts_are_noted},
    {"the examples of the manual run", examples_of_the_manual_run},
    {NULL, NULL}};

const il_suite il_suite_lua_report = {"lua report", tests};
