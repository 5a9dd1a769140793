/*
 * damage.h - files that are no longer what was written.
 */
#ifndef IL_TESTS_DAMAGE_H
#define IL_TESTS_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

/* A number below n, the next of a sequence that begins with a seed: any would do. */
size_t il_test_draw(uint64_t *seed, size_t n);

/* Turn bit `bit` of a file over; twice leaves it as it was. */
void il_test_flip(const char *path, size_t bit);

/* Replace a file, or make it. */
void il_test_write(const char *path, const char *bytes, size_t n);

/* The one file of folder that a pattern has, as seen from there, into found[capacity], which is
 * returned; an assertion fails where there is another number of them. */
const char *il_test_find(const char *folder, const char *pattern, char *found, size_t capacity);

#endif
