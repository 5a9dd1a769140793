/*
 * interrupt.h - Ctrl-C ends a run after the step at hand, with a record and a message.
 */
#ifndef IL_INTERRUPT_H
#define IL_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM are noted; a second one ends the program at once. */
void il_interrupt_watch(void);

/* Has one come? */
bool il_interrupted(void);

#endif
