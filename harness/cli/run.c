/*
 * run.c - `impactlab run`: one case, by the options of harness/run/options.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/cli/cli.h"
#include "harness/cli/print.h"
#include "harness/cli/verb.h"
#include "harness/judge/program.h"
#include "harness/run/conduct.h"
#include "harness/run/options.h"
#include "harness/run/run.h"
#include "harness/study/ensemble/ensemble.h"

typedef struct {
    il_case what; /* the first: options of a case know its place in that */
    il_cli_problem problem;
    il_scheme_choice scheme;
    bool json, quiet, all;
    il_cli_shows shows;
} request;

/* ---- reading -------------------------------------------------------------------------------- */

/* Those that a case has no place for. */
static const struct {
    const char *key;
    int kind;
    size_t at;
} others[] = {{"problem", IL_OPTION_PROBLEM, offsetof(request, problem)},
              {"scheme", IL_OPTION_SCHEME, offsetof(request, scheme)},
              {"set", IL_OPTION_SETTING, offsetof(request, problem)},
              {"json", IL_OPTION_FLAG, offsetof(request, json)},
              {"quiet", IL_OPTION_FLAG, offsetof(request, quiet)},
              {"all", IL_OPTION_FLAG, offsetof(request, all)}};

/* The table of harness/run/options.h: a request begins with the case that it fills. */
static size_t list_options(il_option known[IL_CLI_OPTIONS_MAX]) {
    size_t n = 0;
    for (size_t k = 0; il_option_at(k) != NULL; k++) {
        known[n] = *il_option_at(k);
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
            if (strcmp(known[n].key, others[i].key) == 0) {
                known[n].kind = others[i].kind;
                known[n].at = others[i].at;
            }
        }
        n += (known[n].where & IL_WHERE_COMMAND) != 0;
    }
    return n;
}

static int complete(request *r) {
    if (r->problem.choice.type == NULL || r->scheme.type == NULL) {
        return il_cli_usage("run", "--problem and --scheme are needed");
    }
    r->shows.rest = r->all;
    r->shows.norms = r->all || r->what.norms != IL_NORM_AUTO;
    il_error err = {IL_OK, ""};
    return il_options_check(&r->what, true, &err) == IL_OK ? IL_EXIT_OK
                                                           : il_cli_usage("run", "%s", err.message);
}

/* ---- the members of --ensemble, run in parallel --------------------------------------------- */

typedef struct {
    const il_case *what;
    il_ensemble *ensemble;
} members_of;

enum { WORKERS_MAX = 64 };

static size_t workers(size_t jobs) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = n < 1 ? 1 : n > WORKERS_MAX ? WORKERS_MAX : (size_t)n;
    return most < jobs ? most : jobs;
}

/* After the run: the members, which write no files, and field "ensemble". */
static il_status add(void *self, json_t *record, il_error *err) {
    members_of *w = self;
    il_progress *progress = w->what->progress;
    il_case member = *w->what;
    member.multipliers = 0;
    member.exact = false;
    member.progress = NULL;
    member.files = (il_files){.every = 0};
    member.addition = (il_addition){.self = NULL};
    il_members members = il_ensemble_runs(w->ensemble);
    members.title = "ensemble";
    members.progress = progress != NULL ? progress->out : NULL;
    members.what = &member;
    members.workers = workers(members.n);
    if (members.progress != NULL) {
        il_progress_clear(progress);
    }
    json_t *out = NULL;
    il_status status = il_ensemble_base(w->ensemble, record, member.projection.tolerance, err);
    if (status == IL_OK) {
        status = il_members_run(&members, err);
    }
    if (status == IL_OK) {
        status = il_ensemble_json(w->ensemble, &out, err);
    }
    if (status == IL_OK) {
        il_json_set(record, "ensemble", out);
    }
    return status;
}

/* Make an ensemble of the case, if it asks for one: it watches the run, and the members come after
 * it. w outlives the run. */
static il_status begin_members(members_of *w, il_case *what, il_error *err) {
    double perturb = what->perturb;
    *w = (members_of){.what = what};
    if (what->ensemble == 0) {
        return IL_OK;
    }
    il_status status = il_ensemble_check("--ensemble", (double)what->ensemble, "--perturb",
                                         perturb > 0.0 ? &perturb : NULL, err);
    if (status == IL_OK) {
        status =
            il_ensemble_create(&w->ensemble, what->problem->type, what->ensemble, perturb, err);
    }
    if (status == IL_OK) {
        il_ensemble_member(w->ensemble, 0, what);
        what->addition = (il_addition){.self = w, .add = add};
    }
    return status;
}

/* ---- what came of it ------------------------------------------------------------------------ */

/* "  wrote FILE: BEFORE n AFTER"; the name may hold anything. */
static void print_file(const char *file, const char *unwritten, const char *before, size_t n,
                       const char *after) {
    if (file != NULL && unwritten == NULL) {
        il_cli_say(stdout, "  wrote %s: %s%zu%s", file, before, n, after);
    }
}

static void print_files(const il_files *files, const il_outcome *w) {
    const il_files *no = &w->unwritten;
    print_file(files->trajectory, no->trajectory, "", w->trajectory.nodes, " nodes");
    print_file(files->paraview, no->paraview, "", w->snapshots.n, " nodes for ParaView");
    if (w->record.status == IL_OK) {
        print_file(files->fclib, NULL, "the projection of step ", w->kept.step, "");
    }
}

