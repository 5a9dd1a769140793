/*
 * proof.c - steps in rational numbers. See proof.h.
 */
#include "harness/reference/proof.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"

enum { WORK = 8 };
static const size_t BITS_MAX = (size_t)1 << 20;

/* A block of bodies that move as one, first..last; its shifted target is sum/mass. */
typedef struct {
    size_t first, last;
} block;

typedef struct {
    il_exact_model model;
    il_rational **shift;         /* [d] sums of the gaps of a chain */
    il_rational **F0, **F1;      /* [d] impulse up to the ends of the step */
    il_rational **x, **target;   /* [d] the new position, and what is projected */
    il_rational **sum, **weight; /* [d] per block */
    il_rational **work;          /* [WORK], and behind them the numbers above */
    block *blocks;               /* [d] */
    bool *pushes;                /* [d] constraint k was active in the step */
} march;

static void free_march(march *w) {
    il_exact_model_free(&w->model);
    il_rational_free(w->work);
    free(w->blocks);
    free(w->pushes);
}

static void allocate(march *w, il_proof *p, size_t d) {
    il_rational ***vectors[] = {&w->shift, &w->F0, &w->F1, &w->x, &w->target, &w->sum, &w->weight};
    size_t n = sizeof vectors / sizeof vectors[0];
    w->work = il_rational_array(WORK + n * d);
    w->blocks = il_alloc(d, sizeof *w->blocks);
    w->pushes = il_alloc(d, sizeof *w->pushes);
    p->h = il_rational_array(2 + 2 * d);
    p->d = d;
    for (size_t k = 0; k < n; k++) {
        *vectors[k] = w->work + WORK + k * d;
    }
    p->t = p->h + 1;
    p->q = p->t + 1;
    p->u = p->q + d;
}

/* ---- projections ---------------------------------------------------------------------------- */

/* x = max(target, gap). */
static void project_wall(march *w) {
    w->pushes[0] = il_rational_compare(w->target[0], w->model.gap[0]) < 0;
    il_rational_set(w->x[0], w->pushes[0] ? w->model.gap[0] : w->target[0]);
}

/* Is the mean of block a above that of block b (both have positive weight)? */
static bool above(march *w, size_t a, size_t b) {
    il_rational_mul(w->work[0], w->sum[a], w->weight[b]);
    il_rational_mul(w->work[1], w->sum[b], w->weight[a]);
    return il_rational_compare(w->work[0], w->work[1]) > 0;
}

/* x nearest to target in M with x_{k+1} - x_k >= gap_k: isotonic regression of target - shift. */
static void project_chain(march *w) {
    size_t d = w->model.d;
    size_t n = 0;
    for (size_t i = 0; i < d; i++) {
        il_rational_sub(w->sum[n], w->target[i], w->shift[i]);
        il_rational_mul(w->sum[n], w->sum[n], w->model.mass[i]);
        il_rational_set(w->weight[n], w->model.mass[i]);
        w->blocks[n++] = (block){i, i};
        while (n > 1 && above(w, n - 2, n - 1)) {
            il_rational_add(w->sum[n - 2], w->sum[n - 2], w->sum[n - 1]);
            il_rational_add(w->weight[n - 2], w->weight[n - 2], w->weight[n - 1]);
            w->blocks[n - 2].last = w->blocks[n - 1].last;
            n--;
        }
    }
    il_rational *force = w->work[2];
    for (size_t k = 0; k < n; k++) {
        il_rational_div(w->work[0], w->sum[k], w->weight[k]);
        il_rational_set_fraction(force, 0, 1);
        for (size_t i = w->blocks[k].first; i <= w->blocks[k].last; i++) {
            il_rational_add(w->x[i], w->work[0], w->shift[i]);
            /* the multiplier between i and i+1: sum of m (target - x) from the left */
            il_rational_sub(w->work[1], w->target[i], w->x[i]);
            il_rational_mul(w->work[1], w->work[1], w->model.mass[i]);
            il_rational_add(force, force, w->work[1]);
            w->pushes[i] = il_rational_sign(force) > 0;
        }
    }
}

