/*
 * verify.c - `impactlab verify`: checks the claims of the papers and prints what was measured.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/cli/cli.h"
#include "harness/cli/verb.h"
#include "harness/lua/verify.h"

enum { IDS_MAX = 256 };

typedef struct {
    il_verify_options options;
    const char *ids[IDS_MAX];
    bool json, list, controls, quiet;
    double max_time; /* seconds; 0: not given */
} request;

static int take_claim(void *self, const il_cli_option *option, const char *value) {
    request *r = self;
    (void)option;
    if (r->options.nids == IDS_MAX) {
        return il_cli_usage("verify", "more than %d times --claim", IDS_MAX);
    }
    r->ids[r->options.nids++] = value;
    return IL_EXIT_OK;
}

static const il_cli_option known[] = {
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
    IL_CLI_OPTION(FLAG, list, "list", NULL, "the claims, without checking them"),
    IL_CLI_OPTION(FLAG, quiet, "quiet", NULL, "no progress"),
    IL_CLI_OPTION(POSITIVE, max_time, "max-time", "SECONDS", "stop after so many seconds"),
};

/* ---- output --------------------------------------------------------------------------------- */

static void print_number(const json_t *row, const char *key) {
    const json_t *x = json_object_get(row, key);
    if (json_is_number(x)) {
        (void)printf("%.4g", json_number_value(x));
    } else {
        (void)printf("nan");
    }
}

static void print_row(const json_t *row) {
    const char *verdict = il_json_get_text(row, "verdict");
    bool judged = strcmp(verdict, "PASS") == 0 || strcmp(verdict, "FAIL") == 0 ||
                  strcmp(verdict, "FINDING") == 0 || strcmp(verdict, "EVIDENCE") == 0 ||
                  strcmp(verdict, "caught") == 0 || strcmp(verdict, "MISSED") == 0;
    (void)printf("  %-14s  %s%s%s", verdict, il_json_get_text(row, "problem"),
                 il_json_get_text(row, "scheme")[0] != '\0' ? " by " : "",
                 il_json_get_text(row, "scheme"));
    if (judged && json_is_string(json_object_get(row, "what"))) {
        (void)printf(": %s ", il_json_get_text(row, "what"));
        print_number(row, "measured");
        (void)printf(" %s ", il_json_get_text(row, "sense"));
        print_number(row, "bound");
    }
    (void)putchar('\n');
    for (int k = 0; k < 2; k++) {
        const char *text = il_json_get_text(row, k == 0 ? "reason" : "evidence");
        if (text[0] != '\0') {
            (void)printf("  %-14s    %s\n", "", text);
        }
    }
}

static long long count_of(const json_t *report, const char *key) {
    return (long long)json_integer_value(json_object_get(report, key));
}

static size_t size_of(const json_t *report, const char *key) {
    return json_array_size(json_object_get(report, key));
}

static void print_report(const json_t *report) {
    size_t k = 0;
    const json_t *row = NULL;
    const char *id = "";
    json_array_foreach(json_object_get(report, "claims"), k, row) {
        if (strcmp(id, il_json_get_text(row, "id")) != 0) {
            id = il_json_get_text(row, "id");
            (void)printf("%s%s: %s\n  %s\n", k > 0 ? "\n" : "", id,
                         il_json_get_text(row, "statement"), il_json_get_text(row, "source"));
        }
        print_row(row);
    }
    (void)printf("\n%lld checks: %lld hold, %lld fail, %lld findings, %lld evidence, %lld not "
                 "applicable, %lld inconclusive\n",
                 count_of(report, "checked"), count_of(report, "passed"),
                 count_of(report, "failed"), count_of(report, "findings"),
                 count_of(report, "evidence"), count_of(report, "not_applicable"),
                 count_of(report, "inconclusive"));
}

static void print_controls(const json_t *report) {
    size_t k = 0;
    const json_t *row = NULL;
    json_array_foreach(json_object_get(report, "controls"), k, row) {
        (void)printf("%s: %s\n", il_json_get_text(row, "id"), il_json_get_text(row, "control"));
        print_row(row);
    }
    json_array_foreach(json_object_get(report, "uncontrolled"), k, row) {
        (void)printf("%s: has no control\n", json_string_value(row));
    }
    json_array_foreach(json_object_get(report, "unbroken"), k, row) {
        (void)printf("%s: no control makes this fail: %s\n", il_json_get_text(row, "id"),
                     il_json_get_text(row, "what"));
    }
    (void)printf(
        "\n%lld controls: %lld caught, %lld missed; %zu claims without, %zu rows that none "
        "breaks\n",
        count_of(report, "checked"), count_of(report, "caught"), count_of(report, "missed"),
        size_of(report, "uncontrolled"), size_of(report, "unbroken"));
}

static void print_list(const json_t *list) {
    size_t k = 0;
    const json_t *claim = NULL;
    json_array_foreach(list, k, claim) {
        (void)printf("%-14s %s\n%-14s %s\n", il_json_get_text(claim, "id"),
                     il_json_get_text(claim, "statement"), "", il_json_get_text(claim, "source"));
    }
}

static int verify(void *self, const il_cli_words *words, il_error *err) {
    request *r = self;
    json_t *report = NULL;
    (void)words;
    if (r->list && (r->options.nids > 0 || r->controls)) {
        return il_cli_usage("verify", "--list and --%s exclude each other",
                            r->controls ? "controls" : "claim");
    }
    r->options.ids = r->ids;
    r->options.messages = r->quiet ? NULL : stderr;
    il_interrupt_watch();
    if (r->max_time > 0.0) {
        il_interrupt_after(r->max_time);
    }
    il_status status = r->list       ? il_verify_list(&report, err)
                       : r->controls ? il_verify_controls(&r->options, &report, err)
                                     : il_verify(&r->options, &report, err);
    if (status == IL_OK && r->json) {
        status = il_json_print(report, 0, stdout, err);
    } else if (status == IL_OK) {
        (r->list ? print_list : r->controls ? print_controls : print_report)(report);
    }
    bool failed = count_of(report, "failed") > 0 || count_of(report, "missed") > 0 ||
                  size_of(report, "uncontrolled") > 0 || size_of(report, "unbroken") > 0;
    json_decref(report);
    return status == IL_OK && failed ? IL_EXIT_FAILED : il_cli_ended(status);
}

const il_cli_verb il_cli_verify = {
    .name = "verify",
    .text = "the claims of the papers, each with what was measured",
    .run = verify,
    IL_CLI_REQUEST(.json = false),
    .usage = IL_CLI_LINES("[--claim ID]... [--controls | --list] [OPTIONS]"),
    .options = known,
    .noptions = IL_CLI_COUNT_OF(known),
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
             "there is a FAIL; with --controls a control was missed, or a claim or a row has none",
             "bad usage, or an unknown claim", "it was interrupted"}};
