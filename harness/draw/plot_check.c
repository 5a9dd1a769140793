/*
 * plot_check.c - what of a figure gnuplot would take for a command, or could not draw.
 */
#include "harness/draw/plot_parts.h"

#include <math.h>
#include <string.h>

#include "harness/base/text.h"

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

static il_status series_check(const il_figure *figure, size_t panel, size_t k, il_error *err) {
    const il_series *s = &figure->panels[panel].series[k];
    if (!color_allowed(s->color)) {
        return il_fail(err, IL_EINVAL,
                       "figure '%s', panel %zu, series %zu: the colour is '%s'; "
                       "allowed is #rrggbb",
                       figure->name, panel + 1, k + 1, s->color);
    }
    if (!il_text_is_utf8(s->label)) {
        return il_fail(err, IL_EINVAL, "figure '%s', panel %zu, series %zu: the label is not UTF-8",
                       figure->name, panel + 1, k + 1);
    }
    if ((unsigned)s->style > IL_TEXTS || !(s->width >= 0.0 && s->width <= 100.0)) {
        return il_fail(err, IL_EINVAL,
                       "figure '%s', panel %zu, series %zu: style %d, width %g; "
                       "allowed are styles 0 to %d and widths 0 to 100",
                       figure->name, panel + 1, k + 1, (int)s->style, s->width, (int)IL_TEXTS);
    }
    if (s->style == IL_ARROWS && s->n % 2 != 0) {
        return il_fail(err, IL_EINVAL,
                       "figure '%s', panel %zu, series %zu: %zu points; arrows take two each",
                       figure->name, panel + 1, k + 1, s->n);
    }
    for (size_t i = 0; s->style == IL_TEXTS && i < s->n; i++) {
        if (!il_text_is_utf8(s->text[i])) {
            return il_fail(err, IL_EINVAL,
                           "figure '%s', panel %zu, series %zu: text %zu is not UTF-8",
                           figure->name, panel + 1, k + 1, i + 1);
        }
    }
    return IL_OK;
}

static il_status panel_check(const il_figure *figure, size_t k, il_error *err) {
    const il_panel *p = &figure->panels[k];
    if (!key_allowed(p->key)) {
        return il_fail(err, IL_EINVAL,
                       "figure '%s', panel %zu: the legend's place is '%s'; allowed "
                       "are corners like 'top left', 'center right', 'auto', 'outside' and 'off'",
                       figure->name, k + 1, p->key);
    }
    if (!limits_allowed(p->xmin, p->xmax, p->logx) || !limits_allowed(p->ymin, p->ymax, p->logy)) {
        return il_fail(err, IL_EINVAL,
                       "figure '%s', panel %zu: the ranges are [%g, %g] and "
                       "[%g, %g]; they must increase and be positive on a logarithmic axis",
                       figure->name, k + 1, p->xmin, p->xmax, p->ymin, p->ymax);
    }
    if (!il_text_is_utf8(p->title) || !il_text_is_utf8(p->xlabel) || !il_text_is_utf8(p->ylabel)) {
        return il_fail(err, IL_EINVAL, "figure '%s', panel %zu: a title or axis label is not UTF-8",
                       figure->name, k + 1);
    }
    for (size_t i = 0; i < p->nseries; i++) {
        il_status status = series_check(figure, k, i, err);
        if (status != IL_OK) {
            return status;
        }
    }
    return IL_OK;
}

il_status il_plot_check(const il_figure *figure, il_error *err) {
    if (!il_text_is_file_name(figure->name)) {
        return il_fail(err, IL_EINVAL,
                       "the figure's name is '%s'; allowed are letters, digits and "
                       "._- and it starts with a letter, a digit or _",
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
    for (size_t k = 0; k < figure->npanels; k++) {
        il_status status = panel_check(figure, k, err);
        if (status != IL_OK) {
            return status;
        }
    }
    return IL_OK;
}
