/*
 * multipliers.c - Lambda = { lambda >= 0 : B' lambda = F } by GLPK, ranks by GSL. The only file
 * that uses GLPK.
 *
 * One linear program with d equations serves all objectives: only the objective changes, so each
 * program starts from the optimal basis of the one before, which stays feasible. F is scaled to sup
 * norm 1. A multiplier that is 0 at some vertex needs no program for its minimum. Every optimum is
 * checked from the data: lambda for the equations and signs, the dual y for B y >= c (or <= c) and
 * for <F, y> = <c, lambda>.
 *
 * The affine hull of Lambda is { lambda : B_P' lambda_P = F, 0 off P } with P the constraints whose
 * multiplier is positive somewhere in Lambda, max > 0: a mean of the maximisers is positive on all
 * of P. So dim Lambda = |P| - rank B_P.
 *
 * GLPK aborts on an internal error; its hook leaves by longjmp instead, or ends the program for
 * lack of memory, and its environment, which owns all its memory, is freed.
 */
#include "harness/measure/multipliers.h"

#include <glpk.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

/* Feasibility and reduced costs of the linear programs, for forces of size 1. Rows are known to
 * 1e-16 and bases of some thousand contacts lose a few digits. */
static const double ACCURACY = 1e-10;

/* A multiplier that never exceeds this, relative to the largest |F_k|, is 0 on the whole set: ten
 * times what the programs may err. */
static const double NOTHING = 1e-9;

/* A diagonal entry of R this much below the first is 0. Gradients have entries of order 1, known to
 * 1e-16; the least nonzero singular value of n bodies in contact is some 1/n^2. */
static const double RANK = 1e-10;

typedef struct {
    jmp_buf jump;
    char said[160]; /* by GLPK, last */
    bool exhausted; /* it said that there is no memory */
    glp_prob *lp;
    glp_smcp how;
    size_t d;
    const il_rows *rows;
    double *F;      /* [d] scaled to sup norm 1 unless it is 0 */
    double scale;   /* of F */
    double *cost;   /* [p] objective at hand */
    double *lambda; /* [p] its optimum */
    double *dual;   /* [d] */
    double *least;  /* [p] over the vertices seen */
    double *work;   /* [d] */
    size_t touched; /* coordinates that some row has */
    size_t *place;  /* [d] the number of each among those */
    int *index;     /* [1 + d] */
    double *value;
    il_multipliers *m;
    il_error *err;
} work;

/* ---- GLPK --------------------------------------------------------------------------------- */

static int listen(void *info, const char *text) {
    work *w = info;
    w->exhausted |= strstr(text, "memory") != NULL;
    w->said[0] = '\0';
    il_text_append(w->said, sizeof w->said, "%.*s", (int)strcspn(text, "\n"), text);
    return 1; /* nothing is printed */
}

static void escape(void *info) {
    work *w = info;
    if (w->exhausted) {
        il_memory_end(0);
    }
    longjmp(w->jump, 1);
}

/* Columns 1..p are the multipliers, rows 1..d the equations. */
static void build(work *w) {
    const il_rows *b = w->rows;
    w->lp = glp_create_prob();
    (void)glp_add_rows(w->lp, (int)w->d);
    for (size_t k = 0; k < w->d; k++) {
        glp_set_row_bnds(w->lp, (int)k + 1, GLP_FX, w->F[k], w->F[k]);
    }
    (void)glp_add_cols(w->lp, (int)b->p);
    for (size_t i = 0; i < b->p; i++) {
        int n = 0;
        for (size_t e = b->start[i]; e < b->start[i + 1]; e++) {
            n++;
            w->index[n] = (int)b->col[e] + 1;
            w->value[n] = b->coef[e];
        }
        glp_set_mat_col(w->lp, (int)i + 1, n, w->index, w->value);
        glp_set_col_bnds(w->lp, (int)i + 1, GLP_LO, 0.0, 0.0);
    }
    glp_adv_basis(w->lp, 0);
    glp_init_smcp(&w->how);
    w->how.msg_lev = GLP_MSG_OFF;
    w->how.tol_bnd = ACCURACY;
    w->how.tol_dj = ACCURACY;
}

