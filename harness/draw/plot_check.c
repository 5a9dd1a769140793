/*
 * plot_check.c - checks of a figure: texts that gnuplot would take for commands, values that it
 * cannot draw.
 */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/draw/plot_parts.h"

static bool color_allowed(const char *color) {
    return color == NULL || (color[0] == '#' && strlen(color) == 7 &&
                             strspn(color + 1, "0123456789abcdefABCDEF") == 6);
}

static bool key_allowed(const char *key) {
    static const char *const allowed[] = {
        "top left", "top right",    "top center",  "bottom left", "bottom right", "bottom center",
        "left top", "right top",    "center top",  "left bottom", "right bottom", "center bottom",
        "center",   "center right", "center left", "left center", "right center", "outside",
        "off",      "auto",         "left",        "right",       "top",          "bottom"};
    for (size_t k = 0; key != NULL && k < sizeof allowed / sizeof *allowed; k++) {
        if (strcmp(key, allowed[k]) == 0) {
            return true;
        }
    }
    return key == NULL;
}

static bool limits_allowed(double lo, double hi, bool log) {
    bool finite = !isinf(lo) && !isinf(hi);
    bool positive = !log || (!(lo <= 0.0) && !(hi <= 0.0));
    return finite && positive && !(lo >= hi);
}

/* "figure 'NAME', panel 1, series 2: WHAT"; without the series where it is 0. */
__attribute__((format(printf, 5, 6))) static il_status
refuse(const il_figure *figure, size_t panel, size_t series, il_error *err, const char *what, ...) {
    char text[200];
    char where[40] = "";
    va_list args;
    va_start(args, what);
    (void)vsnprintf(text, sizeof text, what, args);
    va_end(args);
    if (series > 0) {
        (void)snprintf(where, sizeof where, ", series %zu", series);
    }
    return il_fail(err, IL_EINVAL, "figure '%s', panel %zu%s: %s", figure->name, panel, where,
                   text);
}

static il_status series_check(const il_figure *figure, size_t panel, size_t k, il_error *err) {
    const il_series *s = &figure->panels[panel - 1].series[k - 1];
    if (!color_allowed(s->color)) {
        return refuse(figure, panel, k, err, "the colour is '%.80s'; allowed is #rrggbb", s->color);
    }
    if (!il_text_is_utf8(s->label)) {
        return refuse(figure, panel, k, err, "the label is not UTF-8");
    }
    if (!(s->width >= 0.0 && s->width <= 100.0)) {
        return refuse(figure, panel, k, err, "the width is %g; allowed are 0 to 100", s->width);
    }
    if (s->style == IL_ARROWS && s->n % 2 != 0) {
        return refuse(figure, panel, k, err, "%zu points; arrows take two each", s->n);
    }
    for (size_t i = 0; s->text != NULL && i < s->n; i++) {
        if (!il_text_is_utf8(s->text[i])) {
            return refuse(figure, panel, k, err, "text %zu is not UTF-8", i + 1);
        }
    }
    return IL_OK;
}

static il_status panel_check(const il_figure *figure, size_t k, il_error *err) {
    const il_panel *p = &figure->panels[k - 1];
    il_status status = IL_OK;
    if (!key_allowed(p->key)) {
        return refuse(figure, k, 0, err,
                      "the legend's place is '%.40s'; allowed are corners like 'top left', 'center "
                      "right', 'auto', 'outside' and 'off'",
                      p->key);
    }
    if (!limits_allowed(p->xmin, p->xmax, p->logx) || !limits_allowed(p->ymin, p->ymax, p->logy)) {
        return refuse(figure, k, 0, err,
                      "the ranges are [%g, %g] and [%g, %g]; they must increase and be positive on "
                      "a logarithmic axis",
                      p->xmin, p->xmax, p->ymin, p->ymax);
    }
    if (!il_text_is_utf8(p->title) || !il_text_is_utf8(p->xlabel) || !il_text_is_utf8(p->ylabel)) {
        return refuse(figure, k, 0, err, "a title or axis label is not UTF-8");
    }
    for (size_t i = 1; status == IL_OK && i <= p->nseries; i++) {
        status = series_check(figure, k, i, err);
    }
    return status;
}

il_status il_plot_check(const il_figure *figure, il_error *err) {
    if (!il_text_is_file_name(figure->name)) {
        return il_fail(err, IL_EINVAL,
                       "the figure's name is '%s'; allowed are letters, digits and ._- and it "
                       "starts with a letter, a digit or _",
                       figure->name == NULL ? "" : figure->name);
    }
    if (figure->npanels == 0) {
        return il_fail(err, IL_EINVAL, "figure '%s' has no panels", figure->name);
    }
    if (!(figure->width >= 0.0 && figure->width <= 100.0) ||
        !(figure->height >= 0.0 && figure->height <= 100.0)) {
        return il_fail(err, IL_EINVAL, "figure '%s' is to be %g x %g cm; allowed are 0 to 100",
                       figure->name, figure->width, figure->height);
    }
    if (!il_text_is_utf8(figure->caption)) {
        return il_fail(err, IL_EINVAL, "figure '%s': the caption is not UTF-8", figure->name);
    }
    il_status status = IL_OK;
    for (size_t k = 1; status == IL_OK && k <= figure->npanels; k++) {
        status = panel_check(figure, k, err);
    }
    return status;
}
