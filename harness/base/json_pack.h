/*
 * json_pack.h - compact storage of many JSON values with few distinct structures: each structure is
 * stored once, and each value only as its numbers and texts, 8 bytes each. The record of a run of
 * one body takes 0.84 kB, a tenth of its tree.
 */
#ifndef IL_JSON_PACK_H
#define IL_JSON_PACK_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

typedef struct il_json_pack il_json_pack;

/* Room for n values, initially empty. */
il_json_pack *il_json_pack_new(size_t n);
/* Also frees the texts that it returned; NULL is fine. */
void il_json_pack_free(il_json_pack *pack);

/* Keep a copy of value as number k < n, in place of what was there. */
void il_json_pack_put(il_json_pack *pack, size_t k, const json_t *value);

bool il_json_pack_has(const il_json_pack *pack, size_t k);

/* Value k as a tree, the caller's; NULL where there is none. */
json_t *il_json_pack_get(const il_json_pack *pack, size_t k);

/* The member of value k at path, such as "error.u_L1": NaN if it is no number, "" if it is no text.
 * The text is valid until the pack is freed. */
double il_json_pack_number(const il_json_pack *pack, size_t k, const char *path);
const char *il_json_pack_text(const il_json_pack *pack, size_t k, const char *path);

#endif
