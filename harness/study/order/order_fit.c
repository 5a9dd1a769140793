/*
 * order_fit.c - numbers in, a verdict out: what is refused, and step 1 of the head of order.h; the
 * other steps are order_study.c.
 */
#include <math.h>

#include "harness/base/text.h"
#include "harness/study/order/order.h"
#include "harness/study/order/order_data.h"
#include "harness/study/order/order_judge.h"
#include "harness/study/order/order_study.h"

static bool errors_are_sizes(il_order *o, const il_order_data *data) {
    if (data->unmeasured > 0) {
        return il_order_decide(
            o, IL_ORDER_INCONCLUSIVE,
            "the error was not measured in %zu of %zu runs: norms that are named "
            "are, whatever the length of a run, if the reference has them",
            data->unmeasured, data->n);
    }
    for (size_t i = 0; i < data->n; i++) {
        if (!isfinite(data->error[i])) {
            return il_order_decide(o, IL_ORDER_FAIL,
                                   "an error is not finite: a run failed or blew up");
        }
        if (data->error[i] < 0.0) {
            return il_order_decide(o, IL_ORDER_FAIL,
                                   "an error is below 0: what has a sign has no order");
        }
    }
    return true;
}

static const il_order nothing = {.slope = NAN,
                                 .low = NAN,
                                 .high = NAN,
                                 .constant = NAN,
                                 .h_max = NAN,
                                 .h_min = NAN,
                                 .spread = NAN,
                                 .sen = {NAN, NAN, NAN},
                                 .power = {NAN, NAN, NAN},
                                 .whole = {NAN, NAN, NAN},
                                 .half = {NAN, NAN, NAN},
                                 .fine = {NAN, NAN, NAN},
                                 .last = {NAN, NAN, NAN},
                                 .sure = {NAN, NAN, NAN},
                                 .sure_whole_high = NAN,
                                 .floor = NAN,
                                 .floor_low = NAN,
                                 .floor_high = NAN,
                                 .floor_below = NAN,
                                 .finest = NAN,
                                 .worst_high = NAN,
                                 .beside_high = NAN,
                                 .square_high = NAN,
                                 .leading_low = NAN,
                                 .leading_high = NAN,
                                 .plateau = NAN};

/* Errors that grow as the step falls are a failed study and have no order, however wide its
 * interval is. The verdict stays: that they grow for sure is another question. */
static void withdraw(il_order *o) {
    il_order_slope *const slopes[] = {&o->sen,  &o->power, &o->whole, &o->half,
                                      &o->fine, &o->last,  &o->sure};
    o->slope = o->low = o->high = o->constant = o->sure_whole_high = NAN;
    for (size_t k = 0; k < sizeof slopes / sizeof slopes[0]; k++) {
        *slopes[k] = (il_order_slope){NAN, NAN, NAN};
    }
    il_text_append(o->reason, sizeof o->reason, "; the errors grow as the step falls");
}

il_status il_order_fit(const il_order_data *data, double confidence, const il_claim *claim,
                       il_order *out, il_error *err) {
    *out = nothing;
    out->runs = data->n;
    out->confidence = confidence;
    if (!(confidence > 0.0 && confidence < 1.0)) {
        return il_fail(err, IL_EINVAL, "confidence is %s; allowed: a number in (0, 1)",
                       il_text_numeral(confidence).text);
    }
    if (data->n > IL_ORDER_RUNS_MAX) {
        return il_fail(err, IL_EINVAL, "an order of %zu runs; allowed: at most %d", data->n,
                       IL_ORDER_RUNS_MAX);
    }
    for (size_t i = 0; i < data->n; i++) {
        if (!(data->h[i] > 0.0) || isinf(data->h[i])) {
            return il_fail(err, IL_EINVAL, "h[%zu] is %g; allowed: a number > 0", i, data->h[i]);
        }
    }
    if (!errors_are_sizes(out, data)) {
        return IL_OK;
    }
    if (data->n == 0) {
        (void)il_order_decide(out, IL_ORDER_INCONCLUSIVE, "there is no run");
        return IL_OK;
    }
    il_order_points s;
    il_status status = il_order_points_open(&s, data, out, err);
    if (status == IL_OK) {
        const char *barred = claim != NULL ? data->barred : NULL;
        il_order_study(&s, out, data, barred != NULL ? NULL : claim);
        if (out->slope < -IL_ORDER_MARGIN) {
            withdraw(out);
        }
        if (out->repeated > 0) {
            il_text_append(out->reason, sizeof out->reason, "; %zu of %zu runs %s once more",
                           out->repeated, out->runs,
                           out->repeated == 1 ? "is another" : "are others");
        }
        if (barred != NULL || (claim == NULL && out->verdict != IL_ORDER_INCONCLUSIVE)) {
            il_order_without_claim(out, barred);
        } else if (claim == NULL) { /* not even a fall is sure */
            il_text_append(out->reason, sizeof out->reason, "; no order is claimed");
        }
    }
    il_order_points_close(&s);
    return status;
}
