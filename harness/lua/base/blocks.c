/*
 * blocks.c - lists of free blocks, one a size, cut from pieces that stay until the end.
 */
#include "harness/lua/base/blocks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 32768, HEAD = IL_BLOCKS_UNIT /* the piece before, aligned */ };

/* The sanitizer sees what runs over a block of malloc's. */
#if defined(__SANITIZE_ADDRESS__)
enum { LARGEST = 0 };
#else
enum { LARGEST = IL_BLOCKS_LARGEST };
#endif

/* The list of blocks for so many bytes, at least one. */
static size_t list_of(size_t size) {
    return (size - 1) / IL_BLOCKS_UNIT;
}

static void *take(il_blocks *b, size_t size) {
    size_t k = list_of(size);
    size_t whole = (k + 1) * IL_BLOCKS_UNIT;
    void *block = b->free[k];
    if (block != NULL) {
        memcpy(&b->free[k], block, sizeof b->free[k]);
        return block;
    }
    if (b->left < whole) { /* what is left of the last piece is lost: less than a block */
        unsigned char *piece = malloc(PIECE);
        if (piece == NULL) {
            return NULL;
        }
        memcpy(piece, &b->pieces, sizeof b->pieces);
        b->pieces = piece;
        b->at = piece + HEAD;
        b->left = PIECE - HEAD;
    }
    block = b->at;
    b->at += whole;
    b->left -= whole;
    return block;
}

static void give(il_blocks *b, void *block, size_t size) {
    size_t k = list_of(size);
    memcpy(block, &b->free[k], sizeof b->free[k]);
    b->free[k] = block;
}

void *il_blocks_resize(il_blocks *b, void *block, size_t old, size_t new) {
    bool was_small = block != NULL && old > 0 && old <= LARGEST;
    bool is_small = new > 0 && new <= LARGEST;
    if (was_small && is_small && list_of(old) == list_of(new)) {
        return block;
    }
    if (!was_small && !is_small) {
        if (new > 0) {
            return realloc(block, new);
        }
        free(block);
        return NULL;
    }
    void *other = NULL;
    if (new > 0) {
        other = is_small ? take(b, new) : malloc(new);
        if (other == NULL) {
            return NULL;
        }
        if (block != NULL) {
            memcpy(other, block, old < new ? old : new);
        }
    }
    if (was_small) {
        give(b, block, old);
    } else {
        free(block);
    }
    return other;
}

void il_blocks_release(il_blocks *b) {
    void *piece = b->pieces;
    while (piece != NULL) {
        void *before = NULL;
        memcpy(&before, piece, sizeof before);
        free(piece);
        piece = before;
    }
    *b = (il_blocks){.pieces = NULL};
}
