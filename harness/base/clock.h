/*
 * clock.h - seconds that pass, for durations, deadlines and estimates; dates are date.h's.
 */
#ifndef IL_CLOCK_H
#define IL_CLOCK_H

/* Of the monotonic clock, from some time on. May be called by a signal handler. */
double il_clock_seconds(void);

/* The same clock, good to some milliseconds, and cheap enough to be asked in every step. */
double il_clock_seconds_coarse(void);

#endif
