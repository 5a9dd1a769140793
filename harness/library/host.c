/*
 * host.c - a thread's locale and its question, for the time of a call. Nothing of the process is
 * set: uselocale is of one thread, and newlocale gives "C" without memory.
 */
#include "harness/library/host.h"

#include <gsl/gsl_errno.h>
#include <stdio.h>

#include "harness/base/memory.h"
#include "harness/library/handles.h"

static _Thread_local locale_t theirs; /* of the caller in this thread; 0: no call is under way */

/* GSL is linked into the library: its handler is ours, and no other thread runs yet. */
__attribute__((constructor)) static void quiet(void) {
    (void)gsl_set_error_handler(il_memory_gsl);
}

void il_host_in(void) {
    theirs = uselocale(newlocale(LC_ALL_MASK, "C", NULL));
}

void il_host_out(void) {
    (void)uselocale(theirs);
}

il_host il_host_enter(const impactlab_problem *problem) {
    il_interrupt_asked asked = {.ask = NULL};
    if (problem != NULL) {
        asked = (il_interrupt_asked){.ask = problem->stop, .context = problem->stop_context};
    }
    il_host before = {theirs, il_interrupt_ask(asked)};
    il_host_in();
    return before;
}

void il_host_leave(const il_host *before) {
    il_host_out();
    theirs = before->locale;
    (void)il_interrupt_ask(before->asked);
}

/* The streams of GSL's archives, which are not made for a library: they would be sent errors that
 * the error handler does not let through. */
extern FILE *il_gsl_stderr, *il_gsl_stdout;
FILE *il_gsl_stderr;
FILE *il_gsl_stdout;

__attribute__((constructor)) static void open_streams(void) {
    il_gsl_stderr = stderr;
    il_gsl_stdout = stdout;
}