static void tell_unwritten(const il_files *unwritten) {
    const char *const names[] = {unwritten->trajectory, unwritten->paraview};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (names[k] != NULL) {
            il_cli_say(stderr, "impactlab: no time was left to write '%s'", names[k]);
        }
    }
}

/* The words of an ensemble on the record's digits, if there is one. */
static void print_ensemble(const json_t *record) {
    char *words = il_ensemble_text(json_object_get(record, "ensemble"));
    if (words != NULL) {
        (void)fputs(words, stdout);
    }
    free(words);
}

/* The last words of a program that made the steps, and what is wrong with its motion. */
static void print_program(const json_t *program) {
    const json_t *said = json_object_get(program, "stderr");
    const json_t *tail = json_object_get(said, "tail");
    const json_t *findings = json_object_get(program, "findings");
    const json_t *one = NULL;
    size_t k = 0;
    json_int_t lines = json_integer_value(json_object_get(said, "lines"));
    const char *last = json_string_value(json_array_get(tail, json_array_size(tail) - 1));
    const char *end = il_json_get_text(program, "end");
    if (lines > 0 && last != NULL) {
        il_cli_say(stdout, "  its program: %d line%s on standard error, the last: %s", (int)lines,
                   lines == 1 ? "" : "s", last);
    }
    if (strncmp(end, "still", 5) == 0) {
        il_cli_say(stdout, "  its program %s", end);
    }
    if (json_is_null(findings)) {
        (void)printf("  too many numbers to look for what is wrong\n");
    }
    json_array_foreach(findings, k, one) {
        il_cli_say(stdout, "  found: %s: %s", il_json_get_text(one, "name"),
                   il_json_get_text(one, "text"));
    }
}

static int conclude(const request *r, const il_outcome *w) {
    if (r->json) {
        il_json_print(w->json, 0, stdout);
    } else {
        il_cli_print_record(&w->record, &r->shows);
        print_program(w->record.status == IL_OK ? json_object_get(w->json, "program") : NULL);
        if (w->proof.d > 0) {
            il_cli_print_proof(&w->proof);
        }
        print_ensemble(w->json);
        print_files(&r->what.files, w);
    }
    tell_unwritten(&w->unwritten);
    if (w->record.status == IL_OK) {
        return IL_EXIT_OK;
    }
    il_error failure = {w->record.status, ""};
    memcpy(failure.message, w->record.message, sizeof failure.message);
    int code = il_cli_fail(&failure);
    return code == IL_EXIT_USAGE ? IL_EXIT_FAILED : code;
}

/* An option without effect here is reported and is no error: the answer is exact. */
static void note_tolerance(const request *r) {
    bool idle = r->what.projection.tolerance > 0.0 && r->what.projector->untolerant;
    if (idle && !r->quiet) {
        il_cli_say(stderr, "impactlab: --tol does nothing to projector '%s', which is exact",
                   r->what.projector->name);
    }
}

/* All runs together may take an hour, unless more is asked for or a limit is set. */
static void bound_time(il_case *c) {
    if (c->max_time > 0.0) {
        il_interrupt_after(c->max_time);
    } else if (!c->is_long) {
        c->patience = IL_PATIENCE_HOUR / (1.0 + (double)c->ensemble);
    }
}

static il_status begin(void *self, il_error *err) {
    request *r = self;
    il_interrupt_watch();
    il_status status = il_case_init(&r->what, NULL, err);
    r->what.problem = &r->problem.choice;
    r->what.scheme = &r->scheme;
    r->what.look = il_judge_program;
    return status;
}

static void end(void *self) {
    free((void *)((request *)self)->what.samples);
}

static int run(void *self, const il_cli_words *words, il_error *err) {
    request *r = self;
    il_outcome outcome = {.json = NULL};
    il_progress progress;
    members_of members = {.ensemble = NULL};
    int code = complete(r);
    (void)words;
    if (code != IL_EXIT_OK) {
        return code;
    }
    il_status status = begin_members(&members, &r->what, err);
    if (status == IL_OK) {
        bound_time(&r->what);
        note_tolerance(r);
        il_progress_begin(&progress, r->quiet ? NULL : stderr, r->problem.choice.type->name);
        r->what.progress = &progress;
        status = il_case_conduct(&r->what, NULL, &outcome, err);
        il_progress_clear(&progress);
        code = status == IL_OK ? conclude(r, &outcome) : IL_EXIT_ERROR;
        il_outcome_free(&outcome);
    }
    il_ensemble_destroy(members.ensemble);
    return status == IL_OK ? code : IL_EXIT_ERROR;
}

const il_cli_verb il_cli_run = {
    .name = "run",
    .text = "one run and its record",
    .run = run,
    IL_CLI_REQUEST(.json = false),
    .begin = begin,
    .end = end,
    .usage = IL_CLI_LINES("--problem P --scheme S (--steps N | --h H | both) [OPTIONS]"),
    .list = list_options,
    .notes = "The fields of the record: impactlab help record.\n",
    .examples = IL_CLI_LINES(
        "--problem bouncing_ball --scheme maury --steps 100",
        "--problem nonuniqueness --scheme paoli --h 1/512 --set alpha=1.7 --sample 1,2.5 --json",
        "--problem two_spheres --scheme moreau_jean:theta=0.5 --steps 200 --trajectory spheres.h5",
        "--problem pile --set N=20 --scheme maury --h 0.01 --paraview pile.pvd --every 20",
        "--problem pile --set N=20 --scheme maury --steps 40 --fclib step.hdf5"),
    .ends = {NULL, "the run failed on its way", "bad input", "it was interrupted"}};
