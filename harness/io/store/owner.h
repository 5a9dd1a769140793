/*
 * owner.h - which process a claim is of (lease.h), and where its number means something.
 */
#ifndef IL_OWNER_H
#define IL_OWNER_H

#include <jansson.h>
#include <stdbool.h>

enum { IL_OWNER_WORD = 128, IL_OWNER_START = 32 };

typedef struct {
    /* machine, its start, its name space of processes */
    char host[IL_OWNER_WORD], boot[IL_OWNER_WORD], space[IL_OWNER_WORD];
    char start[IL_OWNER_START]; /* of the process, in ticks since boot */
    long pid;
} il_owner;

/* This process. */
il_owner il_owner_self(void);

/* What the object says; "" and 0 for what it does not. */
il_owner il_owner_of(const json_t *object);

/* What il_owner_of reads, as the end of an object: without its opening bracket. The caller frees;
 * NULL when memory ran out. */
char *il_owner_text(const il_owner *o);

/* Have both the same processes? Not where one does not say. */
bool il_owner_same_place(const il_owner *a, const il_owner *b);

/* When process pid began, as text; "" where there is none, or nobody can tell: *known. */
void il_owner_start(long pid, char start[IL_OWNER_START], bool *known);

#endif