/* The larger of two; NaN wins. */
static double worse(double a, double b) {
    return isnan(b) || b > a ? b : a;
}

/* Worsen the residual by how far the optimum at hand is from one. sign is 1 for a maximum. */
static void check_optimum(work *w, double sign) {
    const il_rows *b = w->rows;
    double worst = w->m->residual;
    double gap = 0.0;
    for (size_t k = 0; k < w->d; k++) {
        w->work[k] = -w->F[k];
        gap -= w->F[k] * w->dual[k];
    }
    for (size_t i = 0; i < b->p; i++) {
        il_rows_axpy(b, i, w->lambda[i], w->work);
        double reduced = w->cost[i] - il_rows_dot(b, i, w->dual);
        gap += w->cost[i] * w->lambda[i];
        worst = worse(worse(worst, -w->lambda[i]), sign * reduced);
    }
    for (size_t k = 0; k < w->d; k++) {
        worst = worse(worst, fabs(w->work[k]));
    }
    w->m->residual = worse(worst, fabs(gap));
}

/* The best value of cost over the scaled set; INFINITY where a maximum does not exist. */
static il_status optimise(work *w, bool maximum, double *best) {
    size_t p = w->rows->p;
    if (il_interrupted()) {
        return il_fail(w->err, IL_EINTERRUPTED, "%s among the multipliers", il_interrupt_reason());
    }
    for (size_t i = 0; i < p; i++) {
        glp_set_obj_coef(w->lp, (int)i + 1, w->cost[i]);
    }
    glp_set_obj_dir(w->lp, maximum ? GLP_MAX : GLP_MIN);
    int code = glp_simplex(w->lp, &w->how);
    if (code != 0) { /* a basis gone bad: from the start, once */
        glp_std_basis(w->lp);
        code = glp_simplex(w->lp, &w->how);
    }
    int status = glp_get_status(w->lp);
    if (code == 0 && status == GLP_UNBND && maximum) {
        *best = INFINITY;
        return IL_OK;
    }
    if (code != 0 || status != GLP_OPT) {
        return il_fail(w->err, IL_ESTALLED,
                       "a linear program for the multipliers of %zu contacts was not solved "
                       "(GLPK: code %d, status %d)",
                       p, code, status);
    }
    for (size_t i = 0; i < p; i++) {
        w->lambda[i] = glp_get_col_prim(w->lp, (int)i + 1);
        w->least[i] = fmin(w->least[i], w->lambda[i]);
    }
    for (size_t k = 0; k < w->d; k++) {
        w->dual[k] = glp_get_row_dual(w->lp, (int)k + 1);
    }
    check_optimum(w, maximum ? 1.0 : -1.0);
    *best = glp_get_obj_val(w->lp);
    return IL_OK;
}

/* The best value of multiplier i. */
static il_status extreme(work *w, size_t i, bool maximum, double *best) {
    w->cost[i] = 1.0;
    il_status status = optimise(w, maximum, best);
    w->cost[i] = 0.0;
    *best = fmax(0.0, *best) * w->scale;
    return status;
}

/* min and max of every multiplier and of their sum. */
static il_status bound_all(work *w) {
    il_multipliers *m = w->m;
    il_status status = IL_OK;
    for (size_t i = 0; status == IL_OK && i < m->contacts; i++) {
        status = extreme(w, i, true, &m->max[i]);
    }
    for (size_t i = 0; status == IL_OK && i < m->contacts; i++) {
        m->min[i] = 0.0;
        if (w->least[i] > 0.0) {
            status = extreme(w, i, false, &m->min[i]);
        }
    }
    for (size_t i = 0; i < m->contacts; i++) {
        w->cost[i] = 1.0;
    }
    status = status == IL_OK ? optimise(w, true, &m->total_max) : status;
    status = status == IL_OK ? optimise(w, false, &m->total_min) : status;
    m->total_max *= w->scale;
    m->total_min *= w->scale;
    return status;
}

