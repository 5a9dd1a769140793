/*
 * interrupt.h - what asks the program to stop: Ctrl-C, kill, a closed terminal, the end of a time
 * that was given. Whoever works for long looks at il_interrupted and returns IL_EINTERRUPTED.
 *
 * One variable a process, because a signal reaches a process.
 */
#ifndef IL_INTERRUPT_H
#define IL_INTERRUPT_H

#include <stdbool.h>
#include <stddef.h>

/* What is left of the program this long after it was asked to stop is ended as it stands, with the
 * exit status of an interruption: a library's loop looks at nothing. Files appear whole, so none is
 * harmed. Under a sanitizer, which poisons gigabytes as they are freed, four times as long. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IL_INTERRUPT_GRACE_MS 3200
#else
#define IL_INTERRUPT_GRACE_MS 800
#endif

/* From now on SIGINT, SIGTERM, SIGQUIT, SIGXCPU and, unless it is ignored as by nohup, SIGHUP are
 * noted. The first counts; those that follow change nothing, as the grace ends what does not
 * answer. */
void il_interrupt_watch(void);

/* Note the end of a time of so many seconds > 0 (--max-time) too. */
void il_interrupt_after(double seconds);

/* Has anything asked the program to stop? */
bool il_interrupted(void);

/* Was it asked so long ago that what still runs must end now? What writes a large file gives it up
 * then, and the scratch file goes; else the end of the grace would leave it. */
bool il_interrupt_presses(void);

/* How messages begin: "interrupted", "stopped by --max-time", "stopped by the limit of processor
 * time". */
const char *il_interrupt_reason(void);

/* Signal k of those that are watched, 0 past the end. */
int il_interrupt_signal(size_t k);

/* A watched signal came another way (signalfd): as if it had been caught. Nothing happens in a
 * process that does not watch. */
void il_interrupt_note(int number);

/* Call tell(data) from the signal handler, once: it must be async-signal-safe. NULL: nobody. */
void il_interrupt_tell(void (*tell)(void *data), void *data);

/* In a forked worker: the parent answers signals, and ends us. */
void il_interrupt_leave(void);

/* In a child that the parent waits for, a library's: signals to the group of both (Ctrl-C, timeout)
 * are the parent's to answer, and do not end what it may want to have whole. */
void il_interrupt_ignore(void);

#endif
