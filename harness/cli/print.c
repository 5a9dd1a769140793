/*
 * print.c - a record as text, as `impactlab run` prints it without --json.
 */
#include "harness/cli/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_vector(const char *name, const double *x, size_t n) {
    (void)printf("  %s", name);
    for (size_t k = 0; k < n && k < 8; k++) {
        (void)printf(" %.10g", x[k]);
    }
    (void)printf("%s\n", n > 8 ? " ... (--json prints all)" : "");
}

static void print_multipliers(const il_multipliers *m) {
    enum { SHOWN = 12 };
    (void)printf("  multipliers of step %zu: %zu contacts, %zu unknowns, rank %zu; the set has "
                 "dimension %zu, extent %.6g\n",
                 m->step, m->contacts, m->unknowns, m->rank, m->dimension, m->extent);
    (void)printf("  their sum: %.6g to %.6g, bound %.6g = %.6g times the reaction %.6g   residual "
                 "%.1e\n",
                 m->total_min, m->total_max, m->bound, m->constant, m->force, m->residual);
    for (size_t i = 0; i < m->contacts && i < SHOWN; i++) {
        (void)printf("    %s: %.6g to %.6g, chosen %.6g\n", m->name[i], m->min[i], m->max[i],
                     m->chosen[i]);
    }
    if (m->contacts > SHOWN) {
        (void)printf("    ... (--json prints all)\n");
    }
}

/* A line for each norm that was asked for. */
static void print_norms(const il_norms *norms) {
    for (size_t k = 0; il_norm_type_at(k) != NULL; k++) {
        const il_norm_type *norm = il_norm_type_at(k);
        const double *x = il_norms_of(norms, k);
        if (isnan(x[0])) {
            continue;
        }
        (void)printf("    %s%s", norm->nested ? norm->name : "", norm->nested ? ": " : "");
        for (size_t i = 0; norm->values[i].path != NULL; i++) {
            (void)printf(norm->values[i].kind == IL_FIELD_WHOLE ? "%s%s %.0f" : "%s%s %.4g",
                         i > 0 ? ", " : "", norm->values[i].path, x[i]);
        }
        (void)printf("\n");
    }
}

static void print_wall(const il_wall_force *wall) {
    (void)printf("  %s: impulse %.6g, mean force over the last %zu steps %.6g", wall->name,
                 wall->impulse_total, wall->last_steps, wall->force_mean);
    if (wall->pressing_mean > 0.0) {
        (void)printf(", %.6g times the weight", wall->force_mean / wall->pressing_mean);
    }
    (void)printf("\n");
}

static void print_certificate(const char *name, const il_certificate *c) {
    if (c->primal == INFINITY) { /* of no rows */
        (void)printf("  %s: no constraint in reach, stationarity %.2e\n", name, c->stationarity);
        return;
    }
    (void)printf("  %s: primal %.2e, dual %.2e, complementarity %.2e, stationarity %.2e\n", name,
                 c->primal, c->dual, c->complementarity, c->stationarity);
}

/* Where the projector stopped early. */
static void print_best(const il_best_iterate *best) {
    char name[96];
    (void)snprintf(name, sizeof name, "best iterate of step %zu (--accept-stalled goes on)",
                   best->step);
    print_certificate(name, &best->certificate);
}

/* The measures that only steps that were made have. */
static void print_steps(const il_record *r) {
    const il_measure_result *m = &r->measure;
    (void)printf("  gap: nodes %.3e, between %.3e", m->nodes_min, m->between_min);
    if (r->order == 2) {
        (void)printf("   kinetic energy: %.6g to %.6g, largest rise %.3e", m->energy_initial,
                     m->energy_final, m->energy_largest_increase);
    }
    (void)printf("\n");
    if (!r->outside) {
        print_certificate("certificate", &m->certificate);
    }
}

/* Steps whose projection onto Q(t) is not known to be the nearest point. */
static void print_beyond(const il_record *r) {
    if (r->steps_beyond > 0) {
        (void)printf("  %zu steps project from beyond the radius of prox-regularity (up to %.3g of "
                     "it): stationary points, not shown to be the nearest\n",
                     r->steps_beyond, r->share_max);
    }
    if (r->steps_unknown > 0) {
        (void)printf("  %zu steps project onto a set whose radius of prox-regularity is unknown: "
                     "stationary points, not shown to be the nearest\n",
                     r->steps_unknown);
    }
}