/* ---- steps ---------------------------------------------------------------------------------- */

static void step(march *w, il_proof *p, size_t n) {
    const il_exact_model *m = &w->model;
    il_rational_set_fraction(w->work[0], (long)(n + 1), 1);
    il_rational_mul(p->t[0], p->h[0], w->work[0]);
    if (m->impulse != NULL) {
        m->impulse(m, p->t[0], w->F1, w->work);
    }
    for (size_t i = 0; i < m->d; i++) {
        il_rational_sub(w->target[i], w->F1[i], w->F0[i]);
        il_rational_div(w->target[i], w->target[i], m->mass[i]);
        il_rational_add(w->target[i], w->target[i], p->u[i]);
        il_rational_mul(w->target[i], w->target[i], p->h[0]);
        il_rational_add(w->target[i], w->target[i], p->q[i]);
        il_rational_set(w->F0[i], w->F1[i]);
    }
    if (m->chain) {
        project_chain(w);
    } else {
        project_wall(w);
    }
    for (size_t i = 0; i < m->d; i++) {
        il_rational_sub(p->u[i], w->x[i], p->q[i]);
        il_rational_div(p->u[i], p->u[i], p->h[0]);
        il_rational_set(p->q[i], w->x[i]);
    }
}

/* Compare with the doubles' node and contacts, which are those from *at on. */
static void compare(const march *w, il_proof *p, const il_trajectory *run, size_t n, size_t *at) {
    size_t pushed = 0;
    size_t agree = 0;
    size_t doubles = 0;
    for (size_t i = 0; i < p->d; i++) {
        double q = fabs(il_rational_error(run->q[(n + 1) * p->d + i], p->q[i]));
        double u = fabs(il_rational_error(run->u[(n + 1) * p->d + i], p->u[i]));
        p->largest_q = fmax(p->largest_q, q);
        p->largest_u = fmax(p->largest_u, u);
        size_t bits = il_rational_bits(p->q[i]);
        size_t more = il_rational_bits(p->u[i]);
        bits = bits > more ? bits : more;
        p->bits = p->bits > bits ? p->bits : bits;
        pushed += w->pushes[i];
    }
    for (; *at < run->ncontacts && run->contacts[*at].step == n + 1; (*at)++) {
        const il_contact *c = &run->contacts[*at];
        doubles += c->impulse > 0.0;
        agree += c->impulse > 0.0 && c->id < p->d && w->pushes[c->id];
    }
    p->contacts += pushed;
    if (agree != pushed || agree != doubles) {
        p->differ++;
        p->first = p->first == 0 ? n + 1 : p->first;
    }
}

/* h = T/N, or as it was typed. */
static il_status choose_step(il_proof *p, march *w, const il_proof_query *query, il_error *err) {
    const char *h = query->h_text;
    const char *horizon = query->horizon_text;
    il_rational *T = w->model.horizon[0];
    if (horizon != NULL ? !il_rational_set_text(T, horizon) : false) {
        return il_fail(err, IL_EINVAL, "the horizon is '%s'; allowed: a decimal or a fraction",
                       horizon);
    }
    if (horizon == NULL && query->horizon > 0.0) {
        il_rational_set_shortest(T, query->horizon);
    }
    if (query->h == 0.0) {
        il_rational_set_fraction(w->work[0], (long)p->steps, 1);
        il_rational_div(p->h[0], T, w->work[0]);
    } else if (h == NULL) {
        il_rational_set_shortest(p->h[0], query->h);
    } else if (!il_rational_set_text(p->h[0], h)) {
        return il_fail(err, IL_EINVAL, "h is '%s'; allowed: a decimal or a fraction", h);
    }
    return IL_OK;
}

