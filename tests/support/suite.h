/*
 * suite.h - one CUnit suite a module: tests/ROOM/test_NAME.c defines `const il_suite il_suite_NAME`
 * and the build finds it. Write assertions so that NaN fails them: CU_ASSERT(error <= tolerance),
 * never CU_ASSERT_FALSE(error > tolerance).
 */
#ifndef IL_TESTS_SUITE_H
#define IL_TESTS_SUITE_H

#include <CUnit/CUnit.h>

typedef struct {
    const char *name; /* a sentence that holds: "a failed step leaves its input untouched" */
    void (*run)(void);
} il_test;

typedef struct {
    const char *name;
    const il_test *tests; /* ends with name NULL */
} il_suite;

/* The registries, for tests that run over all members; each ends with NULL. */
#include "harness/run/registry.h"

#endif
