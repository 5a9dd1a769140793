/*
 * memory_limit.c - sizes that users choose, and limits.
 */
#include "harness/base/memory_limit.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness/base/elementary.h"
#include "harness/base/memory.h"

il_status il_memory_ask(void *block, size_t n, size_t size, const char *items, il_error *err) {
    return il_memory_try(block, n, size) ? IL_OK
                                         : il_fail(err, IL_ENOMEM, "no memory for %zu %s: %.3g GB",
                                                   n, items, 1e-9 * (double)n * (double)size);
}

/* ---- what is affordable --------------------------------------------------------------------- */

/* Half of the machine's memory or of the limit on the process's address space (`ulimit -v`),
 * whichever is less, in bytes; INFINITY where neither is known. */
static double allowed_bytes(void) {
    double least = INFINITY;
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0) {
        least = (double)pages * (double)page;
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        least = fmin(least, (double)limit.rlim_cur);
    }
    return 0.5 * least;
}

il_status il_memory_afford(size_t N, double unit, int power, il_error *err) {
    double allowed = allowed_bytes();
    double needed = unit * il_pow((double)N, power);
    if (needed <= allowed) {
        return IL_OK;
    }
    return il_fail(err, IL_EINVAL,
                   "N = %zu needs about %.3g GB, and half of the memory that there is for it is "
                   "%.3g GB: N may be at most about %.2g",
                   N, needed / 1e9, allowed / 1e9, il_pow(allowed / unit, 1.0 / power));
}

/* ---- a limit -------------------------------------------------------------------------------- */

/* What RLIMIT_DATA counts: private pages that can be written, in bytes; 0 if unknown. */
static size_t data_bytes(void) {
    char line[128];
    size_t kilobytes = 0;
    FILE *in = fopen("/proc/self/status", "re");
    while (in != NULL && kilobytes == 0 && fgets(line, sizeof line, in) != NULL) {
        if (strncmp(line, "VmData:", 7) == 0) {
            kilobytes = (size_t)strtoull(line + 7, NULL, 10);
        }
    }
    if (in != NULL) {
        (void)fclose(in);
    }
    return 1024 * kilobytes;
}

static bool set_limit(size_t bytes) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0) {
        return false;
    }
    limit.rlim_cur = bytes;
    return setrlimit(RLIMIT_DATA, &limit) == 0;
}

/* The address sanitizer's own maps are larger than any machine. */
#ifdef __SANITIZE_ADDRESS__
static const bool CONFINES = false;
#else
static const bool CONFINES = true;
#endif

bool il_memory_confine(size_t more, size_t *before) {
    struct rlimit limit;
    if (!CONFINES) {
        return false;
    }
    (void)malloc_trim(0); /* freed memory must not count in favour of the next job */
    size_t now = data_bytes();
    if (now == 0 || getrlimit(RLIMIT_DATA, &limit) != 0) {
        return false;
    }
    *before = limit.rlim_cur;
    return now + more < limit.rlim_cur && set_limit(now + more);
}

void il_memory_release(size_t before) {
    (void)set_limit(before);
}
