/*
 * reserve.h - spare memory for libraries that do not handle a failed allocation.
 *
 * GMP aborts when an allocation fails, and GSL writes through some pointers without checking them.
 * Such a library allocates through a reserve: from the C library, and when that fails from memory
 * set aside before. The computation then finishes correctly, and its caller can ask afterwards
 * whether the reserve was used.
 */
#ifndef IL_BASE_RESERVE_H
#define IL_BASE_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    unsigned char *room; /* [size] aligned for every type; the user's of the reserve */
    size_t size;
    size_t used; /* bytes lent; 0 again when all blocks came back */
    size_t lent; /* blocks that have not come back */
    bool needed; /* some block was lent; the user of the reserve clears it */
} il_reserve;

/* As malloc; NULL when the reserve has too little as well. */
void *il_reserve_take(il_reserve *r, size_t n);

/* As realloc of a block of old bytes. After NULL the old block is as it was. */
void *il_reserve_change(il_reserve *r, void *block, size_t old, size_t n);

/* As free. */
void il_reserve_free(il_reserve *r, void *block);

#endif
