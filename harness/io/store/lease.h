/*
 * lease.h - who is at which case: several sweeps share a results folder, on one machine or many.
 *
 * A case is claimed by the file RESULTS/claims/NAME with NAME that of its stored file, which is
 * made where there is none:
 *
 *     {"case": TEXT, "host": NAME, "pid": N, "since": SECONDS, ...}
 *
 * It is held for as long as its owner says that it lives: every 20 seconds it touches the file, and
 * one that was not touched for 120 seconds, by the clock of the file system, has expired. On the
 * machine of its owner nobody waits for that: there it has expired once the process is gone
 * (number, start and name space of processes are compared), and so has an empty one at once. What
 * has expired is replaced under flock(2) of that folder, so that one of several gets it; where a
 * file system has no locks two may, and run a case twice, which does no harm but to time.
 */
#ifndef IL_LEASE_H
#define IL_LEASE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

typedef struct il_leases il_leases;

/* Letters of who holds a lease, with NUL: "process 4711 on HOST". */
enum { IL_LEASE_HOLDER = 128 };

/* The leases of a results folder, which exists. IL_EIO, IL_ENOMEM. The creator closes, and gives
 * back what it holds by that. NULL for what takes it is one that holds every case. */
il_status il_leases_open(il_leases **out, const char *results, il_error *err);
void il_leases_close(il_leases *w);

/* Claim the case `name`, which is `what` for people. *ours says whether it is ours now; else
 * holder[IL_LEASE_HOLDER] says whose. One that we hold stays ours. IL_EIO, IL_ENOMEM. */
il_status il_leases_take(il_leases *w, const char *name, const char *what, bool *ours, char *holder,
                         il_error *err);

/* Give a case back; nothing happens if it is not ours (any more). */
void il_leases_give(il_leases *w, const char *name);

/* Say that we live; as often as one likes. */
void il_leases_refresh(il_leases *w);

/* All that are held and have not expired: [{"name", "case", "host", "pid", "since"}], null for what
 * a claim does not say; the caller's, empty without a folder. NULL when memory ran out. */
json_t *il_leases_held(const char *results);

#endif
