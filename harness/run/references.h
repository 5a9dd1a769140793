/*
 * references.h - what is dear and many runs need: references, kept in a folder, RESULTS/references.
 *
 * A reference is the file FOLDER/NAME with NAME the hash of its key as that of a stored case is
 * (harness/io/store/store.h). The key says all that it depends on, the build among it; the file is a
 * sealed state (harness/io/store/state_file.h) that begins with the provenance of the run that made it,
 * and appears whole or not at all. A run (of a sweep's own reference, or one that limits are judged
 * by) has the key of its case and all its nodes behind; an event-driven reference the key
 *
 *     {"build", "format", "reference": "event_driven", "problem", "parameters", "seed", "horizon"}
 *
 * and its motion and events behind. What is there and not whole is set aside as NAME.damaged, told,
 * and made again; it is never read.
 */
#ifndef IL_REFERENCES_H
#define IL_REFERENCES_H

#include "harness/reference/event_driven.h"
#include "harness/run/case.h"

/* Keep run under key. provenance may be NULL. IL_EIO, IL_ENOMEM. */
il_status il_reference_put_run(const char *folder, const char *key, il_trajectory *run,
                               const json_t *provenance, il_error *err);

/* The run of key into *run, zeroed and the caller's; *found is false where there is none that is
 * whole, and note (may be NULL) says of what stood there that it was set aside. IL_ENOMEM: note
 * says so. */
il_status il_reference_get_run(const char *folder, const char *key, il_trajectory *run, bool *found,
                               il_error *note);

/* Can the event-driven reference of a case be kept: has it a folder, and a problem that was
 * compiled? (What functions of a script do beside what their key says nobody knows before.) */
bool il_reference_keeps(const il_case *c);

/* The key of a case's event-driven reference, the caller's. IL_ENOMEM, and what il_case_params
 * refuses. */
il_status il_reference_key(const il_case *c, char **key, il_error *err);

/* The event-driven reference of a case: as it is kept in c->references, or made, and kept there
 * if il_reference_keeps; `anew` does not look. That it cannot be kept is no reason to fail. *out is
 * the creator's to destroy. What il_case_problem and il_event_driven_create say otherwise. */
il_status il_reference_events(il_event_driven **out, const il_case *c, bool anew, il_error *err);

/* Is the event-driven reference of key there and whole? As il_reference_get_run. */
il_status il_reference_find_events(const char *folder, const char *key, il_event_driven **out,
                                   il_error *note);

/* All that lie in a folder, an array in the order of their names, the caller's: {"name", "kind":
 * "run" or "event_driven", "problem", "scheme", "steps", "horizon", "build", "date", "seconds",
 * "script", "bytes"}, null for what there is none of; or {"name", "bytes", "damaged": REASON}.
 * Empty without the folder; NULL when memory ran out. `whole`: checksums are looked at, which reads
 * all files; else date, seconds and script are null. */
json_t *il_references_list(const char *folder, bool whole);

#endif
