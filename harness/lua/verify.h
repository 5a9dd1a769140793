/*
 * verify.h - the claims of the papers, checked.
 *
 * Claims are declared in Lua (scripts/claims/NAME.lua, one file a paper), because scripts may name
 * problems and schemes while the harness never does; the build puts the files into the program, so
 * that they run from anywhere. C runs them, on several processes, and alone decides the verdicts
 * (harness/study/verdict.h).
 */
#ifndef IL_LUA_VERIFY_H
#define IL_LUA_VERIFY_H

#include <jansson.h>
#include <stdio.h>

#include "harness/run/registry.h"

typedef struct {
    size_t nids;
    const char *const *ids;            /* [nids] claims to check; 0: all */
    size_t workers;                    /* processes; 0: 1 */
    const il_substitutes *substitutes; /* NULL outside tests */
    const char *claims; /* Lua text in place of the embedded files; NULL outside tests */

    FILE *messages; /* progress; NULL: nowhere */
} il_verify_options;

/* Check. *report, the caller's, is
 *
 *     {claims: [{id, statement, source, problem, scheme, what, measured, sense, bound, verdict,
 *                reason, evidence}, ...],
 *      checked, passed, failed, findings, evidence, not_applicable, inconclusive, version, build}
 *
 * with one entry a claim, problem and scheme, in the order of declaration. Verdicts:
 *
 *     PASS            measured sense bound holds (sense is "<=" or ">=")
 *     FAIL            it does not, or the check itself broke; or what is known not to hold does
 *     FINDING         it does not, as is known: evidence says why
 *     EVIDENCE        it does, and could hardly not: reason says why that proves nothing
 *     NOT APPLICABLE  a hypothesis fails on this problem: reason says which
 *     INCONCLUSIVE    what was measured decides nothing: reason says why
 *
 * IL_OK whatever the verdicts. IL_EINVAL for an id that is not known (the message has all of them);
 * IL_EINTERRUPTED, IL_ESCRIPT for a claim file that does not load. */
il_status il_verify(const il_verify_options *options, json_t **report, il_error *err);

/* Every wanted claim against its negative controls: wrong inputs that must make it fail. *report,
 * the caller's, is
 *
 *     {controls: [{id, control, problem, scheme, what, measured, sense, bound, verdict, reason,
 *                  evidence}, ...],
 *      checked, caught, missed, uncontrolled: [ids of claims without any],
 *      unbroken: [{id, what}: rows that no control of their claim made fail], version, build}
 *
 * with verdict "caught" (what was measured is the first row that failed) or "MISSED" (reason says
 * how). Statuses as il_verify. */
il_status il_verify_controls(const il_verify_options *options, json_t **report, il_error *err);

/* All claims, *list the caller's: [{id, statement, source, checks, controls}, ...]. */
il_status il_verify_list(json_t **list, il_error *err);

#endif
