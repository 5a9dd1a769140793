/*
 * radix.h - numbers sorted by 64-bit keys, least significant digit first: stable, and O(n) for keys
 * of so many bits.
 */
#ifndef IL_SPHERES_RADIX_H
#define IL_SPHERES_RADIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed memory is empty. */
typedef struct {
    size_t room;
    uint64_t *key;   /* [room] */
    uint32_t *order; /* [room] the number that each key stands for */
    uint64_t *key_other;
    uint32_t *order_other;
} il_radix;

/* What an item takes, in bytes. */
size_t il_radix_bytes_per_item(void);

/* Room for n items; what is there is lost. False without memory: the room is then what it was. */
bool il_radix_reserve(il_radix *w, size_t n);
void il_radix_free(il_radix *w);

/* Sort key[n] and order[n] by key; n is at most the room. Both may stand elsewhere afterwards. */
void il_radix_sort(il_radix *w, size_t n);

#endif
