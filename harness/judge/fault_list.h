/*
 * fault_list.h - the list of faults found in samples.
 */
#ifndef IL_JUDGE_FAULT_LIST_H
#define IL_JUDGE_FAULT_LIST_H

#include <stdbool.h>
#include <stddef.h>

enum { IL_FAULTS_MAX = 12 };

typedef struct {
    const char *name; /* "shifted samples", ... */
    char text[400];   /* with the numbers that show it */
} il_fault;

typedef struct {
    size_t n;
    il_fault list[IL_FAULTS_MAX];
    bool whole;     /* false: there were too many samples to look for faults */
    size_t impacts; /* that stood alone, */
    double e_low,
        e_high; /* and what they say of e: what their intervals share, or medians of the ends */
} il_faults;

#endif
