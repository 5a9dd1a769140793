/*
 * test_fault_paths.c - paths of calls are told apart, and of each some calls are chosen.
 */
#include <stdlib.h>

#include "tests/support/allocation.h"
#include "tests/support/call_path.h"
#include "tests/support/fault_paths.h"
#include "tests/support/suite.h"

enum { ROOM = 64 };

static __attribute__((noinline)) uint64_t from_here(void) {
    uint64_t path = il_call_path();
    __asm__ volatile(""); /* no tail call */
    return path;
}

static __attribute__((noinline)) uint64_t from_there(void) {
    uint64_t path = il_call_path();
    __asm__ volatile("");
    return path;
}

/* NOLINTNEXTLINE(misc-no-recursion): that is what it is about */
static __attribute__((noinline)) uint64_t from_depth(size_t depth) {
    uint64_t path = depth > 0 ? from_depth(depth - 1) : il_call_path();
    __asm__ volatile("");
    return path;
}

/* Two calls of one place and one of another; volatile, so that a loop stays one place. */
static void told_apart(void) {
    uint64_t path[3];
    for (volatile size_t k = 0; k < 2; k++) {
        path[k] = from_here();
    }
    path[2] = from_there();
    CU_ASSERT_EQUAL(path[0], path[1]);
    CU_ASSERT_NOT_EQUAL(path[0], path[2]);
    for (volatile size_t k = 0; k < 3; k++) {
        path[k] = from_depth(k < 2 ? 2 + k : 200);
    }
    CU_ASSERT_EQUAL(path[0], path[1]);
    CU_ASSERT_EQUAL(path[0], path[2]);
}

static allocation_log *log_new(void) {
    allocation_log *log = calloc(1, sizeof *log + ROOM * sizeof log->at[0]);
    CU_ASSERT_PTR_NOT_NULL_FATAL(log);
    log->room = ROOM;
    log->dense = SIZE_MAX;
    return log;
}

static __attribute__((noinline)) void allocate(size_t n) {
    for (size_t k = 0; k < n; k++) {
        void *volatile block = malloc(1);
        free(block);
    }
}

static void calls_are_noted(void) {
    if (!allocation_counted()) {
        return;
    }
    allocation_log *log = log_new();
    allocation_note(log);
    allocate(5);
    void *volatile other = malloc(1);
    allocation_note(NULL);
    free(other);
    allocate(1);
    CU_ASSERT_EQUAL_FATAL(log->n, 6);
    for (size_t k = 0; k < 6; k++) {
        CU_ASSERT_EQUAL(log->at[k].call, k + 1);
        CU_ASSERT_EQUAL(log->at[k].path == log->at[0].path, k < 5);
    }
    free(log);
}

/* Path 7 at calls 1 to 20, path 3 at 21, path 5 at 22 and, by another process, at 20. */
static void fill(allocation_log *log) {
    log->n = 23;
    for (size_t k = 0; k < 21; k++) {
        log->at[k] = (allocation_site){.call = k + 1, .path = k < 20 ? 7 : 3};
    }
    log->at[21] = (allocation_site){.call = 22, .path = 5};
    log->at[22] = (allocation_site){.call = 20, .path = 5};
}

static bool has(const il_fault_paths *p, size_t call) {
    bool found = false;
    for (size_t k = 0; k < p->n; k++) {
        CU_ASSERT(k == 0 || p->call[k - 1] < p->call[k]);
        found |= p->call[k] == call;
    }
    return found;
}

static void first_middle_last(void) {
    allocation_log *log = log_new();
    il_fault_known known = {.path = NULL};
    il_fault_paths p;
    unsigned seed = 1;
    fill(log);
    il_fault_paths_choose(&p, log, SIZE_MAX, &known, &seed);
    CU_ASSERT(p.paths == 3 && p.there == 3 && p.n >= 4 && p.n <= 5);
    CU_ASSERT(has(&p, 1) && has(&p, 20) && has(&p, 21) && has(&p, 22));
    free(p.call);
    il_fault_paths_choose(&p, log, SIZE_MAX, &known, &seed);
    CU_ASSERT(p.paths == 0 && p.there == 0 && p.n == 0);
    free(p.call);
    log->at[0].path = 9;
    il_fault_paths_choose(&p, log, SIZE_MAX, &known, &seed);
    CU_ASSERT(p.paths == 1 && p.n == 1);
    free(p.call);
    free(known.path);
    free(log);
}

static void samples_are_of_different_paths(void) {
    allocation_log *log = log_new();
    il_fault_paths p;
    fill(log);
    for (unsigned seed = 1; seed < 50; seed++) {
        unsigned draw = seed;
        il_fault_paths_choose(&p, log, 2, NULL, &draw);
        CU_ASSERT(p.paths == 2 && p.there == 3 && p.n >= 1 && p.n <= 2);
        CU_ASSERT(p.call[0] <= 20 && p.call[p.n - 1] >= 20);
        free(p.call);
    }
    free(log);
}

static const il_test tests[] = {
    {"paths are told apart, depths of a recursion are not", told_apart},
    {"every call is noted, with its path", calls_are_noted},
    {"of each path the first, one between and the last, once", first_middle_last},
    {"samples are of different paths", samples_are_of_different_paths},
    {.name = NULL}};

extern const il_suite il_suite_fault_paths;
const il_suite il_suite_fault_paths = {"fault_paths", tests};
