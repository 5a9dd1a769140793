/*
 * date.h - dates of the proleptic Gregorian calendar in universal time.
 *
 * gmtime_r and strftime read the time zone even for universal time, and crash when they get no
 * memory for it: il_date_utc, which every record needs, allocates nothing.
 */
#ifndef IL_DATE_H
#define IL_DATE_H

#include <time.h>

enum { IL_DATE = 32 };

/* The current time, for dates and for comparison with times of files. This clock may be set and may
 * jump; durations use the monotonic one (scripts/check_clock.sh). */
time_t il_date_now(void);
long long il_date_now_ns(void); /* in nanoseconds */

/* "YYYY-MM-DDThh:mm:ssZ" (RFC 3339), seconds being counted from 1970; "" outside of the years 0 to
 * 9999. */
void il_date_utc(time_t seconds, char text[IL_DATE]);

/* The inverse, in seconds since 1970; -1 for other text. */
time_t il_date_seconds(const char *text);

#endif
