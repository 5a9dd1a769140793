/*
 * demand.h - what a machine asks of verdicts: which of them end a verb with status 1, and the same
 * cases as JUnit's XML, one <testcase> a verdict.
 */
#ifndef IL_CLI_DEMAND_H
#define IL_CLI_DEMAND_H

#include <jansson.h>
#include <stdbool.h>

#include "harness/base/status.h"

/* Zeroed but for require, -1: FAIL alone ends with status 1. */
typedef struct {
    int require;       /* 0: INCONCLUSIVE does too (--require PASS) */
    double fail_below; /* so does an order below it, or none; 0: no such bound */
    const char *norm;  /* orders in other norms decide nothing; NULL: all decide */
    const char *junit; /* the file, or NULL */
} il_cli_demand;

#define IL_CLI_DEMAND_NONE                                                                         \
    { .require = -1 }

/* Options of a verb whose request has il_cli_demand demand. */
#define IL_CLI_REQUIRE(...)                                                                        \
    IL_CLI_OPTION(CHOICE, demand.require, "require", "PASS",                                       \
                  "status 1 where a verdict is INCONCLUSIVE, too", __VA_ARGS__)
#define IL_CLI_FAIL_BELOW(...)                                                                     \
    IL_CLI_OPTION(POSITIVE, demand.fail_below, "fail-below", "P",                                  \
                  "status 1 where an order is below P, or there is none", .most = 16, __VA_ARGS__)
#define IL_CLI_JUNIT                                                                               \
    IL_CLI_OPTION(TEXT, demand.junit, "junit", "FILE.xml",                                         \
                  "also each verdict as a test case in JUnit's XML")

/* Is more asked of orders than that none is refuted? */
bool il_cli_demands_orders(const il_cli_demand *demand);

/* Does an order in a norm (NULL: a verdict that is of no order), with this verdict, fail? */
bool il_cli_demand_fails(const il_cli_demand *demand, const char *norm, const char *verdict,
                         double order);

/* Can the file of --junit be written? Asked before anything is run. IL_EIO. */
il_status il_cli_demand_check(const il_cli_demand *demand, il_error *err);

/* Test cases: an array of {class, name, outcome, text}; the caller decrefs it. outcome is "passed",
 * "failed" or "skipped". */
typedef struct {
    json_t *list;
} il_cli_cases;

/* Add one: failed as told, else skipped where the verdict is INCONCLUSIVE or NOT APPLICABLE. */
void il_cli_cases_add(il_cli_cases *cases, const char *group, const char *name, bool failed,
                      const char *verdict, const char *text);

/* Write them as the suite "impactlab VERB" to demand->junit, unless that is NULL, and free them.
 * IL_EIO. */
il_status il_cli_cases_write(il_cli_cases *cases, const il_cli_demand *demand, const char *verb,
                             il_error *err);

#endif
