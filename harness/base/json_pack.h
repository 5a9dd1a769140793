/*
 * json_pack.h - many JSON values of a few structures in little room: the structure is kept once,
 * each value only as its numbers and texts, 8 bytes each. A record of a run of one body takes 0.84
 * kB so, and ten times that as a tree.
 */
#ifndef IL_JSON_PACK_H
#define IL_JSON_PACK_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

typedef struct il_json_pack il_json_pack;

/* Room for n values, none of them there yet; NULL without memory. */
il_json_pack *il_json_pack_new(size_t n);
/* With the texts that it gave; NULL is fine. */
void il_json_pack_free(il_json_pack *pack);

/* Keep a copy of value as number k < n, in place of what was there. IL_ENOMEM: k is empty. */
il_status il_json_pack_put(il_json_pack *pack, size_t k, const json_t *value, il_error *err);

bool il_json_pack_has(const il_json_pack *pack, size_t k);

/* Value k as a tree, the caller's; NULL where there is none, or no memory. */
json_t *il_json_pack_get(const il_json_pack *pack, size_t k);

/* What value k has at path, such as "error.u_L1": NaN if it is no number, "" if it is no text. The
 * text lives as long as pack. */
double il_json_pack_number(const il_json_pack *pack, size_t k, const char *path);
const char *il_json_pack_text(const il_json_pack *pack, size_t k, const char *path);

#endif
