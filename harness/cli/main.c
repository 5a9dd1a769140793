/*
 * main.c - the program.
 */
#include <gsl/gsl_errno.h>

#include "harness/cli/cli.h"

int main(int argc, char **argv) {
    (void)gsl_set_error_handler_off(); /* GSL's statuses are mapped to ours */
    return il_cli_program(argc, argv);
}
