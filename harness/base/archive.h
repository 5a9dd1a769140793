/*
 * archive.h - a state as bytes, and back, by one function for both ways: what is saved in an order
 * is loaded in it.
 *
 *     void il_thing_archive(il_thing *w, il_archive *a) {
 *         il_archive_expect(a, w->d);           the thing is of this size, or this is not its state
 *         il_archive_bytes(a, w->x, w->d * sizeof *w->x);
 *     }
 *
 * Bytes are those of this machine and build; pointers are never among them.
 */
#ifndef IL_ARCHIVE_H
#define IL_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    bool loading;
    bool failed;  /* these are not the bytes of such a state; or starved: nothing more happens */
    bool starved; /* memory ran out */
    unsigned char *bytes; /* [n] while saving it grows: free it; while loading it is the caller's */
    size_t n, room, at;
} il_archive;

/* n bytes at x, in or out. */
void il_archive_bytes(il_archive *a, void *x, size_t n);

/* The same of one number. */
void il_archive_count(il_archive *a, size_t *n);
void il_archive_double(il_archive *a, double *x);

/* A number that both know; another one fails. */
void il_archive_expect(il_archive *a, size_t n);

/* *n items of so many bytes in the block that the pointer at `block` (&w->x) points to, with *n;
 * when loading the block has room for *room items and gets more where that is too little. */
void il_archive_array(il_archive *a, void *block, size_t *n, size_t *room, size_t size);

#endif
