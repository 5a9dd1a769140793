/*
 * test_json.c - JSON is whole, or memory ran out: every allocation fails once, or it and all after
 * it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "tests/support/allocation.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

enum { CALLS_MAX = 10000 };

/* Words as long as jansson's buffer, and longer, that end by a letter which it gives back:
 * numbers, names; strings with such an end are refused. */
static const char *const texts[] = {
    "[1234567890123456]",
    "[12345678901234.123456789012345678, 1e5, -0.25]",
    "{\"a\": [true, false, null], \"name of some length\": \"\\u00e9\\n and some thirty letters\"}",
    "[[[[[[{\"x\": {\"y\": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]}}]]]]]]",
    "{\"k1\":1,\"k2\":2,\"k3\":3,\"k4\":4,\"k5\":5,\"k6\":6,\"k7\":7,\"k8\":8,\"k9\":9}",
    "[1234567890123456",
    "[trueandsomeletters]",
    "[\"fifteen letters\001 and a control\"]",
    "[\"\xc3\xa9t\xc3\xa9 \xe2\x82\xac\"]",
    "",
    NULL};

typedef il_status parser(const char *text, json_t **value, il_error *err);

static il_status by_file(const char *text, json_t **value, il_error *err) {
    return il_json_load(text, value, err);
}

/* parse(given) with every allocation failing; how many there were into *calls. */
static void try_all(parser *parse, const char *given, bool lasting, size_t *calls) {
    json_t *whole = NULL;
    il_status right = parse(given, &whole, NULL);
    bool happened = true;
    for (*calls = 0; happened && *calls < CALLS_MAX; (*calls)++) {
        json_t *value = NULL;
        (lasting ? allocation_fail_from : allocation_fail)(*calls + 1);
        il_status status = parse(given, &value, NULL);
        happened = allocation_failed();
        allocation_fail(0);
        CU_ASSERT(status == IL_ENOMEM || status == right);
        CU_ASSERT(status == IL_OK ? json_equal(value, whole) == 1 : value == NULL);
        json_decref(value);
    }
    CU_ASSERT_FALSE(happened);
    json_decref(whole);
}

static void parsed_whole(void) {
    for (size_t k = 0; allocation_counted() && texts[k] != NULL; k++) {
        size_t once = 0;
        size_t lasting = 0;
        try_all(il_json_parse, texts[k], false, &once);
        try_all(il_json_parse, texts[k], true, &lasting);
        CU_ASSERT(once == lasting && once > 1);
    }
}

static void read_whole(void) {
    char folder[IL_SCRATCH_ROOM];
    char path[2 * IL_SCRATCH_ROOM];
    il_scratch_open(folder);
    il_scratch_path(folder, "a.json", path);
    for (size_t k = 0; allocation_counted() && texts[k] != NULL; k++) {
        size_t calls = 0;
        FILE *out = fopen(path, "wb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(out);
        (void)fputs(texts[k], out);
        CU_ASSERT_EQUAL(fclose(out), 0);
        try_all(by_file, path, false, &calls);
        try_all(by_file, path, true, &calls);
        CU_ASSERT(calls > 1);
    }
    il_scratch_close(folder, 0);
}

/* Of numbers as long as any text: the buffer's growth is lent whatever its size. */
static void long_words_are_read(void) {
    for (size_t digits = 1; allocation_counted() && digits < 140; digits++) {
        char text[700] = "[0.";
        size_t calls = 0;
        memset(text + 3, '3', digits);
        text[3 + digits] = ']';
        try_all(il_json_parse, text, true, &calls);
    }
}

static void copied_whole(void) {
    json_t *value = NULL;
    CU_ASSERT_EQUAL_FATAL(il_json_parse(texts[2], &value, NULL), IL_OK);
    bool happened = allocation_counted();
    size_t refused = 0;
    for (size_t k = 1; happened && k < CALLS_MAX; k++) {
        allocation_fail(k);
        json_t *copy = il_json_copy(value);
        happened = allocation_failed();
        allocation_fail(0);
        CU_ASSERT(happened ? copy == NULL : json_equal(copy, value) == 1);
        refused += copy == NULL;
        json_decref(copy);
    }
    CU_ASSERT(!allocation_counted() || refused > 5);
    CU_ASSERT_PTR_NULL(il_json_copy(NULL));
    json_decref(value);
}

static void errors_are_told(void) {
    json_t *value = NULL;
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL(il_json_parse("[1, 2", &value, &err), IL_EINVAL);
    CU_ASSERT_PTR_NULL(value);
    CU_ASSERT(strstr(err.message, "end of file") != NULL);
    CU_ASSERT_EQUAL(il_json_load("/nowhere/at all", &value, &err), IL_EIO);
    CU_ASSERT(strstr(err.message, "/nowhere/at all") != NULL);
    CU_ASSERT_EQUAL(il_json_parse("[1, 2]", &value, &err), IL_OK);
    CU_ASSERT_EQUAL(json_array_size(value), 2);
    json_decref(value);
}

static const il_test tests[] = {
    {"a text is parsed whole, or memory ran out", parsed_whole},
    {"a file is read whole, or memory ran out", read_whole},
    {"words of any length end well without memory", long_words_are_read},
    {"a copy is whole, or memory ran out", copied_whole},
    {"errors are told", errors_are_told},
    {.name = NULL}};

extern const il_suite il_suite_json;
const il_suite il_suite_json = {"json", tests};
