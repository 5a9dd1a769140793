/*
 * stored.c - keys and records that il_stored_judge takes for each other's.
 */
#include "tests/support/stored.h"

#include <stdio.h>

void il_test_key(size_t k, char key[IL_TEST_KEY]) {
    (void)snprintf(key, IL_TEST_KEY,
                   "{\"build\":\"b\",\"h\":null,\"parameters\":{\"N\":%zu},\"problem\":\"sticky\","
                   "\"projector\":{\"name\":\"auto\"},\"scheme\":\"maury\",\"steps\":%zu}",
                   k + 1, 10 * k + 10);
}

json_t *il_test_record(size_t k, double u_L1) {
    return json_pack("{s:s, s:s, s:s, s:i, s:f, s:s, s:s, s:{s:i}, s:{s:f}}", "problem", "sticky",
                     "scheme", "maury", "projector", "auto", "steps", (int)(10 * k + 10), "h",
                     0.1 / (double)(k + 1), "build", "b", "status", "ok", "parameters", "N",
                     (int)(k + 1), "error", "u_L1", u_L1);
}
