/*
 * stored.h - cases to be stored: case k is of sticky with N = k + 1 bodies, by 10 k + 10 steps.
 */
#ifndef IL_TESTS_STORED_H
#define IL_TESTS_STORED_H

#include <jansson.h>
#include <stddef.h>

enum { IL_TEST_KEY = 256 };

/* Its key, as the build "b" makes it. */
void il_test_key(size_t k, char key[IL_TEST_KEY]);

/* A record of that key with this error, the caller's. */
json_t *il_test_record(size_t k, double u_L1);

#endif
