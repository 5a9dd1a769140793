/*
 * clock.c - CLOCK_MONOTONIC, and dates (date.h).
 */
#include "harness/base/clock.h"

#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "harness/base/date.h"

static double ask(clockid_t clock) {
    struct timespec now = {0};
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double il_clock_seconds(void) {
    return ask(CLOCK_MONOTONIC);
}

double il_clock_seconds_coarse(void) {
    return ask(CLOCK_MONOTONIC_COARSE);
}

/* ---- dates ---------------------------------------------------------------------------------- */

/* Days are counted from 1 March, so that the leap day ends a year, in eras of 400 years:
 *
 *   day of era = 365 y + y/4 - y/100 + day of year,   day of year = (153 m + 2)/5 + day
 *
 * with m = 0 for March, in whole numbers (the months from March on have 153 days in five). */
enum { DAY = 86400, ERA = 146097 /* days of 400 years */, MARCH = 719468 /* 0000-03-01 to 1970 */ };

long long il_date_now_ns(void) {
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (long long)now.tv_sec * 1000000000LL + now.tv_nsec;
}

time_t il_date_now(void) {
    return (time_t)(il_date_now_ns() / 1000000000LL);
}

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
    struct tm date = {0};
    const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &date);
    return end != NULL && *end == '\0' ? timegm(&date) : -1;
}
