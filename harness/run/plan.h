/*
 * plan.h - N, h and T of a run, h = T/N, and whether what is asked of its steps exists. Between
 * harness/run/run.c, case.c and plan.c only.
 */
#ifndef IL_RUN_PLAN_H
#define IL_RUN_PLAN_H

#include "harness/run/record.h"
#include "harness/run/spec.h"

/* The horizon that the problem is to be made with; 0: its own. IL_EINVAL where the specification
 * gives two, or one that is not positive and finite. */
il_status il_run_horizon(const il_run_spec *spec, double *horizon, il_error *err);

/* steps, h and horizon of the record, and a message where the steps end short of the horizon;
 * *divided: they divide it. Samples, multipliers and the projection to be kept must lie in the run:
 * IL_EINVAL, IL_EUNSUPPORTED where multipliers cannot be analysed. */
il_status il_run_plan(const il_run_spec *spec, const il_problem *problem, il_record *record,
                      bool *divided, il_error *err);

/* t_n of the record's plan; the last node of a horizon that the steps divide is the horizon
 * itself. */
double il_run_node(const il_record *record, bool divided, size_t n);

/* The seed of the record: the specification's, or the problem's parameter of that name. */
void il_run_plan_seed(const il_run_spec *spec, il_record *record);

/* Does the projector accept the rows of the first step? Structure does not change on the way for
 * the problems at hand, and a refusal belongs before the run. IL_EUNSUPPORTED with the reason. */
il_status il_run_check_projector(const il_run_spec *spec, const il_problem *problem, il_error *err);

#endif
