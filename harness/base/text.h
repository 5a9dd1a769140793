/*
 * text.h - reading numbers and names that people typed.
 */
#ifndef IL_BASE_TEXT_H
#define IL_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The number that the whole of text spells (decimal, hexadecimal, or a fraction a/b). False when
 * it spells none; infinities and NaN are read as such and left to the caller to refuse. */
bool il_text_number(const char *text, double *value);

/* The non-negative integer that the whole of text spells; "1e6" and "1024.0" count. False for
 * anything else, and above 2^53. */
bool il_text_count(const char *text, size_t *value);

/* Of names[0..n), the one nearest to word by edit distance if it is near enough to be what was
 * meant (distance at most a third of the longer word, rounded up), else NULL. */
const char *il_text_nearest(const char *word, const char *const *names, size_t n);

/* Append to out (capacity bytes, NUL-terminated) as printf does; cut at capacity. */
void il_text_append(char *out, size_t capacity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
