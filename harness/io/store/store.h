/*
 * store.h - records that were computed before, one file a case.
 *
 * A case is named by its key, a text that holds everything its record depends on: problem,
 * parameters, scheme, projector, options, steps, reference and the build of the program. The file
 * is RESULTS/cases/AA/HASH.json with HASH the first 128 bits of the key's SHA-256 in hexadecimal
 * and AA its first two digits; it holds {"key": KEY, "record": RECORD}, sealed (sealed.h). What is
 * found there and is not just what was put, whole and of this key, is set aside as
 * HASH.json.damaged, told, and counts as absent; it is never read as a result. Files appear whole
 * or not at all, so several programs may share a store. NULL is the store that holds and keeps
 * nothing.
 *
 * A file is not waited for, which would take longer than many a case: the store as a whole is
 * forced to the disk every few seconds and when it is closed. A loss of power costs at most these
 * seconds, and what it leaves half written is seen by its checksum and run again.
 */
#ifndef IL_STORE_H
#define IL_STORE_H

#include <jansson.h>
#include <stdbool.h>

#include "harness/base/status.h"
#include "harness/io/store/roster.h"

typedef struct il_store il_store;

/* Does the record say of itself what the key says of it? why says what it does not. */
typedef il_status il_store_judge(const char *key, const json_t *record, il_error *why);

/* The store of a results folder, which is made if it is missing; what programs that were killed
 * left half written in it goes. IL_EIO when nothing can be written there. The creator closes. */
il_status il_store_open(il_store **out, const char *results, il_error *err);
void il_store_close(il_store *store);

/* Have all that is looked for and put from now on noted in a roster, which outlives the store and
 * is saved as often as files are forced to the disk. */
void il_store_watch(il_store *store, il_roster *roster);

/* The record of key is going to be looked for or put, at a cost (roster.h). */
il_status il_store_expect(il_store *store, const char *key, double cost, il_error *err);

/* The record of key into *record, the caller's to json_decref; NULL where it is absent, or judge
 * (may be NULL) refuses it. note (may be NULL) receives a sentence when a file was there and of no
 * use; that is IL_OK. IL_ENOMEM; IL_EIO when a file cannot be looked at; IL_EUNSUPPORTED when one
 * is of a newer format: note is the error then. */
il_status il_store_find(il_store *store, const char *key, il_store_judge *judge, json_t **record,
                        il_error *note);

/* Keep record under key, replacing what stood there. */
il_status il_store_put(il_store *store, const char *key, const json_t *record, il_error *err);

/* The two halves of that, of which a worker does the first, to a store that its parent has, and the
 * parent the second once it has heard of it: what is stored is whole from the first on, and known
 * and on its way to the disk from the second. */
il_status il_store_write(const il_store *store, const char *key, const char *text, il_error *err);
il_status il_store_wrote(il_store *store, const char *key, il_error *err);

/* The file of key. The caller frees; NULL when memory ran out. */
char *il_store_path(const il_store *store, const char *key);

/* Letters of the name of a case, with NUL: what its file is called, without ".json". */
enum { IL_STORE_NAME = 33 };

/* The name of the case of this key. */
void il_store_key_name(const char *key, char name[IL_STORE_NAME]);

#endif
