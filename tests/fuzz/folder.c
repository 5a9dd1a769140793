/*
 * folder.c - files for harnesses. A process has one folder; between inputs its files go and its
 * empty folders stay, since making and removing folders takes a disk longer than most harnesses
 * take.
 */
#include "tests/fuzz/folder.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char place[IL_FOLDER_ROOM];
static pid_t owner; /* of place: a child of it has its own */

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

static void remove_place(void) {
    if (owner == getpid()) {
        (void)nftw(place, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    }
}

void il_fuzz_folder_open(char folder[IL_FOLDER_ROOM]) {
    if (owner != getpid()) {
        (void)snprintf(place, sizeof place, "/tmp/il-fuzz-XXXXXX");
        if (mkdtemp(place) == NULL || atexit(remove_place) != 0) {
            perror(place);
            abort();
        }
        owner = getpid();
    }
    memcpy(folder, place, sizeof place);
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

static int remove_file(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info;
    (void)where;
    return kind == FTW_DP ? 0 : remove(path);
}

void il_fuzz_folder_empty(const char *folder) {
    (void)nftw(folder, remove_file, 8, FTW_DEPTH | FTW_PHYS);
}
