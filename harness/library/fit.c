/*
 * fit.c - impactlab_order_fit of impactlab.h: the order of errors, by harness/study/order.
 */
#define IMPACTLAB_API __attribute__((visibility("default")))
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness/library/handles.h"
#include "harness/library/host.h"
#include "harness/study/order/order.h"

/* The claim, checked. */
static il_status claim_of(const char *name, double order, double factor, il_claim *out,
                          il_error *err) {
    static const char *const kinds[] = {"converges", "bound", "sharp"};
    size_t kind = 0;
    while (name != NULL && kind < 3 && strcmp(name, kinds[kind]) != 0) {
        kind++;
    }
    if (kind == 3 || (name != NULL && kind > 0 && !(order > 0.0 && isfinite(order)))) {
        return il_fail(err, IL_EINVAL,
                       "claim is '%s' with order %g; allowed: converges, or bound or sharp with "
                       "an order > 0",
                       name, order);
    }
    if (!(factor >= 0.0 && isfinite(factor))) {
        return il_fail(err, IL_EINVAL, "factor is %g; allowed: a number > 0, or 0", factor);
    }
    *out = (il_claim){.norm = "",
                      .kind = (il_claim_kind)kind,
                      .order = order,
                      .factor = factor > 0.0 ? factor : IL_ORDER_FACTOR};
    return IL_OK;
}

static impactlab_order order_of(const il_order *of) {
    impactlab_order out = {.order = of->order,
                           .low = of->low,
                           .high = of->high,
                           .level = of->level,
                           .fold = of->fold,
                           .octaves = of->octaves,
                           .finest = of->finest,
                           .floor = of->floor,
                           .floor_high = of->floor_high,
                           .scatter = of->scatter,
                           .runs = of->runs,
                           .used = of->used};
    (void)snprintf(out.verdict, sizeof out.verdict, "%s", il_verdict_name(of->verdict));
    (void)snprintf(out.reason, sizeof out.reason, "%s", of->reason);
    il_order_sentence(of, NULL, out.text, sizeof out.text);
    return out;
}

impactlab_status impactlab_order_fit(size_t n, const double *h, const double *error,
                                     const char *claim, double order, double factor,
                                     impactlab_order *out, impactlab_error *why) {
    il_error err = {IL_OK, ""};
    il_order fitted = {.runs = 0};
    il_claim claimed = {.norm = NULL};
    double size = 1.0;
    il_host host = il_host_enter(NULL);
    il_status status = IL_GIVEN(&err, {"out", out});
    if (status == IL_OK && n > 0) {
        status = IL_GIVEN(&err, {"h", h}, {"error", error});
    }
    if (status == IL_OK && n > PTRDIFF_MAX / sizeof *h) {
        status = il_fail(&err, IL_EINVAL, "%zu errors; allowed: what memory can hold", n);
    }
    status = status == IL_OK ? claim_of(claim, order, factor, &claimed, &err) : status;
    for (size_t k = 0; status == IL_OK && k < n; k++) {
        size = isfinite(error[k]) ? fmax(size, error[k]) : size;
    }
    const il_order_data data = {
        .n = n, .h = h, .error = error, .causes = {.rounding = 64.0 * 0x1p-52 * size}};
    if (status == IL_OK) {
        status = il_order_fit(&data, 0.95, claim != NULL ? &claimed : NULL, &fitted, &err);
    }
    if (out != NULL) {
        *out = status == IL_OK ? order_of(&fitted) : (impactlab_order){.runs = 0};
    }
    il_host_leave(&host);
    return il_library_answer(status, &err, why);
}
