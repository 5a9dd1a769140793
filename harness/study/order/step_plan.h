/*
 * step_plan.h - how many more runs, and at which numbers of steps, decide the verdicts of a study
 * that has a few runs.
 *
 * The runs that there are give ln e = c + p ln h with normal scatter sigma, and what is not
 * known of these by so few: sigma^2 = (RSS + 2 0.3^2)/chi^2 with n degrees of freedom, the 2 and
 * 0.3 known before (step_plan.c), p and c normal about the least squares (Gelman et al. 2014,
 * Bayesian Data Analysis, section 14.2). A plan has levels of step_design.h, from the coarsest
 * run on, octave by octave. Studies are drawn: p, c, sigma, then the errors of the planned runs;
 * each is judged with the runs that there are (order.h). Of the plans under which enough of them
 * are decided, PASS or FAIL, the one with the fewest steps in all is taken. So a plan is as good
 * as the judge, whatever its rules, and the model of scatter.
 */
#ifndef IL_STEP_PLAN_H
#define IL_STEP_PLAN_H

#include "harness/study/order/order.h"

/* Runs that there must be; studies that are drawn, and how many must be decided; octaves and runs
 * of the largest plan. 34 of 40 leave a margin to four of five. */
enum {
    IL_PLAN_RUNS_MIN = 3,
    IL_PLAN_STUDIES = 40,
    IL_PLAN_DECIDED = 34,
    IL_PLAN_OCTAVES_MAX = 9,
    IL_PLAN_RUNS_MAX = 150
};

typedef struct {
    double order, scatter; /* of the runs that there are, by least squares */
    il_verdict verdict;    /* of these alone */
    size_t decided;        /* of IL_PLAN_STUDIES, under the plan */
} il_plan_norm;

typedef struct {
    size_t n;       /* runs to make; 0: the verdicts are decided, or no plan decides */
    double *steps;  /* [n] increasing; the caller frees */
    size_t octaves; /* of the plan, runs in each */
    size_t each;
    bool open;             /* verdicts are not decided, and no plan decides them */
    il_plan_norm norms[4]; /* [nnorms], of data */
} il_step_plan;

/* Plan for the nnorms <= 4 norms of one study: data[i] have the same runs and h, claims[i] judges
 * the i-th. horizon: h N of each run. Plans are the same whenever data are. IL_EINVAL: fewer than
 * IL_PLAN_RUNS_MIN runs, or an error that is not positive and finite. */
il_status il_step_plan_make(const il_order_data *data, const il_claim *claims, size_t nnorms,
                            double horizon, il_step_plan *out, il_error *err);

#endif
