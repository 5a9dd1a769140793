/*
 * judge_figure.c - one panel into a file; errors and curves on logarithmic axes.
 */
#include "harness/cli/judge_figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/draw/plot.h"

enum { NORMS_MAX = 4, CURVE = 33, LABEL = 96 };

typedef struct {
    double x[CURVE], y[CURVE];
    char label[LABEL];
} drawn;

static void draw_curve(const il_order *o, drawn *out) {
    for (size_t k = 0; k < CURVE; k++) {
        double share = (double)k / (CURVE - 1);
        double h = o->h_min * il_pow(o->h_max / o->h_min, share);
        out->x[k] = h;
        out->y[k] = il_curve_at(&o->curve, h / o->h_min);
    }
}

/* "FOLDER/NAME" into its parts; ".png" at the end is left out. */
static char *split(const char *path, const char **folder, char name[256]) {
    char *copy = strdup(path);
    char *slash = copy != NULL ? strrchr(copy, '/') : NULL;
    const char *last = slash != NULL ? slash + 1 : copy;
    (void)snprintf(name, 256, "%s", last != NULL ? last : "");
    size_t n = strlen(name);
    if (n > 4 && strcmp(name + n - 4, ".png") == 0) {
        name[n - 4] = '\0';
    }
    *folder = ".";
    if (slash != NULL) {
        *slash = '\0';
        *folder = slash == copy ? "/" : copy;
    }
    return copy;
}

il_status il_cli_draw_panel(const char *path, const char *caption, const il_panel *panel,
                            il_error *err) {
    const char *folder = NULL;
    char name[256];
    char *copy = split(path, &folder, name);
    if (copy == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a figure");
    }
    const il_figure figure = {.name = name, .caption = caption, .npanels = 1, .panels = panel};
    il_status status = il_figure_draw(&figure, folder, NULL, err);
    free(copy);
    return status;
}

il_status il_judge_figure(const char *path, const char *caption, const il_judge_errors *errors,
                          size_t n, il_error *err) {
    il_series series[2 * NORMS_MAX];
    size_t lines = 0;
    drawn *curves = calloc(NORMS_MAX, sizeof *curves);
    if (curves == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a figure");
    }
    for (size_t k = 0; k < n && k < NORMS_MAX; k++) {
        const il_judge_errors *e = &errors[k];
        bool fitted = isfinite(e->order->order);
        const char *verdict = il_verdict_name(e->order->verdict);
        (void)snprintf(curves[k].label, LABEL, "%s: %s", e->norm, verdict);
        if (fitted) {
            (void)snprintf(curves[k].label, LABEL, "%s: %.2f [%.2f, %.2f] %s", e->norm,
                           e->order->order, e->order->low, e->order->high, verdict);
        }
        series[lines++] = (il_series){
            .label = curves[k].label, .style = IL_POINTS, .n = e->n, .x = e->h, .y = e->error};
        if (fitted) {
            draw_curve(e->order, &curves[k]);
            series[lines++] =
                (il_series){.style = IL_LINES, .n = CURVE, .x = curves[k].x, .y = curves[k].y};
        }
    }
    const il_panel panel = {.xlabel = "h",
                            .ylabel = "error",
                            .logx = true,
                            .logy = true,
                            .xmin = NAN,
                            .xmax = NAN,
                            .ymin = NAN,
                            .ymax = NAN,
                            .nseries = lines,
                            .series = series};
    il_status status = il_cli_draw_panel(path, caption, &panel, err);
    free(curves);
    return status;
}
