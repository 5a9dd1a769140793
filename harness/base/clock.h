/*
 * clock.h - elapsed seconds, for durations, deadlines and estimates. Dates: date.h.
 */
#ifndef IL_CLOCK_H
#define IL_CLOCK_H

/* Seconds of the monotonic clock, from an arbitrary origin. Safe in a signal handler. */
double il_clock_seconds(void);

/* The same clock to some milliseconds, cheap enough to be read in every step. */
double il_clock_seconds_coarse(void);

#endif
