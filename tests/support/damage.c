/*
 * damage.c - in place, by pread and pwrite.
 */
#include "tests/support/damage.h"

#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/suite.h"

/* A linear congruential generator (Knuth's MMIX), of which the upper bits are drawn. */
size_t il_test_draw(uint64_t *seed, size_t n) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(*seed >> 33) % n;
}

void il_test_flip(const char *path, size_t bit) {
    unsigned char byte = 0;
    int fd = open(path, O_RDWR);
    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_EQUAL(pread(fd, &byte, 1, (off_t)(bit / 8)), 1);
    byte = (unsigned char)(byte ^ 1u << bit % 8);
    CU_ASSERT_EQUAL(pwrite(fd, &byte, 1, (off_t)(bit / 8)), 1);
    (void)close(fd);
}

void il_test_write(const char *path, const char *bytes, size_t n) {
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, n, file), n);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

const char *il_test_find(const char *folder, const char *pattern, char *found, size_t capacity) {
    char path[1024];
    glob_t one = {0};
    (void)snprintf(path, sizeof path, "%s/%s", folder, pattern);
    CU_ASSERT_FATAL(glob(path, 0, NULL, &one) == 0 && one.gl_pathc == 1);
    (void)snprintf(found, capacity, "%s", one.gl_pathv[0] + strlen(folder) + 1);
    globfree(&one);
    return found;
}
