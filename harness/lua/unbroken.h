/*
 * unbroken.h - the rows of claims that no negative control makes fail: what nothing breaks is not
 * known to be tested, though the claim that it belongs to is.
 */
#ifndef IL_LUA_UNBROKEN_H
#define IL_LUA_UNBROKEN_H

#include <jansson.h>
#include <stddef.h>

/* ids[n], borrowed: the claim of each control; rows[n], borrowed: the array of rows that it came
 * to, each with "what", "verdict" and, where it failed by its numbers, a member `by_number`. A
 * row's name is its "what" up to the first colon, where numbers or verdicts may follow, without
 * digits: "sum lambda, N = 40" and "sum lambda, N = 200" are one. The caller's: [{id, what}, ...],
 * the first text of every name that was judged under some control of its claim and failed under
 * none; rows that do not apply and EVIDENCE, which claims no proof, are not meant. NULL when
 * memory ran out. */
json_t *il_unbroken(size_t n, const char *const *ids, json_t *const *rows, const char *by_number);

#endif
