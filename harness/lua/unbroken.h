/*
 * unbroken.h - the rows of claims that no negative control makes fail: what nothing breaks is not
 * known to be tested, though the claim that it belongs to is.
 */
#ifndef IL_LUA_UNBROKEN_H
#define IL_LUA_UNBROKEN_H

#include <jansson.h>
#include <stddef.h>

enum { IL_UNBROKEN_NAME = 128 };

/* The name of a row, of its "what": up to the first colon, where numbers or verdicts may follow,
 * and without its digits: "sum lambda, N = 40" and "sum lambda, N = 200" are one. */
void il_unbroken_name(const char *what, char name[IL_UNBROKEN_NAME]);

/* ids[k], borrowed: the claim of control k; rows[k]: the array of rows that it came to, each with
 * "what", "verdict" and, where it failed by its numbers, a member `by_number`. The caller's:
 * [{id, what}, ...], the first text of every name that was judged under some control of its claim
 * and failed under none; rows that do not apply and EVIDENCE, which claims no proof, are not meant.
 * NULL when memory ran out. */
json_t *il_unbroken(size_t n, const char *const *ids, json_t *const *rows, const char *by_number);

#endif
