/*
 * random.c - numbers and schemes from bytes.
 */
#include "tests/random/random.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

uint8_t il_bytes_take(il_bytes *bytes) {
    if (bytes->left == 0) {
        return 0;
    }
    bytes->left--;
    return *bytes->at++;
}

size_t il_bytes_size(il_bytes *bytes, size_t low, size_t high) {
    size_t word = il_bytes_take(bytes);
    if (high - low > 255) {
        word = 256 * word + il_bytes_take(bytes);
    }
    return low + word % (high - low + 1);
}

size_t il_bytes_columns(il_bytes *bytes, size_t d, size_t *col) {
    unsigned mask = il_bytes_take(bytes);
    size_t n = 0;
    for (size_t k = 0; k < d; k++) {
        if (mask >> k & 1u) {
            col[n++] = k;
        }
    }
    return n;
}

static double raw(il_bytes *bytes) {
    uint8_t word[sizeof(double)];
    double x = 0.0;
    for (size_t k = 0; k < sizeof word; k++) {
        word[k] = il_bytes_take(bytes);
    }
    memcpy(&x, word, sizeof x);
    return x;
}

/* Also infinities and NaN. */
static double any_double(il_bytes *bytes) {
    static const double edges[] = {0.0,       -0.0,      5e-324,   -5e-324,   DBL_MIN, -DBL_MIN,
                                   DBL_MAX,   -DBL_MAX,  INFINITY, -INFINITY, NAN,     1e-320,
                                   1e154,     1e-154,    -1e154,   1e-200,    1e200,   1e16,
                                   0x1.0p-52, 0x1.0p-53, 1e308,    -1e308,    M_SQRT2, 0.1};
    uint8_t kind = il_bytes_take(bytes);
    int8_t small = (int8_t)il_bytes_take(bytes);
    switch (kind % 6) {
    case 0:
        return small;
    case 1:
        return small / 8.0;
    case 2:
        return (kind < 128 ? 1.0 : -1.0) * pow(10.0, small / 4.0);
    case 3:
        return edges[(uint8_t)small % (sizeof edges / sizeof edges[0])];
    case 4:
        return 1.0 + small * DBL_EPSILON;
    default:
        return raw(bytes);
    }
}

double il_bytes_finite(il_bytes *bytes) {
    while (bytes->left > 0) {
        double x = any_double(bytes);
        if (isfinite(x)) {
            return x;
        }
    }
    return 0.0;
}

const il_scheme_type *il_bytes_scheme(il_bytes *bytes) {
    size_t n = 0;
    while (il_scheme_type_at(n) != NULL) {
        n++;
    }
    assert(n > 0);
    return il_scheme_type_at(il_bytes_take(bytes) % n);
}
