/*
 * test_field.c - tables of fields and of options: JSON written out by hand, and what is refused.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/field.h"
#include "harness/base/option.h"
#include "tests/support/suite.h"

/* ---- fields --------------------------------------------------------------------------------- */

typedef struct {
    double x, y, events;
    size_t n;
    const char *name, *note;
} thing;

static void add_twice(json_t *object, const char *key, const void *at) {
    il_json_put(object, key, 2.0 * *(const double *)at);
}

static const il_field fields[] = {
    {"x", IL_REAL(thing, x), IL_LENGTH},
    {"part.inner.y", IL_REAL(thing, y), IL_WORK, true},
    {"part.events", .kind = IL_FIELD_WHOLE, .at = offsetof(thing, events), IL_OWN},
    {"n", IL_COUNT(thing, n)},
    {"part.twice", .kind = IL_FIELD_ADDED, .at = offsetof(thing, x), .add = add_twice},
    {"name", IL_TEXT(thing, name)},
    {"note", IL_NOTE(thing, note)},
    {.path = "elsewhere"},
    {.path = NULL}};

static void expect_json(const thing *from, const char *text) {
    json_t *object = il_field_json(fields, from);
    char *written = il_json_text(object);
    CU_ASSERT_STRING_EQUAL(written, text);
    free(written);
    json_decref(object);
}

static void a_struct_is_written_as_its_table_says(void) {
    const thing full = {.x = 0.5, .y = -2.0, .events = 3.0, .n = 7, .name = "a", .note = "b"};
    const thing bare = {.x = NAN, .y = INFINITY, .events = NAN};
    expect_json(&full, "{\"x\": 0.5, \"part\": {\"inner\": {\"y\": -2.0}, \"events\": 3, "
                       "\"twice\": 1.0}, \"n\": 7, \"name\": \"a\", \"note\": \"b\"}");
    expect_json(&bare, "{\"x\": null, \"part\": {\"inner\": {\"y\": null}, \"events\": null, "
                       "\"twice\": null}, \"n\": 0, \"name\": null}");
}

static void fields_are_found_by_their_paths(void) {
    CU_ASSERT_PTR_EQUAL(il_field_find(fields, "part.inner.y"), &fields[1]);
    CU_ASSERT_PTR_EQUAL(il_field_find(fields, "elsewhere"), &fields[7]);
    CU_ASSERT_PTR_NULL(il_field_find(fields, "y"));
    CU_ASSERT_PTR_NULL(il_field_find(fields, "part"));
}

/* ---- options -------------------------------------------------------------------------------- */

typedef struct {
    bool flag, second;
    int choice;
    size_t few, many, n;
    double order, h;
    const char *h_text, *folder;
    double *times;
} asked;

static il_status set_even(void *self, const char *text, il_error *err) {
    size_t *n = self;
    *n = strlen(text);
    return strcmp(text, "no") == 0 ? il_fail(err, IL_EINVAL, "not at all")
           : *n % 2 == 0           ? IL_OK
                                   : IL_EINVAL;
}

#define OF(kind_, member) .kind = IL_OPTION_##kind_, .at = offsetof(asked, member)

static const il_option options[] = {
    {.name = "flag", OF(FLAG, flag)},
    {.name = "either", OF(EITHER, second), .value = "own|other"},
    {.name = "choice", OF(CHOICE, choice), .value = "ab|a|abc"},
    {.letter = 'j', OF(COUNT, few), .least = 2, .most = 64},
    {.name = "many", OF(COUNT, many), .least = 1},
    {.name = "order", OF(POSITIVE, order), .zero = true, .most = 16},
    {.name = "h", OF(POSITIVE, h), .beside = offsetof(asked, h_text)},
    {.name = "out", OF(FOLDER, folder)},
    {.name = "at", OF(NUMBERS, times), .beside = offsetof(asked, n), .value = "t1,t2"},
    {.name = "even", OF(SET, few), .set = set_even, .allowed = "an even number of letters"}};

static void options_fill_their_members(void) {
    static const char *const texts[] = {"",  "other", "a", "64",    "1e6",
                                        "0", "1/4",   "x", "1,2.5", "four"};
    asked to = {.choice = -1};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        CU_ASSERT_EQUAL(il_option_set(&options[k], &to, texts[k], NULL), IL_OK);
        CU_ASSERT_TRUE(k != 3 || to.few == 64);
    }
    CU_ASSERT_TRUE(to.flag && to.second);
    CU_ASSERT_EQUAL(to.choice, 1);
    CU_ASSERT_EQUAL(to.many, 1000000);
    CU_ASSERT_EQUAL(to.order, 0.0);
    CU_ASSERT_EQUAL(to.h, 0.25);
    CU_ASSERT_STRING_EQUAL(to.h_text, "1/4");
    CU_ASSERT_STRING_EQUAL(to.folder, "x");
    CU_ASSERT_EQUAL(to.n, 2);
    CU_ASSERT_EQUAL(to.times[1], 2.5);
    CU_ASSERT_EQUAL(to.few, 4);
    CU_ASSERT_EQUAL(il_option_set(&options[1], &to, "own", NULL), IL_OK);
    CU_ASSERT_FALSE(to.second);
    free(to.times);
}

static void what_is_not_allowed_is_told(void) {
    static const struct {
        size_t option;
        const char *text, *message;
    } wrong[] = {
        {1, "ow", "--either is 'ow'; allowed: own, other"},
        {2, "", "--choice is ''; allowed: ab, a, abc"},
        {2, "ab|a", "--choice is 'ab|a'; allowed: ab, a, abc"},
        {3, "1", "-j is '1'; allowed: an integer from 2 to 64"},
        {3, "65", "-j is '65'; allowed: an integer from 2 to 64"},
        {4, "0", "--many is '0'; allowed: an integer >= 1, at most 2^40"},
        {4, "1099511627777", "--many is '1099511627777'; allowed: an integer >= 1, at most 2^40"},
        {5, "17", "--order is '17'; allowed: a number in [0, 16]"},
        {5, "nan", "--order is 'nan'; allowed: a number in [0, 16]"},
        {6, "0", "--h is '0'; allowed: a number > 0"},
        {6, "inf", "--h is 'inf'; allowed: a number > 0, and finite"},
        {7, "", "--out is ''; allowed: a folder"},
        {8, "1,x", "--at: 'x' is not a number; allowed: t1,t2"},
        {9, "odd", "--even is 'odd'; allowed: an even number of letters"},
        {9, "no", "not at all"}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        asked to = {.flag = false};
        il_error err = {IL_OK, ""};
        CU_ASSERT_EQUAL(il_option_set(&options[wrong[k].option], &to, wrong[k].text, &err),
                        IL_EINVAL);
        CU_ASSERT_STRING_EQUAL(err.message, wrong[k].message);
    }
}

static const il_test tests[] = {
    {"a struct is written as its table says", a_struct_is_written_as_its_table_says},
    {"fields are found by their paths", fields_are_found_by_their_paths},
    {"options fill their members", options_fill_their_members},
    {"what is not allowed is told", what_is_not_allowed_is_told},
    {NULL, NULL}};

const il_suite il_suite_field = {"field", tests};
