/*
 * host.h - what a call into the library sets in its thread, and puts back: the locale "C", because
 * numbers are read and written whatever setlocale the host has called; and who is asked whether to
 * stop. Functions of the caller run in the caller's locale.
 */
#ifndef IL_LIBRARY_HOST_H
#define IL_LIBRARY_HOST_H

#include <locale.h>

#include "harness/base/interrupt.h"
#include "harness/library/impactlab.h"

typedef struct {
    locale_t locale; /* of the call that this one stands in; 0: of none */
    il_interrupt_asked asked;
} il_host;

/* Around a call. problem may be NULL: then nobody is asked. */
il_host il_host_enter(const impactlab_problem *problem);
void il_host_leave(const il_host *before);

/* Around a function of the caller's within one. */
void il_host_out(void);
void il_host_in(void);

#endif
