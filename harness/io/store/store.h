/*
 * store.h - the store of records, one file per case.
 *
 * A case is identified by its key, a text that holds everything its record depends on: problem,
 * parameters, scheme, projector, options, steps, reference and the build of the program. The file
 * is RESULTS/cases/AA/HASH.json with HASH the first 128 bits of the key's SHA-256 in hexadecimal
 * and AA its first two digits; it holds {"key": KEY, "record": RECORD}, sealed (sealed.h). A file
 * that is damaged or of another key is set aside as HASH.json.damaged, reported, and counts as
 * absent; it is never read as a result. Files appear whole or not at all, so several programs may
 * share a store. NULL is a store that holds and keeps nothing.
 *
 * Single files are not synced, which would take longer than many a case: the whole store is synced
 * every few seconds and when it is closed. A loss of power costs at most these seconds; files that
 * it leaves half written are detected by their checksum and run again.
 */
#ifndef IL_STORE_H
#define IL_STORE_H

#include <jansson.h>

#include "harness/base/status.h"
#include "harness/io/store/roster.h"

typedef struct il_store il_store;

/* The store of a results folder, which is made if it is missing; scratch files left by killed
 * programs are removed. IL_EIO when nothing can be written there. The creator closes. */
il_status il_store_open(il_store **out, const char *results, il_error *err);
void il_store_close(il_store *store);

/* Record all later look-ups and writes in a roster, which outlives the store and is saved as often
 * as files are synced. */
void il_store_watch(il_store *store, il_roster *roster);

/* Announce the record of key, with its cost (roster.h). */
void il_store_expect(il_store *store, const char *key, double cost);

/* The record of key into *record, the caller's to json_decref; NULL if it is absent. note (may be
 * NULL) receives a sentence, with IL_OK, when the file there
 * was unusable. IL_EIO when a file cannot be read; IL_EUNSUPPORTED when it is of a newer
 * format: note is the error then. */
il_status il_store_find(il_store *store, const char *key, json_t **record, il_error *note);

/* Store record under key, replacing an older one. */
il_status il_store_put(il_store *store, const char *key, const json_t *record, il_error *err);

/* Letters of the name of a case, with NUL: what its file is called, without ".json". */
enum { IL_STORE_NAME = 33 };

/* The name of the case of this key. */
void il_store_key_name(const char *key, char name[IL_STORE_NAME]);

/* "RESULTS/cases/AA/NAME.json" */
enum { IL_STORE_PATH = 4608 };
void il_store_path(const char *results, const char *name, char path[IL_STORE_PATH]);

/* The whole object of a case's file, the caller's, NULL where there is none: sealed, of this name
 * and of its own key. Nothing is set aside. IL_EINVAL: damaged, err is the reason; IL_EUNSUPPORTED:
 * of a newer format, named, with what to do; IL_EIO. */
il_status il_store_load(const char *results, const char *name, json_t **object, il_error *err);

#endif
