/*
 * place.c - paths relative to the folder of the executable, or of the library, which the executable
 * of a host says nothing of.
 */
#include "harness/base/place.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/hosted.h"

static const char *const folders[][2] = {
    [IL_PLACE_MODULE] = {".", IL_HOSTED ? "impactlab" : "../lib/impactlab"},
    [IL_PLACE_SCRIPT] = {"../../scripts", "../share/impactlab/scripts"}};

/* The folder that holds the executable or the library, links followed; false if it is unknown. */
static bool find_home(char home[IL_PLACE_MAX]) {
    Dl_info us;
    if (IL_HOSTED) {
        char *path = dladdr((const void *)folders, &us) != 0 ? realpath(us.dli_fname, NULL) : NULL;
        (void)snprintf(home, IL_PLACE_MAX, "%s", path != NULL ? path : "");
        free(path);
    } else {
        ssize_t length = readlink("/proc/self/exe", home, IL_PLACE_MAX - 1);
        home[length > 0 ? length : 0] = '\0';
    }
    char *slash = strrchr(home, '/');
    if (slash != NULL) {
        slash[slash == home] = '\0'; /* "/" keeps its own */
    }
    return slash != NULL;
}

il_status il_place_find(il_place kind, const char *name, char path[IL_PLACE_MAX], il_error *err) {
    char home[IL_PLACE_MAX];
    if (!find_home(home)) {
        return il_fail(err, IL_EIO,
                       "the folder of the program is not known, which '%s' is sought from", name);
    }
    for (size_t k = 0; k < sizeof folders[kind] / sizeof folders[kind][0]; k++) {
        int n = snprintf(path, IL_PLACE_MAX, "%s/%s/%s", home, folders[kind][k], name);
        char *real = n < IL_PLACE_MAX && access(path, R_OK) == 0 ? realpath(path, NULL) : NULL;
        if (real != NULL) { /* messages name it: without the way there */
            (void)snprintf(path, IL_PLACE_MAX, "%s", real);
            free(real);
            return IL_OK;
        }
    }
    return il_fail(
        err, IL_EIO,
        "there is no '%s' in %s/%s nor in %s/%s; `make install` puts the program and what "
        "it needs where they find each other",
        name, home, folders[kind][0], home, folders[kind][1]);
}
