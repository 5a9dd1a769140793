/* second.c - dense loops, and every set of active rows. */
#include "tests/schemes/second.h"

#include <math.h>
#include <string.h>

#include "tests/support/suite.h"

double second_dot(const second *s, size_t i, const double *v) {
    double sum = 0.0;
    for (size_t k = 0; k < s->d; k++) {
        sum += s->b[i][k] * v[k];
    }
    return sum;
}

void second_look(second *s, double t, const double *q) {
    il_rows rows = {0};
    for (size_t i = 0; i < s->p; i++) {
        CU_ASSERT_EQUAL_FATAL(s->problem->type->row(s->problem, t, q, i, &rows), IL_OK);
        s->g[i] = rows.value[i];
        s->rate[i] = rows.rate[i];
        memset(s->b[i], 0, sizeof s->b[i]);
        il_rows_axpy(&rows, i, 1.0, s->b[i]);
    }
    il_rows_free(&rows);
}

double second_speed(const second *s, size_t i, const double *v) {
    return s->rate[i] + second_dot(s, i, v);
}

void second_fly(const second *s, double t, const double *q, const double *u, double *v) {
    double f[D_MAX] = {0.0};
    if (s->problem->type->force_mean != NULL) {
        s->problem->type->force_mean(s->problem, t, t + s->h, q, f);
    }
    for (size_t k = 0; k < s->d; k++) {
        v[k] = u[k] + s->h * f[k] / s->mass[k];
    }
}

/* W x = r by Gauss elimination, n <= P_MAX; false where W is singular. */
static bool solve(size_t n, double W[P_MAX][P_MAX + 1]) {
    for (size_t c = 0; c < n; c++) {
        size_t pivot = c;
        for (size_t r = c; r < n; r++) {
            pivot = fabs(W[r][c]) > fabs(W[pivot][c]) ? r : pivot;
        }
        if (fabs(W[pivot][c]) < 1e-12) {
            return false;
        }
        for (size_t k = 0; k <= n; k++) {
            double swap = W[c][k];
            W[c][k] = W[pivot][k];
            W[pivot][k] = swap;
        }
        for (size_t r = 0; r < n; r++) {
            double factor = r != c ? W[r][c] / W[c][c] : 0.0;
            for (size_t k = 0; k <= n; k++) {
                W[r][k] -= factor * W[c][k];
            }
        }
    }
    for (size_t r = 0; r < n; r++) {
        W[r][n] /= W[r][r];
    }
    return true;
}

void second_project(const second *s, unsigned set, const double *c, double *v) {
    for (unsigned active = 0; active < 1u << s->p; active++) {
        size_t n = 0;
        size_t at[P_MAX];
        double W[P_MAX][P_MAX + 1];
        double w[D_MAX];
        if ((active & ~set) != 0) {
            continue;
        }
        for (size_t i = 0; i < s->p; i++) {
            if (active & 1u << i) {
                at[n++] = i;
            }
        }
        for (size_t r = 0; r < n; r++) {
            for (size_t k = 0; k < n; k++) {
                W[r][k] = 0.0;
                for (size_t j = 0; j < s->d; j++) {
                    W[r][k] += s->b[at[r]][j] * s->b[at[k]][j] / s->mass[j];
                }
            }
            W[r][r] += s->R[at[r]];
            W[r][n] = c[at[r]] - second_dot(s, at[r], v);
        }
        bool good = solve(n, W);
        memcpy(w, v, s->d * sizeof *w);
        for (size_t r = 0; good && r < n; r++) {
            good = W[r][n] >= -1e-13;
            for (size_t j = 0; j < s->d; j++) {
                w[j] += s->b[at[r]][j] / s->mass[j] * W[r][n];
            }
        }
        for (size_t i = 0; good && i < s->p; i++) {
            good = !(set & ~active & 1u << i) || second_dot(s, i, w) >= c[i] - 1e-12;
        }
        if (good) {
            memcpy(v, w, s->d * sizeof *w);
            return;
        }
    }
    CU_FAIL("no active set solves a projection");
}

double second_apart(const twin *w, const char *const *words, double T, double *last) {
    il_run_spec spec = {.steps = STEPS, .horizon = T};
    il_record record = {0};
    il_trajectory traj = {0};
    il_problem *problem = NULL;
    il_scheme_choice choice;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(words[0], &spec.problem, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_choose(w->name, &choice, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&spec.params, spec.problem->params, NULL), IL_OK);
    for (size_t k = 1; k + 1 < WORDS && words[k] != NULL; k += 2) {
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(spec.params, words[k], words[k + 1], NULL), IL_OK);
    }
    CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, spec.problem, spec.params, T, NULL), IL_OK);
    spec.scheme = choice.type;
    spec.scheme_name = choice.name;
    spec.scheme_settings = choice.settings;
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, &traj, NULL), IL_OK);
    CU_ASSERT_EQUAL(record.status, IL_OK);
    second s = {.problem = problem, .p = problem->p, .d = problem->d};
    s.e = problem->restitution;
    s.h = T / STEPS;
    memcpy(s.mass, il_metric_masses(problem->mass), s.d * sizeof *s.mass);
    double q[D_MAX];
    double u[D_MAX];
    double most = 0.0;
    memcpy(q, problem->q0, s.d * sizeof *q);
    memcpy(u, problem->u0, s.d * sizeof *u);
    for (size_t n = 0; n < STEPS; n++) {
        w->step(&s, (double)n * s.h, q, u);
        for (size_t k = 0; k < s.d; k++) {
            most = fmax(most, fabs(q[k] - traj.q[(n + 1) * s.d + k]));
            most = fmax(most, fabs(u[k] - traj.u[(n + 1) * s.d + k]));
        }
    }
    for (size_t k = 0; last != NULL && k < s.d; k++) {
        last[k] = traj.u[STEPS * s.d + k];
    }
    il_trajectory_free(&traj);
    il_record_free(&record);
    il_problem_destroy(problem);
    il_params_destroy(spec.params);
    return most;
}
