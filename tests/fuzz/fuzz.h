/*
 * fuzz.h - a harness: bytes from anywhere become an input of one part of the program, and what that
 * part promises is checked. tests/fuzz/fuzz_NAME.c defines `const il_fuzz il_fuzz_NAME` and the
 * build finds it: `make fuzz` hands it to libFuzzer, and the suite `fuzz` replays the kept inputs.
 *
 * A harness depends on its bytes alone and leaves nothing behind. Bytes that are no input of its
 * part (a problem too large to be quick) are well.
 */
#ifndef IL_TESTS_FUZZ_H
#define IL_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/status.h"
#include "harness/run/registry.h"

typedef struct {
    const char *name;
    const char *text; /* what it tries, one line of the table in README.md */

    /* Try data[n]. IL_OK if all that is promised holds, else what does not in err. */
    il_status (*one)(const uint8_t *data, size_t n, il_error *err);
} il_fuzz;

/* Bytes that are taken from the front; zeros follow the last. */
typedef struct {
    const uint8_t *at;
    size_t left;
} il_bytes;

uint8_t il_bytes_take(il_bytes *bytes);

/* An integer in [low, high], high - low < 2^16. */
size_t il_bytes_size(il_bytes *bytes, size_t low, size_t high);

/* An integer in [low, high], high - low < 16, fifteen times in sixteen at most low + 3: small
 * problems are quick, and have the faults that large ones have. */
size_t il_bytes_few(il_bytes *bytes, size_t low, size_t high);

/* Any double: small integers and eighths, powers of ten, edges (zeros of both signs, denormals, the
 * largest, infinities, NaN), neighbours of 1, or eight bytes as they are. */
double il_bytes_double(il_bytes *bytes);

/* The same until it is finite; 0 once the bytes are used up. */
double il_bytes_finite(il_bytes *bytes);

/* A member of a registry. */
const il_problem_type *il_bytes_problem(il_bytes *bytes);
const il_scheme_type *il_bytes_scheme(il_bytes *bytes);
const il_projector_type *il_bytes_projector(il_bytes *bytes);

/* Columns of a row in d <= 8 coordinates, one byte a mask, into col[d]; how many there are. */
size_t il_bytes_columns(il_bytes *bytes, size_t d, size_t *col);

/* The bytes that are left as a text, to be freed; a NUL ends it early. Never NULL. */
char *il_bytes_text(il_bytes *bytes);

#endif
