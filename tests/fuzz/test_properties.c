/*
 * test_properties.c - the harnesses as properties: random inputs by a fixed seed, and what breaks
 * one is shrunk and printed. The variable TRIES asks for more of them (make properties), and for a
 * line of the table in README.md each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/text.h"

#include "tests/fuzz/fuzz.h"
#include "tests/support/shrink.h"
#include "tests/support/suite.h"

enum { TRIES = 10000, BYTES = 160, SEED = 14 };

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
    uint8_t data[IL_SHRINK_ROOM];
    size_t n = 0;
    il_error err = {IL_OK, ""};
    size_t found = il_shrink_search(harness->one, SEED, tries, BYTES, data, &n, &err);
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

/* Broken where some byte is at least 200 and a later one is odd. */
static il_status planted(const uint8_t *data, size_t n, il_error *err) {
    bool large = false;
    for (size_t k = 0; k < n; k++) {
        if (large && data[k] % 2 == 1) {
            return il_fail(err, IL_EINTERNAL, "planted");
        }
        large = large || data[k] >= 200;
    }
    return IL_OK;
}

static void what_breaks_a_property_is_made_least(void) {
    const uint8_t least[] = {200, 1};
    uint8_t data[IL_SHRINK_ROOM];
    size_t n = 0;
    il_error err = {IL_OK, ""};
    CU_ASSERT(il_shrink_search(planted, SEED, 100, 100, data, &n, &err) > 0);
    CU_ASSERT_EQUAL_FATAL(n, sizeof least);
    CU_ASSERT_EQUAL(memcmp(data, least, n), 0);
    CU_ASSERT_STRING_EQUAL(err.message, "planted");
}

static const il_test tests[] = {
    {"what breaks a property is made least", what_breaks_a_property_is_made_least},
    {"laws know no frame, no names and no units", laws_know_no_frame_names_or_units},
    {"impacts of all magnitudes hold or say why", impacts_of_all_magnitudes_hold_or_say_why},
    {"the neighbour search holds", the_neighbour_search_holds},
    {"projectors, certificates and numbers hold", projectors_certificates_and_numbers_hold},
    {NULL, NULL},
};

const il_suite il_suite_properties = {"properties", tests};
