/*
 * place.h - where the files that come with the program are.
 *
 * No path is compiled in. The folder of the executable shows whether it is a build tree or an
 * installation:
 *
 *     the checkout    build/VARIANT/impactlab   the module beside it     scripts in ../../scripts
 *     an installation bin/impactlab             ../lib/impactlab         ../share/impactlab/scripts
 *
 * so an installation may be moved, and a package is built in a folder of its own. The library, in
 * lib/ of an installation, is asked for itself in place of the executable, which is a host's.
 */
#ifndef IL_BASE_PLACE_H
#define IL_BASE_PLACE_H

#include "harness/base/status.h"

enum { IL_PLACE_MAX = 4096 };

typedef enum {
    IL_PLACE_MODULE, /* what is loaded at run time */
    IL_PLACE_SCRIPT  /* Lua scripts */
} il_place;

/* The path of the file called name among those of a kind, into path. IL_EIO if there is none, with
 * the places where it was sought. */
il_status il_place_find(il_place kind, const char *name, char path[IL_PLACE_MAX], il_error *err);

#endif
