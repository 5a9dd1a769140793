/*
 * main.c - the program.
 */
#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdbool.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/rational.h"
#include "harness/cli/cli.h"

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
    return il_cli_program(argc, argv);
}
