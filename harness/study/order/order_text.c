/*
 * order_text.c - an order of convergence as one sentence.
 */
#include <math.h>

#include "harness/base/text.h"
#include "harness/study/order/order.h"

void il_order_sentence(const il_order *o, const char *source, char *out, size_t capacity) {
    out[0] = '\0';
    if (isfinite(o->order)) {
        il_text_append(out, capacity, "%s like h^%.2f [%.2f, %.2f] over ",
                       o->high < 0.0 ? "grows" : "falls", o->order, o->low, o->high);
        if (o->octaves < o->range - 1e-9) {
            il_text_append(out, capacity, "the finest %.3g of %.3g octaves, ", o->octaves,
                           o->range);
        } else {
            il_text_append(out, capacity, "%.3g octaves, ", o->octaves);
        }
        if (o->fold > 1.0) {
            il_text_append(out, capacity, "%.3g-fold at least, to %.2g; ", o->fold, o->finest);
        } else {
            il_text_append(out, capacity, "but no fall is sure, to %.2g; ", o->finest);
        }
        il_text_append(out, capacity, "a floor above %.2g would have shown. ", o->floor_high);
        if (o->rounded > 0) {
            il_text_append(out, capacity, "%zu finer runs are at rounding. ", o->rounded);
        }
    }
    il_text_append(out, capacity, "%s", il_verdict_name(o->verdict));
    if (o->verdict != IL_ORDER_PASS || isnan(o->order)) {
        il_text_append(out, capacity, ": %s", o->reason);
    }
    if (source != NULL) {
        il_text_append(out, capacity, " (%s)", source);
    }
}
