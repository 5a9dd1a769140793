/*
 * ensemble.h - a run repeated with data perturbed by units in the last place: how many digits of
 * its record are significant.
 *
 * The runs, numbered from 0:
 *
 *     0                 the unperturbed data; the others are measured against it
 *     1 .. runs         perturbed by E
 *     then IL_PROBES each perturbed by 2^10 E and 2^20 E, while that is at most
 *                       IL_ENSEMBLE_LARGEST: is the spread proportional to the perturbation?
 *
 * Every second run also takes the rows in a random order. Run 0 comes first; the others may be made
 * by workers, forked after it, in any order, with the same results.
 *
 *     il_ensemble_create; run 0 with il_ensemble_member(e, 0, &case); il_ensemble_base;
 *     il_members_run with il_ensemble_runs, or for k = 1 .. il_ensemble_count - 1 what that
 *     does; il_ensemble_json.
 */
#ifndef IL_ENSEMBLE_H
#define IL_ENSEMBLE_H

#include <jansson.h>

#include "harness/run/case.h"
#include "harness/study/ensemble/members.h"

enum { IL_PROBES = 3 };
#define IL_ENSEMBLE_LARGEST 0.0009765625 /* 2^-10 */
#define IL_ENSEMBLE_SMALLEST 0x1p-50     /* four units in the last place of 1 */

typedef struct il_ensemble il_ensemble;

/* runs >= 2; perturb: E in [2^-52, 1/2], 0 for IL_ENSEMBLE_SMALLEST. IL_EINVAL else, with the two
 * names given. `of` is the problem. The creator destroys. */
il_status il_ensemble_create(il_ensemble **out, const il_problem_type *of, size_t runs,
                             double perturb, il_error *err);
void il_ensemble_destroy(il_ensemble *e);

/* IL_EINVAL unless runs is an integer from 2 on and perturb a number in [2^-52, 1/2]; for command
 * lines and scripts, which know how they call them. */
il_status il_ensemble_check(const char *runs_name, double runs, const char *perturb_name,
                            const double *perturb, il_error *err);

size_t il_ensemble_count(const il_ensemble *e);

/* The problem of run k, and its observer, which watches one run at a time; valid until the next
 * call. */
const il_problem_type *il_ensemble_problem(il_ensemble *e, size_t k);
il_observer il_ensemble_observer(il_ensemble *e, size_t k);

/* Both into case c. */
void il_ensemble_member(il_ensemble *e, size_t k, il_case *c);

/* The record of run 0 (borrowed, and kept). tolerance: the projector's that was asked for, or 0. */
il_status il_ensemble_base(il_ensemble *e, const json_t *record, double tolerance, il_error *err);

/* For il_members_run: runs 1 .. il_ensemble_count - 1 as its runs from 0 on. The caller sets the
 * rest. */
il_members il_ensemble_runs(il_ensemble *e);

/* Its `add` and `take`: put the distances of the run that was watched last into answer; and take
 * {record, distance} or {refused} of run k. */
void il_ensemble_add(const il_ensemble *e, json_t *answer);
void il_ensemble_take(il_ensemble *e, size_t k, const json_t *answer);

/* {runs, perturbation, class, reason, growth_rate, digits_left, digits_lost, ..., numbers}; once
 * all are taken. IL_EINVAL when all starts were refused. */
il_status il_ensemble_json(il_ensemble *e, json_t **out, il_error *err);

/* The lines that a person reads, from what il_ensemble_json made. The caller frees; NULL for
 * NULL. */
char *il_ensemble_text(const json_t *ensemble);

#endif
