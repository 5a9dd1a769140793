/*
 * test_properties.c - the harnesses as properties: random inputs by a fixed seed; one that breaks a
 * property is printed. The variable TRIES asks for more of them (make properties), and for a line
 * of the table in README.md each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "harness/base/text.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/suite.h"

enum { TRIES = 10000, BYTES = 160, SEED = 14 };

/* Steele, Lea & Flood 2014: splitmix64. */
static uint64_t next_word(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The number of the try, from 1, that broke the harness, with its input in data[*n]; 0: none. */
static size_t search(const il_fuzz *harness, size_t tries, uint8_t data[BYTES], size_t *n,
                     il_error *err) {
    uint64_t state = SEED;
    for (size_t k = 1; k <= tries; k++) {
        *n = 1 + next_word(&state) % BYTES;
        for (size_t i = 0; i < *n; i++) {
            data[i] = (uint8_t)(next_word(&state) >> 32);
        }
        if (harness->one(data, *n, err) != IL_OK) {
            return k;
        }
    }
    return 0;
}

static void print_input(const uint8_t *data, size_t n) {
    for (size_t k = 0; k < n; k++) {
        (void)printf("\\x%02x", data[k]);
    }
    (void)putchar('\n');
}

static void hold(const il_fuzz *harness) {
    const char *asked = getenv("TRIES");
    size_t tries = TRIES;
    if (asked != NULL) {
        CU_ASSERT_FATAL(il_text_count(asked, &tries) && tries > 0);
    }
    time_t start = time(NULL);
    uint8_t data[BYTES];
    size_t n = 0;
    il_error err = {IL_OK, ""};
    size_t found = search(harness, tries, data, &n, &err);
    CU_ASSERT_EQUAL(found, 0);
    if (found > 0) {
        (void)printf("\n%s, try %zu of seed %d: %s\n  input ", harness->name, found, SEED,
                     err.message);
        print_input(data, n);
    }
    if (asked != NULL) {
        (void)printf("\n| `%s` | random | %zu | %d | %.0f | %d |\n", harness->name,
                     found > 0 ? found : tries, SEED, difftime(time(NULL), start), found > 0);
    }
}

extern const il_fuzz il_fuzz_symmetry, il_fuzz_impacts, il_fuzz_search, il_fuzz_projectors,
    il_fuzz_certificate, il_fuzz_values;

static void laws_know_no_frame_names_or_units(void) {
    hold(&il_fuzz_symmetry);
}

static void impacts_of_all_magnitudes_hold_or_say_why(void) {
    hold(&il_fuzz_impacts);
}

static void the_neighbour_search_holds(void) {
    hold(&il_fuzz_search);
}

static void projectors_certificates_and_numbers_hold(void) {
    hold(&il_fuzz_projectors);
    hold(&il_fuzz_certificate);
    hold(&il_fuzz_values);
}

static const il_test tests[] = {
    {"laws know no frame, no names and no units", laws_know_no_frame_names_or_units},
    {"impacts of all magnitudes hold or say why", impacts_of_all_magnitudes_hold_or_say_why},
    {"the neighbour search holds", the_neighbour_search_holds},
    {"projectors, certificates and numbers hold", projectors_certificates_and_numbers_hold},
    {NULL, NULL},
};

const il_suite il_suite_properties = {"properties", tests};
