/*
 * shrink.c - greedy shrinking: pieces are cut out, halves first, then bytes are made less, as long
 * as either keeps the property broken (Zeller & Hildebrandt 2002, without their sets of
 * complements).
 */
#include "tests/support/shrink.h"

#include <stdbool.h>
#include <string.h>

/* Steele, Lea & Flood 2014: splitmix64. */
static uint64_t next_word(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static bool broken(il_property property, const uint8_t *data, size_t n, il_error *err) {
    il_error said = {IL_OK, ""};
    if (property(data, n, &said) == IL_OK) {
        return false;
    }
    *err = said;
    return true;
}

/* Without `piece` bytes somewhere. */
static bool cut(il_property property, uint8_t *data, size_t *n, size_t piece, il_error *err) {
    uint8_t less[IL_SHRINK_ROOM];
    for (size_t at = 0; at + piece <= *n; at += piece) {
        memcpy(less, data, at);
        memcpy(less + at, data + at + piece, *n - at - piece);
        if (broken(property, less, *n - piece, err)) {
            *n -= piece;
            memcpy(data, less, *n);
            return true;
        }
    }
    return false;
}

/* A byte set to 0, to its half, or lowered by 1 or 2. */
static bool lower(il_property property, uint8_t *data, size_t n, il_error *err) {
    for (size_t k = 0; k < n; k++) {
        uint8_t was = data[k];
        const uint8_t tries[4] = {0, (uint8_t)(was / 2), (uint8_t)(was - 1), (uint8_t)(was - 2)};
        for (size_t i = 0; was > 0 && i < 4; i++) {
            data[k] = tries[i];
            if (tries[i] < was && broken(property, data, n, err)) {
                return true;
            }
        }
        data[k] = was;
    }
    return false;
}

static void shrink(il_property property, uint8_t *data, size_t *n, il_error *err) {
    bool smaller = true;
    while (smaller) {
        smaller = false;
        for (size_t piece = *n; piece > 0 && !smaller; piece /= 2) {
            smaller = cut(property, data, n, piece, err);
        }
        smaller = smaller || lower(property, data, *n, err);
    }
}

size_t il_shrink_search(il_property property, uint64_t seed, size_t tries, size_t most,
                        uint8_t data[IL_SHRINK_ROOM], size_t *n, il_error *err) {
    uint64_t state = seed;
    for (size_t k = 1; k <= tries; k++) {
        *n = 1 + next_word(&state) % most;
        for (size_t i = 0; i < *n; i++) {
            data[i] = (uint8_t)(next_word(&state) >> 32);
        }
        if (broken(property, data, *n, err)) {
            shrink(property, data, n, err);
            return k;
        }
    }
    return 0;
}