/* An error, or that there is none: where it would not be finite. */
static void print_error(const char *name, double x) {
    if (isfinite(x)) {
        (void)printf("%s %.3e", name, x);
    } else {
        (void)printf("%s not finite", name);
    }
}

static void print_errors(const il_record *r, bool norms) {
    for (size_t k = 0; k < r->ndistances; k++) {
        const il_distance *e = &r->distances[k];
        (void)printf("  error against %s:", e->name);
        print_error(" q_Linf", e->error.q_Linf);
        print_error("  u_L1", e->error.u_L1);
        print_error("  final q", e->error.final_q);
        print_error("  final u", e->error.final_u);
        (void)printf("\n");
        if (norms) {
            print_norms(&e->norms);
        }
    }
    if (r->ndistances == 0) {
        (void)printf("  no exact solution: %s\n", r->no_reference);
    }
}

static void print_balance(const il_measure_result *m) {
    const il_balance_result *b = &m->balance;
    (void)printf(
        "  energy beyond the work of the force: %.3e at the end, at most %.3e, largest rise "
        "%.3e\n",
        b->final, b->largest, b->largest_step);
    if (b->events > 0) {
        (void)printf("  %zu impacts that stand alone: gained at most %.3e beyond the law, lost "
                     "%.3e at least\n",
                     b->events, b->gained_most, b->lost_least);
    }
}

static void print_rest(const il_record *r) {
    const il_measure_result *m = &r->measure;
    if (!isnan(m->momentum_drift)) {
        (void)printf("  momentum drift %.3e\n", m->momentum_drift);
    }
    for (size_t k = 0; k < r->nwalls && r->steps_done > 0; k++) {
        print_wall(&r->walls[k]);
    }
    (void)printf("  total variation %.6g   impulse %.6g   contacts at most %zu   %zu projector "
                 "iterations   %.3g s\n",
                 m->total_variation, m->impulse_total, m->active_max, r->projector_iterations,
                 r->seconds);
    if (r->order == 2 && r->steps_done > 0) {
        print_balance(m);
    }
    if (r->factorisations > 0) {
        (void)printf("  sparse factor: %zu factorisations, %zu analyses\n", r->factorisations,
                     r->analyses);
    }
}

void il_cli_print_record(const il_record *r, const il_cli_shows *shows) {
    (void)printf("%s by %s", r->problem, r->scheme);
    if (!r->outside) {
        (void)printf(", projector %s", r->projector);
    }
    (void)printf(": %zu steps of h = %g to t = %g: %s\n", r->steps_done, r->h, r->t,
                 il_status_name(r->status));
    if (r->message[0] != '\0') {
        (void)printf("  %s\n", r->message);
    }
    print_beyond(r);
    if (shows->rest || !r->measured) {
        print_vector("q", r->q, r->d);
        print_vector("u", r->u, r->d);
    }
    for (size_t k = 0; k < r->nsamples; k++) {
        (void)printf("at t = %g\n", r->samples[k].t);
        print_vector("q", r->samples[k].q, r->d);
        print_vector("u", r->samples[k].u, r->d);
    }
    if (r->multipliers.step > 0) {
        print_multipliers(&r->multipliers);
    }
    if (r->best.step > 0) {
        print_best(&r->best);
    }
    if (!r->measured) {
        return;
    }
    print_errors(r, shows->norms);
    if (r->steps_done > 0) {
        print_steps(r);
    }
    if (shows->rest) {
        print_rest(r);
    }
}

static void print_fractions(const char *name, il_rational **x, size_t n) {
    (void)printf("  %s", name);
    for (size_t k = 0; k < n && k < 8; k++) {
        char *text = il_rational_text(x[k]);
        (void)printf(" %s", strlen(text) <= 60 ? text : "(long)");
        free(text);
    }
    (void)printf("%s\n", n > 8 ? " ... (--json prints all)" : "");
}

void il_cli_print_proof(const il_proof *p) {
    (void)printf("in exact arithmetic, the longest number of %zu bits:\n", p->bits);
    print_fractions("h", p->h, 1);
    print_fractions("t", p->t, 1);
    print_fractions("q", p->q, p->d);
    print_fractions("u", p->u, p->d);
    (void)printf("  doubles differ by at most %.3e in q, %.3e in u; contacts differ in %zu steps",
                 p->largest_q, p->largest_u, p->differ);
    if (p->first > 0) {
        (void)printf(", first in step %zu", p->first);
    }
    (void)printf("\n");
}
