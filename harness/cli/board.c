/*
 * board.c - `impactlab board`: schemes x questions, every cell by the same claim.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/cli/cli.h"
#include "harness/cli/verb.h"
#include "harness/io/file.h"
#include "harness/lua/base/guard.h"
#include "harness/lua/board.h"

enum { LISTS_MAX = 256 };

typedef struct {
    const char *list[LISTS_MAX];
    size_t n;
} lists;

typedef struct {
    il_lua_options lua;
    lists schemes, problems, questions;
    const char *claim;
    double question_time;
    double max_time; /* seconds; 0: not given */
    bool json;
} request;

static int take(void *self, const il_option *option, const char *value) {
    request *r = self;
    lists *l = option->name[0] == 's'   ? &r->schemes
               : option->name[0] == 'p' ? &r->problems
                                        : &r->questions;
    if (l->n == LISTS_MAX) {
        return il_cli_usage("board", "more than %d times --%s", LISTS_MAX, option->name);
    }
    l->list[l->n++] = value;
    return IL_EXIT_OK;
}

static const il_option known[] = {
    {.name = "schemes",
     .take = take,
     .repeats = true,
     .value = "A,B,...",
     .text = "rows: names with settings (impulse:as=ode,cfm=0), exec:COMMAND,\n"
             "file:FILE-%d.csv, and 'catalogue', which is the default; may be\n"
             "repeated"},
    {.name = "problems",
     .take = take,
     .repeats = true,
     .value = "A,B,...",
     .text = "problems (bouncing_ball:e=0.5); may be repeated"},
    {.name = "questions",
     .take = take,
     .repeats = true,
     .value = "A,B,...",
     .text = "questions alone (default: all that these problems answer); may be\nrepeated"},
    IL_CLI_OPTION(TEXT, claim, "claim", "converges|bound:P|sharp:P",
                  "what orders are judged by (default converges)"),
    IL_CLI_OPTION(FOLDER, lua.results, "out", "DIR",
                  "write DIR/index.html, DIR/board.json, figures, and the cases, which\n"
                  "are not run again; without it nothing is kept"),
    IL_CLI_OPTION(FLAG, json, "json", NULL, "one JSON object and nothing else"),
    IL_CLI_OPTION(COUNT, lua.workers, NULL, "N", "N runs at a time (default 1)", .letter = 'j',
                  .least = 1, .most = 4096),
    IL_CLI_OPTION(POSITIVE, lua.limits.seconds, "case-time", "SECONDS",
                  "a run that takes longer has failed (default 30)"),
    IL_CLI_OPTION(POSITIVE, question_time, "question-time", "SECONDS",
                  "a question that a program's short runs forecast to take it longer\n"
                  "is not asked (default 8)"),
    IL_CLI_OPTION(POSITIVE, max_time, "max-time", "SECONDS", "stop after so many seconds"),
    IL_CLI_OPTION(FLAG, lua.quiet, "quiet", NULL, "no progress")};

static il_status write_text(const char *folder, const char *name, const char *page,
                            const json_t *report, il_error *err) {
    il_file file = {.stream = NULL};
    char *path = il_alloc_format("%s/%s", folder, name);
    il_status status = il_file_open(&file, path, err);
    if (status == IL_OK && page != NULL) {
        (void)fputs(page, file.stream);
    } else if (status == IL_OK) {
        il_json_print(report, JSON_INDENT(1) | JSON_SORT_KEYS, file.stream);
    }
    status = il_file_end(&file, status, err);
    free(path);
    return status;
}

static int board(void *self, const il_cli_words *words, il_error *err) {
    request *r = self;
    json_t *report = NULL;
    char *page = NULL;
    (void)words;
    const il_board_request asked = {.schemes = r->schemes.list,
                                    .nschemes = r->schemes.n,
                                    .problems = r->problems.list,
                                    .nproblems = r->problems.n,
                                    .questions = r->questions.list,
                                    .nquestions = r->questions.n,
                                    .claim = r->claim,
                                    .question_time = r->question_time};
    r->lua.messages = r->lua.quiet ? NULL : stderr;
    r->lua.script = "board";
    r->lua.trusted = true; /* its Lua is the program's own; programs are the user's to name */
    il_lua_guard_start(r->max_time);
    il_status status = il_lua_board(&r->lua, &asked, &report, &page, err);
    if (status == IL_OK && r->lua.results != NULL) {
        status = write_text(r->lua.results, "board.json", NULL, report, err);
    }
    if (status == IL_OK && r->lua.results != NULL) {
        status = write_text(r->lua.results, "index.html", page, NULL, err);
    }
    if (status == IL_OK && r->json) {
        il_json_print(report, JSON_SORT_KEYS, stdout);
    } else if (status == IL_OK) {
        status = il_cli_report_print(report, "board", false, err);
    }
    if (status == IL_OK && r->lua.results != NULL && !r->json) {
        il_cli_say(stdout, "%s/index.html", r->lua.results);
    }
    json_decref(report);
    free(page);
    return il_cli_ended(status);
}

const il_cli_verb il_cli_board = {
    .name = "board",
    .text = "schemes, engines and your program, each asked the same questions",
    .run = board,
    IL_CLI_REQUEST(.claim = "converges", .question_time = 8.0,
                   .lua = {.limits = {.seconds = 30.0}}),
    .usage = IL_CLI_LINES("[--schemes A,B,...] [--problems A,B,...] [OPTIONS]"),
    IL_CLI_OPTIONS(known),
    .notes =
        "A row is a scheme, a column a question of a problem: orders and verdicts, overlaps,\n"
        "drift of momentum, the price of an error; what a bounce gains, a rebound test, rest,\n"
        "accumulation, several contacts, nonuniqueness, the price of a contact. What a scheme\n"
        "refuses is '-', with its reason. A question about a problem that --problems leaves\n"
        "out is not asked. A verdict FAIL is an answer: the status is 0.\n",
    .examples =
        IL_CLI_LINES("--schemes maury,moreau_jean --problems bouncing_ball --json",
                     "--schemes maury,impulse:as=ode --problems bouncing_ball --out board -j 2",
                     "--schemes mabrouk,reflect --questions rebound_1e-3,several"),
    .ends = {"the board is made", "a figure could not be drawn", "bad input", "interrupted"}};
