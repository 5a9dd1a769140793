/*
 * scratch.c - made by mkdtemp, emptied by hand.
 */
#include "tests/support/scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/suite.h"

void il_scratch_open(char dir[IL_SCRATCH_ROOM]) {
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(dir, IL_SCRATCH_ROOM, "%s/impactlab-test-XXXXXX", tmp != NULL ? tmp : "/tmp");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
}

void il_scratch_close(const char *dir, int levels) {
    DIR *open = opendir(dir);
    struct dirent *item = NULL;
    while (open != NULL && (item = readdir(open)) != NULL) {
        char inner[2 * IL_SCRATCH_ROOM];
        (void)snprintf(inner, sizeof inner, "%.500s/%.500s", dir, item->d_name);
        if (item->d_name[0] != '.' && unlink(inner) != 0 && levels > 0) {
            il_scratch_close(inner, levels - 1);
        }
    }
    if (open != NULL) {
        (void)closedir(open);
    }
    CU_ASSERT(rmdir(dir) == 0);
}

size_t il_scratch_count(const char *dir) {
    size_t n = 0;
    DIR *open = opendir(dir);
    struct dirent *item = NULL;
    while (open != NULL && (item = readdir(open)) != NULL) {
        n += strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0;
    }
    if (open != NULL) {
        (void)closedir(open);
    }
    return n;
}

void il_scratch_path(const char *dir, const char *name, char path[2 * IL_SCRATCH_ROOM]) {
    (void)snprintf(path, 2 * IL_SCRATCH_ROOM, "%.500s/%.500s", dir, name);
}

void il_test_write(const char *path, const char *bytes, size_t n) {
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, n, file), n);
    CU_ASSERT_EQUAL(fclose(file), 0);
}
