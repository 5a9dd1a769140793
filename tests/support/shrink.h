/*
 * shrink.h - properties of inputs that are bytes: random ones are tried, and one that breaks the
 * property is made as short and as small as it can be while it still does.
 */
#ifndef IL_TESTS_SHRINK_H
#define IL_TESTS_SHRINK_H

#include <stddef.h>
#include <stdint.h>

#include "harness/base/status.h"

enum { IL_SHRINK_ROOM = 512 };

/* IL_OK if the property holds of data[n], else what does not hold in err. */
typedef il_status (*il_property)(const uint8_t *data, size_t n, il_error *err);

/* Try property on `tries` inputs of up to most <= IL_SHRINK_ROOM bytes, drawn from seed. 0 if it
 * holds of all; else the number of the try, from 1, that did not, with the shrunken input in
 * data[*n] and what it breaks in err. */
size_t il_shrink_search(il_property property, uint64_t seed, size_t tries, size_t most,
                        uint8_t data[IL_SHRINK_ROOM], size_t *n, il_error *err);

#endif
