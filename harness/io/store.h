/*
 * store.h - records that were computed before, one file a case.
 *
 * A case is named by its key, a text that holds everything its record depends on: problem,
 * parameters, scheme, projector, options, steps, reference and the build of the program. The file
 * is RESULTS/cases/AA/HASH.json with HASH 128 bits of the key in hexadecimal and AA its first two
 * digits; it holds {"key": KEY, "record": RECORD}. On reading, the key is compared: a file of
 * another key, or one that is cut short or not JSON, counts as absent. Files appear whole or not at
 * all, so several programs may share a store. NULL is the store that holds and keeps nothing.
 */
#ifndef IL_STORE_H
#define IL_STORE_H

#include <jansson.h>
#include <stdbool.h>

#include "harness/base/status.h"

typedef struct il_store il_store;

/* The store of a results folder, which is made if it is missing. IL_EIO when nothing can be written
 * there. The creator closes. */
il_status il_store_open(il_store **out, const char *results, il_error *err);
void il_store_close(il_store *store);

/* The record of key into *record, the caller's to json_decref; NULL where it is absent. note (may
 * be NULL) receives a sentence when a file was there and of no use. IL_ENOMEM alone fails. */
il_status il_store_find(const il_store *store, const char *key, json_t **record, il_error *note);

/* Keep record under key, replacing what stood there. */
il_status il_store_put(const il_store *store, const char *key, const json_t *record, il_error *err);

/* The file of key. The caller frees; NULL when memory ran out. */
char *il_store_path(const il_store *store, const char *key);

#endif
