/*
 * said.h - what a program says, of any length: its beginning and its end are kept.
 */
#ifndef IL_OUTSIDE_SAID_H
#define IL_OUTSIDE_SAID_H

#include <jansson.h>
#include <stddef.h>

#include "harness/base/json.h"

enum { IL_SAID_HEAD = 1024, IL_SAID_TAIL = 2048 };
typedef struct {
    char head[IL_SAID_HEAD];
    char tail[IL_SAID_TAIL]; /* byte k of the text is tail[k % IL_SAID_TAIL] */
    size_t bytes, lines;     /* in all */
} il_said;

void il_said_add(il_said *said, const char *text, size_t n);

/* {lines, bytes, head: [...], tail: [...]}: the last lines, and the first where those do not hold
 * them. */
json_t *il_said_json(const il_said *said);

/* "; its first words: ...; WHAT: ..." of the head, where that is not all of it, and the tail, on
 * one line and printable; "" for nothing. */
enum { IL_SAID_WORDS = 420 };
void il_said_words(const il_said *said, const char *what, char out[IL_SAID_WORDS]);

#endif
