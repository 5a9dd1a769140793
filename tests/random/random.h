/*
 * random.h - a property: bytes become an input of one part of the program, and what that part
 * promises is checked. test_properties.c draws random bytes. A property depends on its bytes alone.
 */
#ifndef IL_TESTS_RANDOM_H
#define IL_TESTS_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/status.h"
#include "harness/run/registry.h"

typedef struct {
    const char *name;

    /* Try data[n]. IL_OK if all that is promised holds, else what does not in err. */
    il_status (*one)(const uint8_t *data, size_t n, il_error *err);
} il_property;

/* Bytes that are taken from the front; zeros follow the last. */
typedef struct {
    const uint8_t *at;
    size_t left;
} il_bytes;

uint8_t il_bytes_take(il_bytes *bytes);

/* An integer in [low, high], high - low < 2^16. */
size_t il_bytes_size(il_bytes *bytes, size_t low, size_t high);

/* Any finite double: small integers and eighths, powers of ten, edges (zeros of both signs,
 * denormals, the largest), neighbours of 1, or eight bytes as they are; 0 once the bytes are used
 * up. */
double il_bytes_finite(il_bytes *bytes);

/* A registered scheme. */
const il_scheme_type *il_bytes_scheme(il_bytes *bytes);

/* Columns of a row in d <= 8 coordinates, one byte a mask, into col[d]; how many there are. */
size_t il_bytes_columns(il_bytes *bytes, size_t d, size_t *col);

#endif
