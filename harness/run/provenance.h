/*
 * provenance.h - where a record comes from: program, machine, script, date.
 *
 * Nothing that a record promises depends on it: tests that compare records leave it out, as they do
 * `build` and `work.seconds`.
 */
#ifndef IL_PROVENANCE_H
#define IL_PROVENANCE_H

#include <jansson.h>

#include "harness/run/case.h"

/* {version, revision, dirty, compiler, flags, libraries, processor, mathematics, host, date,
 * seconds, seed, script, script_sha256}: no objects inside. `revision` is that of git when the
 * program was built, null where there was none, and `dirty` whether files differed from it;
 * `mathematics` is the C library and which variant of its elementary functions this machine has it
 * take; `date` the end of the run in UTC (ISO 8601); `seconds` what it took, null if unknown (NaN);
 * the last two are null without a script. The caller's; NULL when memory ran out. */
json_t *il_provenance_json(const il_case *c, double seconds);

#endif
