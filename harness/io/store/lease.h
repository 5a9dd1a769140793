/*
 * lease.h - which process works on which case: several sweeps may share a results folder, on one
 * machine or many.
 *
 * A case is claimed by creating the file RESULTS/claims/NAME, NAME being that of its stored file:
 *
 *     {"case": TEXT, "host": NAME, "pid": N, "since": SECONDS, ...}
 *
 * The owner holds flock(2) on the file, which the kernel releases when it ends, and touches it
 * every 20 seconds. A claim has expired when its lock is free and its owner was of this machine, or
 * when it was not touched for 120 seconds, by the clock of the file system: locks may not reach
 * other machines. Expired ones are removed by whoever holds their lock. On a file system without
 * locks two programs may run a case, which costs time only.
 */
#ifndef IL_LEASE_H
#define IL_LEASE_H

#include <jansson.h>
#include <stdbool.h>

#include "harness/base/status.h"

typedef struct il_leases il_leases;

/* Length of a description of the owner, with NUL: "process 4711 on HOST". */
enum { IL_LEASE_HOLDER = 128 };

/* The leases of a results folder, which exists. IL_EIO. The creator closes, which
 * releases all that it holds. The other functions take NULL as a lease on every case. */
il_status il_leases_open(il_leases **out, const char *results, il_error *err);
void il_leases_close(il_leases *w);

/* Claim the case `name`; `what` describes it. *ours: it is ours now; else holder[IL_LEASE_HOLDER]
 * is its owner. A case that we hold stays ours. IL_EIO. */
il_status il_leases_take(il_leases *w, const char *name, const char *what, bool *ours, char *holder,
                         il_error *err);

/* Release a case; nothing happens if it is not ours (any more). */
void il_leases_give(il_leases *w, const char *name);

/* Touch our leases if it is time; may be called often. */
void il_leases_refresh(il_leases *w);

/* All that are held and have not expired: [{"name", "case", "host", "pid", "since"}], null for what
 * a claim does not say; the caller's, empty without a folder. */
json_t *il_leases_held(const char *results);

#endif
