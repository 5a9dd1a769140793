/*
 * wrong_rows.c - see wrong_rows.h.
 */
#include "tests/support/wrong_rows.h"

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    const il_wrong_rows *w = (const il_wrong_rows *)(const void *)self->type;
    il_status status = w->of->row(self, t, q, id, rows);
    if (status == IL_OK) {
        size_t i = rows->p - 1;
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            rows->coef[e] *= w->sign * (e == rows->start[i] ? w->factor : 1.0);
        }
        rows->rate[i] *= w->rate;
    }
    return status;
}

void il_wrong_rows_make(il_wrong_rows *w, const il_problem_type *of, double factor, double sign,
                        double rate) {
    w->type = *of;
    w->type.row = row;
    w->type.scan = NULL; /* which would know better */
    w->type.gap = NULL;
    w->of = of;
    w->factor = factor;
    w->sign = sign;
    w->rate = rate;
}
