/*
 * test_lease.c - a case is one sweep's at a time, and for as long as that lives.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/io/store/lease.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static bool take(il_leases *w, const char *name, char *holder) {
    bool ours = false;
    CU_ASSERT_EQUAL(il_leases_take(w, name, "a case", &ours, holder, NULL), IL_OK);
    return ours;
}

/* Leave the lease "far" of a process of another machine, touched so many seconds ago, in place of
 * what is there. */
static void leave_far(const char *dir, const char *text, time_t ago) {
    char path[2 * IL_SCRATCH_ROOM];
    il_scratch_path(dir, "claims/far", path);
    (void)unlink(path);
    FILE *out = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    CU_ASSERT(fputs(text, out) >= 0);
    CU_ASSERT_EQUAL(fclose(out), 0);
    struct timespec when[2] = {{.tv_sec = time(NULL) - ago}, {.tv_sec = time(NULL) - ago}};
    CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, when, 0), 0);
}

static void a_case_of_another_machine_expires_by_time(void) {
    static const char *const texts[] = {
        "{\"host\": \"far\", \"boot\": \"b\", \"space\": \"s\", \"start\": \"1\", \"pid\": 1}",
        "[1", "{\"host\": 3}"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        char dir[IL_SCRATCH_ROOM];
        char holder[IL_LEASE_HOLDER] = "";
        il_leases *w = NULL;
        il_scratch_open(dir);
        CU_ASSERT_EQUAL_FATAL(il_leases_open(&w, dir, NULL), IL_OK);
        leave_far(dir, texts[k], 100);
        CU_ASSERT_FALSE(take(w, "far", holder));
        json_t *held = il_leases_held(dir); /* whatever it says */
        CU_ASSERT(json_is_array(held) && json_array_size(held) <= 1);
        json_decref(held);
        CU_ASSERT_STRING_EQUAL(holder, k == 0 ? "process 1 on far" : "somebody");
        leave_far(dir, texts[k], 130);
        CU_ASSERT_TRUE(take(w, "far", holder));
        /* Somebody took us for dead and has it now: it is not ours to give back. */
        leave_far(dir, texts[0], 0);
        il_leases_give(w, "far");
        CU_ASSERT_FALSE(take(w, "far", holder));
        leave_far(dir, "", 0); /* killed before it said who has it */
        CU_ASSERT_TRUE(take(w, "far", holder));
        il_leases_close(w);
        il_scratch_close(dir, 1);
    }
}

static const il_test tests[] = {
    {"a case of another machine expires by time", a_case_of_another_machine_expires_by_time},
    {.name = NULL}};

extern const il_suite il_suite_lease;
const il_suite il_suite_lease = {"lease", tests};