/* C = max sum lambda with B' lambda = x - y, x and y >= 0, sum (x + y) <= 1: the equations of build
 * with 2 d columns more, and one row more. */
static il_status find_constant(work *w) {
    int d = (int)w->d;
    int p = (int)w->rows->p;
    (void)glp_add_rows(w->lp, 1);
    glp_set_row_bnds(w->lp, d + 1, GLP_UP, 0.0, 1.0);
    (void)glp_add_cols(w->lp, 2 * d);
    for (int k = 1; k <= d; k++) {
        glp_set_row_bnds(w->lp, k, GLP_FX, 0.0, 0.0);
        for (int side = 0; side < 2; side++) {
            int j = p + 2 * k - 1 + side;
            const int index[3] = {0, k, d + 1};
            const double value[3] = {0.0, side == 0 ? -1.0 : 1.0, 1.0};
            glp_set_mat_col(w->lp, j, 2, index, value);
            glp_set_col_bnds(w->lp, j, GLP_LO, 0.0, 0.0);
        }
    }
    glp_set_obj_dir(w->lp, GLP_MAX);
    glp_std_basis(w->lp);
    int code = glp_simplex(w->lp, &w->how);
    int status = glp_get_status(w->lp);
    if (code != 0 || (status != GLP_OPT && status != GLP_UNBND)) {
        return il_fail(w->err, IL_ESTALLED,
                       "the linear program for the bound of the multipliers was not solved (GLPK: "
                       "code %d, status %d)",
                       code, status);
    }
    w->m->constant = status == GLP_OPT ? glp_get_obj_val(w->lp) : INFINITY;
    return IL_OK;
}

/* All calls of GLPK. They may leave by longjmp: nothing here is changed that is read after. */
static il_status consult(work *w) {
    if (glp_init_env() > 1) { /* made implicitly, a failure would abort */
        il_memory_end(0);
    }
    if (setjmp(w->jump) != 0) {
        return il_fail(w->err, IL_EINTERNAL, "GLPK gave up: %s", w->said);
    }
    glp_term_hook(listen, w);
    glp_error_hook(escape, w);
    build(w);
    il_status status = bound_all(w);
    return status == IL_OK ? find_constant(w) : status;
}

/* ---- rank --------------------------------------------------------------------------------- */

/* The rank of the rows i with keep[i] > above, by QR with column pivoting of their transpose. */
static il_status find_rank(const work *w, const double *keep, double above, size_t *taken,
                           size_t *rank) {
    const il_rows *b = w->rows;
    *taken = *rank = 0;
    for (size_t i = 0; i < b->p; i++) {
        *taken += keep[i] > above;
    }
    if (*taken == 0) {
        return IL_OK;
    }
    size_t n = *taken;
    size_t least = n < w->touched ? n : w->touched;
    int sign = 0;
    gsl_matrix *a = gsl_matrix_calloc(w->touched, n);
    gsl_vector *tau = gsl_vector_alloc(least);
    gsl_vector *norm = gsl_vector_alloc(n);
    gsl_permutation *order = gsl_permutation_alloc(n);
    size_t at = 0;
    for (size_t i = 0; i < b->p; i++) {
        for (size_t e = b->start[i]; keep[i] > above && e < b->start[i + 1]; e++) {
            gsl_matrix_set(a, w->place[b->col[e]], at, b->coef[e]);
        }
        at += keep[i] > above;
    }
    bool found = gsl_linalg_QRPT_decomp(a, tau, order, &sign, norm) == 0;
    il_status status = found ? IL_OK : IL_ENUMERIC;
    double first = status == IL_OK ? fabs(gsl_matrix_get(a, 0, 0)) : 0.0;
    while (status == IL_OK && *rank < least &&
           fabs(gsl_matrix_get(a, *rank, *rank)) > RANK * first) {
        (*rank)++;
    }
    gsl_matrix_free(a);
    gsl_vector_free(tau);
    gsl_vector_free(norm);
    gsl_permutation_free(order);
    return status == IL_OK ? IL_OK : il_fail(w->err, status, "no rank of %zu contacts", n);
}

