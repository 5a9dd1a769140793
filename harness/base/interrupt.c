/*
 * interrupt.c - the one variable that a signal handler may write.
 */
#include "harness/base/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t noted;

static void note(int number) {
    (void)number;
    noted = 1;
}

void il_interrupt_watch(void) {
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

bool il_interrupted(void) {
    return noted != 0;
}
