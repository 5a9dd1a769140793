/*
 * text.h - numbers and names typed by users, and checks of text from outside.
 */
#ifndef IL_BASE_TEXT_H
#define IL_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The number that the whole of text spells (decimal, hexadecimal, or a fraction a/b). False when
 * it spells none; infinities and NaN are read as such and left to the caller to refuse. */
bool il_text_number(const char *text, double *value);

/* The numbers between the commas of text, *n of them in *x, which the caller frees. False: `bad` is
 * the beginning of the first that is none. */
enum { IL_TEXT_BAD = 256 };
bool il_text_numbers(const char *text, double **x, size_t *n, char bad[IL_TEXT_BAD]);

/* x in the fewest digits, six or more, that read back as x: a message that names a value and a
 * bound must not round the one onto the other. */
typedef struct {
    char text[32];
} il_numeral;
il_numeral il_text_numeral(double x);

/* The non-negative integer that the whole of text spells; "1e6" and "1024.0" count. False for
 * anything else, and above 2^53. */
bool il_text_count(const char *text, size_t *value);

/* Of names[0..n), the one nearest to word by edit distance if it is near enough to be what was
 * meant (distance at most a third of the longer word, rounded up), else NULL. */
const char *il_text_nearest(const char *word, const char *const *names, size_t n);

/* The place of word among names with `between` between them, "a|b|c"; -1: it is none of them. */
int il_text_place(const char *names, char between, const char *word);

/* "unknown FAMILY 'WORD'; did you mean 'NAME'? Known: NAME, ..." of names[n] into out. */
void il_text_unknown(const char *family, const char *word, const char *const *names, size_t n,
                     char *out, size_t capacity);

/* Append to out (capacity bytes, NUL-terminated) as printf does; cut at capacity. */
void il_text_append(char *out, size_t capacity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* True if the last characters of text are those of end. */
bool il_text_ends_with(const char *text, const char *end);

/* The folder that the last part of path stands in, "." without a slash; to be freed. */
char *il_text_folder(const char *path);

/* True if name can be a file in any folder, and no option of a program: letters, digits and "._-",
 * at least one, the first of them a letter, a digit or "_". False for NULL. */
bool il_text_is_file_name(const char *name);

/* Make name such a name: '_' for every character that it may not have. name is not empty. */
void il_text_make_file_name(char *name);

/* Replace every control character (C0, DEL, and C1 as UTF-8 encodes it) by '?': a terminal would
 * obey them. Newlines and tabs become blanks, and are kept with `lines`. */
void il_text_make_printable(char *text, bool lines);

/* True if text is well-formed UTF-8: shortest spellings only, no surrogates, nothing above U+10FFFF
 * (The Unicode Standard, table 3-7). True for NULL, which is no text at all. */
bool il_text_is_utf8(const char *text);

/* Code points that begin in the first `bytes` bytes of well-formed UTF-8: what a text takes of a
 * line, but for accents and wide letters that stand apart. */
size_t il_text_letters(const char *text, size_t bytes);

#endif