/* Rank, dimension, and what follows from the bounds. */
static il_status conclude(work *w) {
    il_multipliers *m = w->m;
    size_t taken = 0;
    size_t rank = 0;
    il_status status = find_rank(w, m->max, -1.0, &taken, &m->rank);
    if (status == IL_OK) {
        status = find_rank(w, m->max, NOTHING * w->scale, &taken, &rank);
    }
    m->dimension = taken - rank;
    for (size_t i = 0; i < m->contacts; i++) {
        m->extent = fmax(m->extent, m->max[i] - m->min[i]);
    }
    m->bound = isfinite(m->constant) ? m->constant * m->force : INFINITY;
    return status;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static void allocate(work *w, size_t d, const il_rows *rows) {
    size_t p = rows->p;
    il_multipliers *m = w->m;
    m->contacts = p;
    m->unknowns = d;
    m->id = il_alloc_zero(p, sizeof *m->id);
    m->min = il_alloc_zero(3 * p, sizeof *m->min);
    w->F = il_alloc_zero(3 * d + 3 * p, sizeof *w->F);
    w->place = il_alloc_zero(d, sizeof *w->place);
    w->index = il_alloc_zero(d + 1, sizeof *w->index);
    w->value = il_alloc_zero(d + 1, sizeof *w->value);
    m->max = m->min + p;
    m->chosen = m->max + p;
    w->dual = w->F + d;
    w->work = w->dual + d;
    w->cost = w->work + d;
    w->lambda = w->cost + p;
    w->least = w->lambda + p;
    for (size_t e = 0; e < rows->nnz; e++) {
        w->place[rows->col[e]] = 1;
    }
    for (size_t k = 0; k < d; k++) {
        w->touched += w->place[k];
        w->place[k] = w->touched - 1; /* read where it was 1 */
    }
}

/* F = B' chosen, scaled. */
static il_status take_force(work *w, const double *chosen) {
    il_multipliers *m = w->m;
    for (size_t i = 0; i < m->contacts; i++) {
        m->id[i] = w->rows->id[i];
        m->chosen[i] = chosen[i];
        w->least[i] = INFINITY;
        il_rows_axpy(w->rows, i, chosen[i], w->F);
    }
    for (size_t k = 0; k < w->d; k++) {
        m->force += fabs(w->F[k]);
        w->scale = fmax(w->scale, fabs(w->F[k]));
    }
    if (!isfinite(m->force)) {
        return il_fail(w->err, IL_ENUMERIC, "the reaction of the contacts is not finite");
    }
    w->scale = w->scale > 0.0 ? w->scale : 1.0;
    for (size_t k = 0; k < w->d; k++) {
        w->F[k] /= w->scale;
    }
    return IL_OK;
}

il_status il_multipliers_compute(il_multipliers *out, size_t d, const il_rows *rows,
                                 const double *chosen, il_error *err) {
    work w = {.d = d, .rows = rows, .m = out, .err = err};
    *out = (il_multipliers){0};
    if (rows->p > IL_MULTIPLIERS_MAX) {
        return il_fail(err, IL_EUNSUPPORTED,
                       "%zu contacts are too many for the set of their multipliers; at most %d",
                       rows->p, IL_MULTIPLIERS_MAX);
    }
    allocate(&w, d, rows);
    il_status status = take_force(&w, chosen);
    if (status == IL_OK && rows->p > 0) {
        status = consult(&w);
        (void)glp_free_env(); /* with the problem, the hooks, and all that an error left behind */
        status = status == IL_OK ? conclude(&w) : status;
    }
    free(w.F);
    free(w.place);
    free(w.index);
    free(w.value);
    return status;
}

void il_multipliers_free(il_multipliers *m) {
    free(m->id);
    free(m->name);
    free(m->min);
    *m = (il_multipliers){0};
}
