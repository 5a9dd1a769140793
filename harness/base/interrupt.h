/*
 * interrupt.h - requests to stop the program: Ctrl-C, kill, a closed terminal, the end of a time
 * limit. Long work polls il_interrupted and returns IL_EINTERRUPTED.
 *
 * The state is one variable per process, because a signal is delivered to a process; a thread may
 * have a function asked besides, as the library does.
 */
#ifndef IL_INTERRUPT_H
#define IL_INTERRUPT_H

#include <stdbool.h>
#include <stddef.h>

/* Grace period: a program that still runs this long after it was asked to stop is ended, with the
 * exit status of an interruption, because a loop inside a library cannot poll. Files appear whole,
 * so none is damaged. Four times as long under a sanitizer, which is slow to free gigabytes. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IL_INTERRUPT_GRACE_MS 3200
#else
#define IL_INTERRUPT_GRACE_MS 800
#endif

/* Handle SIGINT, SIGTERM, SIGQUIT, SIGXCPU and, unless it is ignored as by nohup, SIGHUP from now
 * on. The first signal counts; later ones change nothing. */
void il_interrupt_watch(void);

/* Also stop after this many seconds > 0 (--max-time). */
void il_interrupt_after(double seconds);

/* Has the program been asked to stop, or does this thread's function say so? */
bool il_interrupted(void);

/* A function that says whether this thread is to stop: not 0, which is kept. It is called every
 * twentieth of a second at most. */
typedef struct {
    int (*ask)(void *context); /* NULL: none */
    void *context;
    double next; /* when it may be asked again; 0: at once */
    bool stop;   /* it said so */
} il_interrupt_asked;

/* Ask it in this thread from now on. Returns whom it replaces, to be put back. */
il_interrupt_asked il_interrupt_ask(il_interrupt_asked asked);

/* Is the grace period nearly over? Then the writing of a large file is abandoned and its scratch
 * file removed, which would otherwise be left behind. */
bool il_interrupt_presses(void);

/* The beginning of messages: "interrupted", "stopped by --max-time", "stopped by the limit of
 * processor time". */
const char *il_interrupt_reason(void);

/* The k-th handled signal, 0 past the end. */
int il_interrupt_signal(size_t k);

/* A handled signal arrived by other means (signalfd): treat it as if it had been caught. Nothing
 * happens in a process that does not handle signals. */
void il_interrupt_note(int number);

/* Call tell(data) once, from the signal handler: it must be async-signal-safe. NULL: no call. */
void il_interrupt_tell(void (*tell)(void *data), void *data);

/* In a forked worker: leave signals to the parent, which ends the worker. */
void il_interrupt_leave(void);

#endif