il_status il_proof_admits(const il_problem_type *problem, const il_scheme_type *scheme,
                          il_error *err) {
    if (problem->exact_model == NULL) {
        return il_fail(
            err, IL_EUNSUPPORTED,
            "problem '%s' has no model in exact arithmetic: its constraints or its force "
            "are not rational",
            problem->name);
    }
    if (!scheme->projects_positions) {
        return il_fail(err, IL_EUNSUPPORTED,
                       "scheme '%s' has no counterpart in exact arithmetic: its step is not the "
                       "projection of a position onto affine constraints",
                       scheme->name);
    }
    return IL_OK;
}

static il_status make_model(march *w, const il_proof_query *query, il_error *err) {
    il_problem *problem = NULL;
    il_status status = il_problem_create(&problem, query->problem, query->params, 0.0, err);
    if (status == IL_OK) {
        query->problem->exact_model(problem, query->params, &w->model);
    }
    il_problem_destroy(problem);
    return status;
}

il_status il_proof_run(il_proof *p, const il_proof_query *query, il_error *err) {
    march w = {.blocks = NULL};
    il_status status = il_proof_admits(query->problem, query->scheme, err);
    if (status == IL_OK) {
        status = make_model(&w, query, err);
    }
    p->steps = query->steps;
    if (status == IL_OK) {
        allocate(&w, p, w.model.d);
        status = choose_step(p, &w, query, err);
    }
    for (size_t i = 0; status == IL_OK && i < p->d; i++) {
        il_rational_set(p->q[i], w.model.q0[i]);
        il_rational_set(p->u[i], w.model.u0[i]);
        if (i > 0) {
            il_rational_add(w.shift[i], w.shift[i - 1], w.model.gap[i - 1]);
        }
    }
    size_t at = 0;
    for (size_t n = 0; status == IL_OK && n < p->steps; n++) {
        step(&w, p, n);
        compare(&w, p, query->trajectory, n, &at);
        if (p->bits > BITS_MAX) {
            status =
                il_fail(err, IL_ENUMERIC, "after step %zu exact numbers have %zu bits; at most %zu",
                        n + 1, p->bits, BITS_MAX);
        } else if (il_interrupted()) {
            status = il_fail(err, IL_EINTERRUPTED, "%s after step %zu in exact arithmetic",
                             il_interrupt_reason(), n + 1);
        }
    }
    free_march(&w);
    return status;
}

void il_proof_free(il_proof *p) {
    il_rational_free(p->h);
    memset(p, 0, sizeof *p);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *fraction(const il_rational *x) {
    char *text = il_rational_text(x);
    json_t *value = json_string(text);
    free(text);
    return value;
}

static json_t *fractions(il_rational **x, size_t n) {
    json_t *array = json_array();
    for (size_t k = 0; k < n; k++) {
        il_json_append(array, fraction(x[k]));
    }
    return array;
}

static json_t *errors(const double *x, il_rational **exact, size_t n) {
    json_t *array = json_array();
    for (size_t k = 0; k < n; k++) {
        il_json_append(array, il_json_number(il_rational_error(x[k], exact[k])));
    }
    return array;
}

json_t *il_proof_json(const il_proof *p, const double *q, const double *u) {
    json_t *final = json_pack("{s:o, s:o, s:o}", "t", fraction(p->t[0]), "q", fractions(p->q, p->d),
                              "u", fractions(p->u, p->d));
    json_t *difference =
        json_pack("{s:o, s:o, s:o, s:o, s:I, s:o}", "final_q", errors(q, p->q, p->d), "final_u",
                  errors(u, p->u, p->d), "largest_q", il_json_number(p->largest_q), "largest_u",
                  il_json_number(p->largest_u), "contacts", (json_int_t)p->differ, "first_step",
                  p->first > 0 ? json_integer((json_int_t)p->first) : json_null());
    return json_pack("{s:s, s:o, s:I, s:o, s:I, s:I, s:o}", "arithmetic", "rational", "h",
                     fraction(p->h[0]), "steps", (json_int_t)p->steps, "final", final, "contacts",
                     (json_int_t)p->contacts, "bits", (json_int_t)p->bits, "difference",
                     difference);
}
