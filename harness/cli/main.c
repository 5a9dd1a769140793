/*
 * main.c - the program: its verbs, the command line's first word, what a process sets once.
 */
#include <errno.h>
#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "build_id.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/rational.h"
#include "harness/base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/verb.h"

static const il_cli_verb *const verbs[] = {
    &il_cli_list,         &il_cli_show,   &il_cli_run,   &il_cli_sweep,
    &il_cli_check,        &il_cli_judge,  &il_cli_law,   &il_cli_board,
    &il_cli_verify,       &il_cli_figure, &il_cli_solve, &il_cli_report,
    &il_cli_results_verb, &il_cli_status, &il_cli_help,  NULL};

enum { VERBS = sizeof verbs / sizeof verbs[0] - 1 };

static int complain_unknown(char *word) {
    const char *names[VERBS];
    for (size_t k = 0; k < VERBS; k++) {
        names[k] = verbs[k]->name;
    }
    il_cli_hint hint = il_cli_nearest(word, names, VERBS, ".");
    il_text_make_printable(word, false);
    (void)fprintf(stderr, "impactlab: unknown verb '%s'%s Known: ", word, hint.text);
    for (size_t k = 0; k < VERBS; k++) {
        (void)fprintf(stderr, "%s%s", k == 0 ? "" : ", ", names[k]);
    }
    (void)fputc('\n', stderr);
    return IL_EXIT_USAGE;
}

static int run_words(int argc, char **argv) {
    if (argc < 2) {
        il_cli_print_overview(stderr, verbs);
        return IL_EXIT_USAGE;
    }
    char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        il_cli_print_overview(stdout, verbs);
        return IL_EXIT_OK;
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        (void)printf("impactlab %s (build %s)\n", IL_VERSION, IL_BUILD_ID);
        return IL_EXIT_OK;
    }
    const il_cli_verb *verb = il_cli_verb_find(verbs, word);
    if (verb == NULL) {
        return complain_unknown(word);
    }
    if (il_cli_asks_help(argc - 1, argv + 1)) {
        il_cli_print_help(stdout, verb);
        return IL_EXIT_OK;
    }
    return il_cli_perform(verb, verbs, argc - 1, argv + 1);
}

/* Has the program that reads our output ended, as in `impactlab list | head`? */
static bool reader_has_gone(void) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

/* argv[1] is the verb. If standard output could not be written the status is 2, whatever the verb
 * returned; a reader that has ended, as head(1) does, is no failure. */
static int program(int argc, char **argv) {
    int status = run_words(argc, argv);
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && !reader_has_gone()) {
        (void)fprintf(stderr, "impactlab: standard output could not be written%s%s\n",
                      errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
        return IL_EXIT_USAGE;
    }
    return status;
}

/* ---- the process ---------------------------------------------------------------------------- */

/* A closed standard stream would be reused for the next file that is opened, which would then
 * receive the output. Open an empty input; writing to a closed output fails. */
static bool open_streams(void) {
    static const int flags[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags[fd]) != fd) {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv) {
    if (!open_streams()) {
        return IL_EXIT_INTERNAL; /* and nowhere to say so */
    }
    (void)signal(SIGPIPE, SIG_IGN); /* errors of the writes that meet them, with a message */
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)signal(SIGCHLD, SIG_DFL); /* a parent may have ignored it: our children are waited for */
    (void)gsl_set_error_handler(il_memory_gsl); /* GSL's other statuses are mapped to ours */
    il_json_init();
    il_rational_init();
    return program(argc, argv);
}
