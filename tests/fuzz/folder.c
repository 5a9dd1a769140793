/*
 * folder.c - files for harnesses.
 */
#include "tests/fuzz/folder.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void il_fuzz_folder_open(char folder[IL_FOLDER_ROOM]) {
    (void)snprintf(folder, IL_FOLDER_ROOM, "/tmp/il-fuzz-XXXXXX");
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        abort();
    }
}

void il_fuzz_folder_put(const char *folder, const char *name, const void *data, size_t n) {
    char path[4 * IL_FOLDER_ROOM];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, n, file) != n || fclose(file) != 0) {
        perror(path);
        abort();
    }
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

void il_fuzz_folder_remove(const char *folder) {
    (void)nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
