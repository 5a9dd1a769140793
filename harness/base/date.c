/*
 * date.c - days counted from 1 March, so that the leap day ends a year, in eras of 400 years:
 *
 *   day of era = 365 y + y/4 - y/100 + day of year,   day of year = (153 m + 2)/5 + day
 *
 * with m = 0 for March, in whole numbers (the months from March on have 153 days in five).
 */
#include "harness/base/date.h"

#include <stdio.h>
#include <string.h>

enum { DAY = 86400, ERA = 146097 /* days of 400 years */, MARCH = 719468 /* 0000-03-01 to 1970 */ };

void il_date_utc(time_t seconds, char text[IL_DATE]) {
    const long long first = -62167219200; /* 0000-01-01 */
    const long long end = 253402300800;   /* 10000-01-01 */
    long long at = (long long)seconds;
    text[0] = '\0';
    if (at < first || at >= end) {
        return;
    }
    long long shifted = at + (long long)MARCH * DAY + (long long)ERA * DAY; /* not negative */
    long long days = shifted / DAY;
    int rest = (int)(shifted % DAY);
    long long era = days / ERA - 1;
    int day = (int)(days % ERA);
    int year = (day - day / 1460 + day / 36524 - day / (ERA - 1)) / 365;
    int of_year = day - (365 * year + year / 4 - year / 100);
    int m = (5 * of_year + 2) / 153;
    int month = m < 10 ? m + 3 : m - 9;
    (void)snprintf(text, IL_DATE, "%04d-%02d-%02dT%02d:%02d:%02dZ",
                   (int)(era * 400) + year + (month <= 2 ? 1 : 0), month,
                   of_year - (153 * m + 2) / 5 + 1, rest / 3600, rest / 60 % 60, rest % 60);
}

time_t il_date_seconds(const char *text) {
    char again[IL_DATE];
    int year = 0;
    int month = 0;
    int day = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;
    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ", &year, &month, &day, &hour, &minute, &second) !=
        6) {
        return -1;
    }
    int m = month > 2 ? month - 3 : month + 9;
    int y = month > 2 ? year : year - 1;
    long long days = 365LL * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - MARCH;
    time_t seconds = (time_t)(days * DAY + hour * 3600LL + minute * 60LL + second);
    il_date_utc(seconds, again); /* there is no 30 February, no 25 o'clock */
    return seconds >= 0 && strcmp(again, text) == 0 ? seconds : -1;
}
