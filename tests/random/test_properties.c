/*
 * test_properties.c - the properties of random.h on random inputs by a fixed seed. An input that
 * breaks a property is printed. The variable TRIES asks for more (make properties).
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/text.h"
#include "tests/random/random.h"
#include "tests/support/suite.h"

enum { TRIES = 10000, BYTES = 160, SEED = 14 };

/* Steele, Lea & Flood 2014: splitmix64. */
static uint64_t next_word(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static bool holds(const il_property *property, const uint8_t *data, size_t n) {
    il_error err = {IL_OK, ""};
    bool fine = property->one(data, n, &err) == IL_OK;
    CU_ASSERT(fine);
    if (!fine) {
        (void)printf("\n%s: %s\n  input ", property->name, err.message);
        for (size_t k = 0; k < n; k++) {
            (void)printf("\\x%02x", data[k]);
        }
        (void)putchar('\n');
    }
    return fine;
}

static void hold(const il_property *property) {
    const char *asked = getenv("TRIES");
    size_t tries = TRIES;
    uint64_t state = SEED;
    bool fine = true;
    if (asked != NULL) {
        CU_ASSERT_FATAL(il_text_count(asked, &tries) && tries > 0);
    }
    for (size_t k = 0; fine && k < tries; k++) {
        uint8_t data[BYTES];
        size_t n = 1 + next_word(&state) % BYTES;
        for (size_t i = 0; i < n; i++) {
            data[i] = (uint8_t)(next_word(&state) >> 32);
        }
        fine = holds(property, data, n);
    }
}

extern const il_property il_property_symmetry, il_property_certificate;

static void laws_know_no_frame_names_or_units(void) {
    hold(&il_property_symmetry);
}

static void certificates_are_those_of_rational_numbers(void) {
    hold(&il_property_certificate);
}

static const il_test tests[] = {
    {"laws know no frame, no names and no units", laws_know_no_frame_names_or_units},
    {"certificates are those of rational numbers", certificates_are_those_of_rational_numbers},
    {NULL, NULL},
};

const il_suite il_suite_properties = {"properties", tests};
