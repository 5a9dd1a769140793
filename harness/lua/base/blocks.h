/*
 * blocks.h - memory for the values of a script: small blocks, by size.
 *
 * A problem in Lua makes a dozen tables at every call, and Lua frees them thousands at a time, more
 * than the C library keeps at hand of one size: a fifth of the instructions of a call were its
 * search for neighbours to join. Here a free block goes onto a list of its size and is the next one
 * of that size.
 */
#ifndef IL_LUA_BLOCKS_H
#define IL_LUA_BLOCKS_H

#include <stddef.h>

/* Sizes up to IL_BLOCKS_LARGEST bytes, rounded up to multiples of IL_BLOCKS_UNIT, which keeps them
 * aligned; others are malloc's. */
enum { IL_BLOCKS_UNIT = 16, IL_BLOCKS_LARGEST = 256 };

/* Zeroed to begin with. */
typedef struct {
    void *free[IL_BLOCKS_LARGEST / IL_BLOCKS_UNIT]; /* by size; each begins with the next */
    void *pieces;                                   /* what they are cut from, likewise */
    unsigned char *at;                              /* of the last piece, the rest */
    size_t left;
} il_blocks;

/* As realloc(block, new) for a block of `old` bytes, NULL for none; new 0 frees it. NULL when
 * memory runs out, the block then being as it was. */
void *il_blocks_resize(il_blocks *blocks, void *block, size_t old, size_t new);

/* Give back all small blocks at once; *blocks is as at the beginning. */
void il_blocks_release(il_blocks *blocks);

#endif
