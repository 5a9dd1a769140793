/*
 * date.h - dates of the proleptic Gregorian calendar in universal time.
 *
 * gmtime_r and strftime read the time zone even for universal time, and without memory for it the C
 * library ends by a segmentation fault; these take none.
 */
#ifndef IL_DATE_H
#define IL_DATE_H

#include <time.h>

enum { IL_DATE = 32 };

/* "YYYY-MM-DDThh:mm:ssZ" (RFC 3339), seconds being counted from 1970; "" outside of the years 0 to
 * 9999. */
void il_date_utc(time_t seconds, char text[IL_DATE]);

/* What such a text says, in seconds since 1970; -1 for another text, or a day before then. */
time_t il_date_seconds(const char *text);

#endif
