/*
 * gsl_memory.c - replacements for malloc, calloc and free in GSL and cmark-gfm: the Makefile
 * renames the symbols in the archives that are linked.
 *
 * GSL checks most of its allocations, but not the control object of a differential equation nor the
 * pivots of an LU factorisation, which take some hundred bytes. When malloc fails, blocks that
 * small come from a reserve; larger requests fail as usual. cmark-gfm registers its extensions with
 * such blocks and would abort without them.
 */
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "harness/base/reserve.h"

enum { ROOM = 1 << 16 };

/* GSL hands no argument through. */
static alignas(max_align_t) unsigned char room[ROOM];
static il_reserve reserve = {.room = room, .size = ROOM};

void *il_gsl_malloc(size_t n);
void *il_gsl_calloc(size_t count, size_t size);
void il_gsl_free(void *block);

void *il_gsl_malloc(size_t n) {
    return il_reserve_take(&reserve, n);
}

void *il_gsl_calloc(size_t count, size_t size) {
    if (size > 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    void *block = il_reserve_take(&reserve, count * size);
    return block != NULL ? memset(block, 0, count * size) : NULL;
}

void il_gsl_free(void *block) {
    il_reserve_free(&reserve, block);
}

#ifdef IL_LIBRARY
/* Of GSL's archives, which are not made for a library: where errors would be printed that the error
 * handler, which is off, does not let through. */
#include <stdio.h>
extern FILE *il_gsl_stderr, *il_gsl_stdout;
FILE *il_gsl_stderr;
FILE *il_gsl_stdout;

__attribute__((constructor)) static void open_streams(void) {
    il_gsl_stderr = stderr;
    il_gsl_stdout = stdout;
}
#endif
