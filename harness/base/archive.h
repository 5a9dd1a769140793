/*
 * archive.h - serialisation of a state to bytes and back. One function serves both directions, so
 * what is saved is loaded in the same order.
 *
 *     void il_thing_archive(il_thing *w, il_archive *a) {
 *         il_archive_expect(a, w->d);           fails if the saved thing had another size
 *         il_archive_bytes(a, w->x, w->d * sizeof *w->x);
 *     }
 *
 * The bytes are valid for this machine and build only; pointers are never saved.
 */
#ifndef IL_ARCHIVE_H
#define IL_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    bool loading;
    bool failed; /* the bytes are not those of such a state: all further calls do nothing */
    unsigned char *bytes; /* [n] when saving it grows, and the caller frees it; when loading it is
                             the caller's */
    size_t n, room, at;
} il_archive;

/* Save or load n bytes at x. */
void il_archive_bytes(il_archive *a, void *x, size_t n);

/* Save or load one number. */
void il_archive_count(il_archive *a, size_t *n);

/* A number known to both sides; loading fails if the saved one differs. */
void il_archive_expect(il_archive *a, size_t n);

/* Save or load *n and the *n items of the given size in the block that *block (&w->x) points to.
 * When loading, the block has room for *room items and is enlarged if that is too little. */
void il_archive_array(il_archive *a, void *block, size_t *n, size_t *room, size_t size);

#endif
