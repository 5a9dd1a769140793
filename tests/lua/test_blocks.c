/*
 * test_blocks.c - memory by size: what was put into a block is there after it moved, no two blocks
 * meet, and a block that was freed is the next of its size.
 */
#include <gsl/gsl_rng.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lua/base/blocks.h"
#include "tests/support/suite.h"

enum { BLOCKS = 300, MOVES = 200000, LARGEST = 2 * IL_BLOCKS_LARGEST };

typedef struct {
    unsigned char *at;
    size_t size;
    unsigned char mark; /* of every byte */
} held;

static bool is_whole(const held *h, size_t size) {
    for (size_t k = 0; k < size; k++) {
        if (h->at[k] != h->mark) {
            return false;
        }
    }
    return true;
}

/* Blocks come, grow, shrink and go at random; marks of a block that overlapped another would not
 * be its own. */
static void what_is_in_a_block_stays(void) {
    il_blocks blocks = {.pieces = NULL};
    static held all[BLOCKS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    size_t wrong = 0;
    for (size_t move = 0; move < MOVES; move++) {
        held *h = &all[gsl_rng_uniform_int(rng, BLOCKS)];
        size_t size = gsl_rng_uniform_int(rng, LARGEST + 1);
        wrong += h->at != NULL && !is_whole(h, h->size);
        unsigned char *at = il_blocks_resize(&blocks, h->at, h->size, size);
        CU_ASSERT_EQUAL_FATAL(at == NULL, size == 0);
        size_t kept = size < h->size ? size : h->size;
        *h = (held){.at = at, .size = size, .mark = h->mark};
        wrong += !is_whole(h, kept) || (uintptr_t)at % _Alignof(max_align_t) != 0;
        h->mark = (unsigned char)move;
        if (size > 0) {
            memset(at, h->mark, size);
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    for (size_t k = 0; k < BLOCKS; k++) {
        (void)il_blocks_resize(&blocks, all[k].at, all[k].size, 0);
    }
    gsl_rng_free(rng);
    il_blocks_release(&blocks);
    CU_ASSERT_PTR_NULL(blocks.pieces);
}

/* As tables do: a thousand at a time, over and over. No piece is taken after the first round. */
static void a_free_block_is_the_next(void) {
    il_blocks blocks = {.pieces = NULL};
    static void *all[1000];
    void *pieces = NULL;
    for (int round = 0; round < 5; round++) {
        for (size_t k = 0; k < 1000; k++) {
            all[k] = il_blocks_resize(&blocks, NULL, 0, 50 + k % 14); /* of 64 bytes */
            CU_ASSERT_PTR_NOT_NULL_FATAL(all[k]);
        }
        CU_ASSERT(round == 0 || blocks.pieces == pieces);
        pieces = blocks.pieces;
        for (size_t k = 0; k < 1000; k++) {
            (void)il_blocks_resize(&blocks, all[k], 50 + k % 14, 0);
        }
    }
    il_blocks_release(&blocks);
}

static const il_test tests[] = {{"what is in a block stays", what_is_in_a_block_stays},
                                {"a free block is the next of its size", a_free_block_is_the_next},
                                {NULL, NULL}};

const il_suite il_suite_blocks = {"blocks", tests};
