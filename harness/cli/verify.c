/*
 * verify.c - `impactlab verify`: checks the claims of the papers and prints what was measured.
 */
#include "harness/lua/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/cli/cli.h"
#include "harness/cli/demand.h"
#include "harness/cli/verb.h"

enum { IDS_MAX = 256 };

typedef struct {
    il_verify_options options;
    const char *ids[IDS_MAX];
    il_cli_demand demand;
    bool json, list, controls, quiet;
    double max_time; /* seconds; 0: not given */
} request;

static int take_claim(void *self, const il_option *option, const char *value) {
    request *r = self;
    (void)option;
    if (r->options.nids == IDS_MAX) {
        return il_cli_usage("verify", "more than %d times --claim", IDS_MAX);
    }
    r->ids[r->options.nids++] = value;
    return IL_EXIT_OK;
}

static const il_option known[] = {
    {.name = "claim",
     .take = take_claim,
     .repeats = true,
     .value = "ID",
     .text = "this claim only; may be repeated"},
    IL_CLI_OPTION(FLAG, json, "json", NULL, "one JSON object and nothing else"),
    IL_CLI_OPTION(COUNT, options.workers, NULL, "N", "N checks at a time (default 1)",
                  .letter = 'j', .least = 1, .most = 4096),
    IL_CLI_OPTION(FLAG, controls, "controls", NULL,
                  "negative controls instead: wrong inputs, each of which must fail\nits "
                  "claim"),
    IL_CLI_REQUIRE(.of = NULL),
    IL_CLI_JUNIT,
    IL_CLI_OPTION(FLAG, list, "list", NULL, "the claims, without checking them"),
    IL_CLI_OPTION(FLAG, quiet, "quiet", NULL, "no progress"),
    IL_CLI_OPTION(POSITIVE, max_time, "max-time", "SECONDS", "stop after so many seconds"),
};

static size_t size_of(const json_t *report, const char *key) {
    return json_array_size(json_object_get(report, key));
}

/* Rows of claims, or of controls, as test cases; how many fail. */
static size_t add_cases(const request *r, const json_t *rows, il_cli_cases *cases) {
    size_t k = 0;
    size_t failed = 0;
    const json_t *row = NULL;
    json_array_foreach(rows, k, row) {
        char name[400];
        const char *verdict = il_json_get_text(row, "verdict");
        const char *scheme = il_json_get_text(row, "scheme");
        const char *what = il_json_get_text(row, r->controls ? "control" : "what");
        const char *text = il_json_get_text(row, "reason");
        bool fails =
            il_cli_demand_fails(&r->demand, NULL, verdict, NAN) || strcmp(verdict, "MISSED") == 0;
        (void)snprintf(name, sizeof name, "%s%s%s: %s", il_json_get_text(row, "problem"),
                       scheme[0] != '\0' ? " by " : "", scheme, what);
        il_cli_cases_add(cases, il_json_get_text(row, "id"), name, fails, verdict,
                         text[0] != '\0' ? text : il_json_get_text(row, "evidence"));
        failed += fails;
    }
    return failed;
}

static int verify(void *self, const il_cli_words *words, il_error *err) {
    request *r = self;
    json_t *report = NULL;
    (void)words;
    if (r->list && (r->options.nids > 0 || r->controls || r->demand.junit != NULL)) {
        return il_cli_usage("verify", "--list and --%s exclude each other",
                            r->controls           ? "controls"
                            : r->options.nids > 0 ? "claim"
                                                  : "junit");
    }
    r->options.ids = r->ids;
    r->options.messages = r->quiet ? NULL : stderr;
    il_interrupt_watch();
    if (r->max_time > 0.0) {
        il_interrupt_after(r->max_time);
    }
    il_cli_cases cases = {.list = NULL};
    size_t failing = 0;
    il_status status = il_cli_demand_check(&r->demand, err);
    if (status == IL_OK) {
        status = r->list       ? il_verify_list(&report, err)
                 : r->controls ? il_verify_controls(&r->options, &report, err)
                               : il_verify(&r->options, &report, err);
    }
    if (status == IL_OK) {
        const char *form = r->list ? "list" : r->controls ? "controls" : "claims";
        status = il_cli_report_print(report, form, r->json, err);
    }
    if (status == IL_OK && !r->list) {
        failing =
            add_cases(r, json_object_get(report, r->controls ? "controls" : "claims"), &cases);
        status = il_cli_cases_write(&cases, &r->demand, "verify", err);
    }
    bool failed =
        failing > 0 || size_of(report, "uncontrolled") > 0 || size_of(report, "unbroken") > 0;
    json_decref(report);
    return status == IL_OK && failed ? IL_EXIT_FAILED : il_cli_ended(status);
}

const il_cli_verb il_cli_verify = {
    .name = "verify",
    .text = "the claims of the papers, each with what was measured",
    .run = verify,
    IL_CLI_REQUEST(.demand = IL_CLI_DEMAND_NONE),
    .usage = IL_CLI_LINES("[--claim ID]... [--controls | --list] [OPTIONS]"),
    IL_CLI_OPTIONS(known),
    .notes =
        "Checks the statements of the papers on problems where their hypotheses hold. Verdicts:\n"
        "  PASS            what was measured is within its bound\n"
        "  FAIL            it is not, or what is known not to hold now does\n"
        "  FINDING         it is not, as is known; the evidence says why\n"
        "  EVIDENCE        it is, and could hardly not be: nothing here comes near the bound\n"
        "  NOT APPLICABLE  a hypothesis fails on this problem\n"
        "  INCONCLUSIVE    what was measured decides nothing\n"
        "With --controls each is caught or MISSED.\n",
    .examples = IL_CLI_LINES("--list", "--claim M-P1 -j 2", "--claim M-P1 --controls"),
    .ends = {NULL,
             "there is a FAIL (--require PASS: or INCONCLUSIVE); with --controls a control was "
             "missed, or a claim or a row has none",
             "bad usage, or an unknown claim", "it was interrupted"}};
