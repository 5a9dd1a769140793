/*
 * chart.c - r:figure: a sweep's records against the step or its cost, one panel a problem.
 *
 *     r:figure{"convergence", norm =, level =, slopes =}  error against h, with fitted orders
 *     r:figure{"energy"}, r:figure{"momentum"}            largest rise, largest drift against h
 *     r:figure{"field", field = "energy.final", logy =}   any number of the record against h
 *     r:figure{"work_precision", norm =, cost =}          error against what it costs
 *     r:figure{"parameter", x =, norm = | field =}        across the problems (chart_parameter.c)
 *     all of them: name =, title =, caption =, key =, order =, mm =, tex =
 *
 * norms = {...} in place of norm has a panel for each; slopes = {1, 0.5} adds broken lines of these
 * slopes below the points.
 *
 * Every scheme has its colour (color.h); the shape of its points goes by its place in the sweep.
 * Points and lines that coincide are all seen (plot_style.c). A problem without a point has no
 * panel, and the caption says why.
 */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/text.h"
#include "harness/lua/base/module.h"
#include "harness/lua/draw/draw.h"
#include "harness/lua/draw/fitted.h"
#include "harness/lua/draw/origin.h"
#include "harness/lua/study/sensitivity.h"
#include "harness/lua/sweep/norms.h"
#include "harness/lua/sweep/notice.h"
#include "harness/lua/sweep/result.h"

typedef struct {
    const char *path;  /* of the number in a record */
    const char *norm;  /* or NULL: nothing is fitted */
    const char *label; /* of the axis */
    double level;
    bool logy;
    const char *cost;       /* path of what it is drawn against, or NULL: h */
    const char *cost_label; /* of that axis */
    const double *slopes;   /* [nslopes] of lines to compare with */
    size_t nslopes;
} quantity;

enum { CONVERGENCE, ENERGY, MOMENTUM, FIELD, WORK_PRECISION, PARAMETER };
enum { OCTAVES_MAX = 64 };

/* A panel, and what became of its problem's cases. */
typedef struct {
    il_panel panel;
    size_t cases, failed, shown;
    size_t unshowable; /* zeros or negative on a logarithmic axis */
} chart;

/* Centimetres a row of panels takes where there are several. */
static const double ROW_FITTED = 7.0, ROW = 6.0;
static const double LEGEND = 0.8; /* outside the first panel */
static const double WIDTH = 16.0;

/* Letters of a scheme's name whose legend, with the order and its interval, fits half the width. */
enum { NAME_FITS = 14 };

/* ---- series --------------------------------------------------------------------------------- */

/* A line through the geometric means of cost and error over the octaves of h. */
static il_series mean_series(const il_fields *f, const il_result *r, const quantity *what,
                             size_t problem, size_t scheme) {
    size_t first = il_result_first(r, problem, scheme);
    double *x = il_lua_take(f->L, f->arena, 3 * (size_t)OCTAVES_MAX, sizeof *x, NULL);
    double *y = x + OCTAVES_MAX;
    double *count = y + OCTAVES_MAX;
    double coarsest = 0.0;
    size_t n = 0;
    for (size_t k = first; k < first + r->sweep->nsizes; k++) {
        coarsest = fmax(coarsest, il_result_step(r, k));
    }
    for (size_t k = first; k < first + r->sweep->nsizes; k++) {
        double octave =
            fmin(floor(il_log2(coarsest / il_result_step(r, k)) + 1e-9), OCTAVES_MAX - 1.0);
        double cost = il_result_number(r, k, what->cost);
        double value = il_result_number(r, k, what->path);
        if (cost > 0.0 && value > 0.0) {
            x[(size_t)octave] += il_log(cost);
            y[(size_t)octave] += il_log(value);
            count[(size_t)octave] += 1.0;
        }
    }
    for (size_t k = 0; k < OCTAVES_MAX; k++) {
        if (count[k] > 0.0) {
            x[n] = il_exp(x[k] / count[k]);
            y[n++] = il_exp(y[k] / count[k]);
        }
    }
    return (il_series){
        .style = IL_LINES, .color = r->sweep->colors[scheme], .n = n, .x = x, .y = y};
}

/* The numbers that the runs of a scheme have, against h or what they cost. */
static il_series point_series(const il_fields *f, const il_result *r, const quantity *what,
                              size_t problem, size_t scheme, chart *c) {
    const il_sweep *s = r->sweep;
    size_t first = il_result_first(r, problem, scheme);
    double *x = il_lua_take(f->L, f->arena, 2 * s->nsizes, sizeof *x, NULL);
    double *y = x + s->nsizes;
    size_t n = 0;
    for (size_t k = first; k < first + s->nsizes; k++) {
        double value = il_result_number(r, k, what->path);
        bool showable = !what->logy || value > 0.0;
        c->cases++;
        c->failed += !il_result_went_well(r, k);
        double at = what->cost == NULL ? il_result_step(r, k) : il_result_number(r, k, what->cost);
        if (isfinite(value) && at > 0.0) {
            c->shown += showable;
            c->unshowable += !showable;
            x[n] = at;
            y[n++] = value;
        }
    }
    return (il_series){.label = s->schemes[scheme]->name,
                       .style = IL_POINTS,
                       .color = s->colors[scheme],
                       .n = n,
                       .x = x,
                       .y = y};
}

/* A line of a slope through the middle of the points. */
static il_series slope_series(const il_fields *f, const il_series *points, size_t n, double slope) {
    double *x = il_lua_take(f->L, f->arena, 4, sizeof *x, NULL);
    double constant = 0.0;
    double count = 0.0;
    x[0] = INFINITY;
    x[1] = 0.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < points[i].n; k++) {
            if (points[i].y[k] > 0.0) {
                x[0] = fmin(x[0], points[i].x[k]);
                x[1] = fmax(x[1], points[i].x[k]);
                constant += il_log(points[i].y[k]) - slope * il_log(points[i].x[k]);
                count += 1.0;
            }
        }
    }
    constant = il_exp(constant / fmax(count, 1.0));
    x[2] = constant * il_pow(x[0], slope);
    x[3] = constant * il_pow(x[1], slope);
    return (il_series){.label = il_lua_print(f->L, f->arena, "slope %g", slope),
                       .style = IL_DASHES,
                       .color = "#7f7f7f",
                       .n = x[0] < x[1] ? 2 : 0,
                       .x = x,
                       .y = x + 2};
}

/* ---- panels --------------------------------------------------------------------------------- */

/* The legends of panels with fitted orders differ; of others the first panel's serves all. */
static const char *legend_place(const quantity *what, const char *asked, size_t nproblems,
                                bool first) {
    bool fitted = what->norm != NULL && what->cost == NULL;
    bool one_for_all = !fitted && nproblems > 1;
    if (one_for_all && !first) {
        return "off";
    }
    if (asked != NULL) {
        return asked;
    }
    return one_for_all ? "outside" : "auto";
}

static void add(il_series *series, size_t *n, il_series one) {
    series[*n] = one;
    *n += one.n > 0;
}

/* All lines lie beneath all points. */
static chart make_chart(const il_fields *f, const il_result *r, const quantity *what,
                        size_t problem) {
    const il_sweep *s = r->sweep;
    il_series *series =
        il_lua_take(f->L, f->arena, 4 * s->nschemes + what->nslopes, sizeof *series, NULL);
    il_series *points = il_lua_take(f->L, f->arena, s->nschemes, sizeof *points, NULL);
    size_t n = 0;
    chart c = {.cases = 0};
    for (size_t i = 0; i < s->nschemes; i++) {
        points[i] = point_series(f, r, what, problem, i, &c);
        if (what->norm != NULL && what->cost == NULL) {
            il_order_query query = {
                .problem = problem, .scheme = i, .norm = what->norm, .level = what->level};
            il_lua_fitted fitted = il_lua_fit(f, r, &query);
            points[i].label = fitted.legend;
            add(series, &n, fitted.curve);
            add(series, &n, fitted.beyond);
            fitted.triangle.n = i == 0 ? fitted.triangle.n : 0; /* one a panel */
            add(series, &n, fitted.triangle);
        } else if (what->norm != NULL) {
            add(series, &n, mean_series(f, r, what, problem, i));
        }
    }
    for (size_t i = 0; i < what->nslopes; i++) {
        add(series, &n, slope_series(f, points, s->nschemes, what->slopes[i]));
    }
    memcpy(series + n, points, s->nschemes * sizeof *points);
    n += s->nschemes;
    c.panel = (il_panel){.title = s->nproblems > 1 ? s->problems[problem].label
                                                   : il_fields_text(f, "title", NULL),
                         .xlabel = what->cost == NULL ? "h" : what->cost_label,
                         .ylabel = what->label,
                         .logx = true,
                         .logy = what->logy,
                         .xmin = NAN,
                         .xmax = NAN,
                         .ymin = NAN,
                         .ymax = NAN,
                         .nseries = n,
                         .series = series};
    return c;
}

/* Why a chart has no point. */
static const char *reason(const chart *c) {
    if (c->failed == c->cases) {
        return "every run failed";
    }
    return c->unshowable > 0 ? "zero throughout, which a logarithmic axis cannot show"
                             : "not defined for this problem";
}

/* The panels with points into panels; returns how many there are. notes[capacity] receives what a
 * reader of the figure should know of the others. *failed: runs without a point, of all. */
static size_t make_panels(const il_fields *f, const il_result *r, const quantity *what,
                          il_panel *panels, char *notes, size_t capacity, size_t *failed) {
    const il_sweep *s = r->sweep;
    const char *key = il_fields_text(f, "key", NULL);
    size_t n = 0;
    size_t cases = 0;
    *failed = 0;
    for (size_t k = 0; k < s->nproblems; k++) {
        chart c = make_chart(f, r, what, k);
        cases += c.cases;
        *failed += c.failed;
        if (c.shown > 0) {
            c.panel.key = legend_place(what, key, s->nproblems, n == 0);
            panels[n++] = c.panel;
        } else {
            il_text_append(notes, capacity, "%s%.120s (%s)",
                           notes[0] == '\0' ? " Left out: " : ", ", s->problems[k].label,
                           reason(&c));
        }
    }
    il_text_append(notes, capacity, "%s", notes[0] != '\0' ? "." : "");
    if (*failed > 0) {
        il_text_append(notes, capacity, " %zu of %zu run%s failed.", *failed, cases,
                       il_lua_plural(cases));
    }
    return n;
}

/* ---- the figure ----------------------------------------------------------------------------- */

static quantity choose_error(const il_fields *f, const char *norm, int kind) {
    static const char *const costs[] = {"steps", "iterations", "seconds", NULL};
    static const char *const paths[] = {"work.steps", "work.projector_iterations", "work.seconds"};
    static const char *const labels[] = {"steps", "projector iterations",
                                         "seconds, of the machine that ran it"};
    quantity what = {.path = il_lua_print(f->L, f->arena, "error.%s", norm),
                     .norm = norm,
                     .label = il_lua_print(f->L, f->arena, "error, %s", norm),
                     .level = il_result_level(f),
                     .logy = il_fields_flag(f, "logy", true)};
    if (kind == WORK_PRECISION) {
        int cost = il_fields_choice(f, "cost", costs, 0);
        what.cost = paths[cost];
        what.cost_label = labels[cost];
    }
    return what;
}

/* Slopes of lines in a figure of convergence. */
static void read_slopes(const il_fields *f, int kind, quantity *what) {
    what->slopes = il_fields_numbers(f, "slopes", true, &what->nslopes);
    if (what->slopes != NULL && (kind != CONVERGENCE || !what->logy)) {
        (void)il_fields_push(f, "slopes");
        il_fields_refuse(f, "slopes", -1, "them for \"convergence\" alone, on logarithmic axes");
    }
}

static quantity choose_quantity(const il_fields *f, const char *norm, int kind) {
    bool logy = il_fields_flag(f, "logy", false);
    if (kind != WORK_PRECISION && il_fields_push(f, "cost")) {
        il_fields_refuse(f, "cost", -1, "it for \"work_precision\" alone");
    }
    if (kind == CONVERGENCE || kind == WORK_PRECISION) {
        return choose_error(f, norm, kind);
    }
    if (kind == ENERGY) {
        return (quantity){
            .path = "energy.largest_increase", .label = "rise of energy", .logy = logy};
    }
    if (kind == MOMENTUM) {
        return (quantity){
            .path = "momentum.largest_drift", .label = "drift of momentum", .logy = logy};
    }
    const char *field = il_fields_text(f, "field", NULL);
    if (field == NULL) {
        il_fields_miss(f, "field", "the path of a number in a record, such as \"energy.final\"");
    }
    return (quantity){.path = field, .label = field, .logy = logy};
}

/* What errors are errors against. */
static const char *tell_reference(const il_fields *f, const il_sweep *s) {
    switch (s->reference) {
    case IL_REFERENCE_SELF:
        return il_lua_print(f->L, f->arena, "%s in %zu steps", s->reference_scheme->name,
                            s->reference_steps);
    case IL_REFERENCE_EVENTS:
        return "the event-driven solution";
    case IL_REFERENCE_OWN:
        return il_lua_print(f->L, f->arena, "%s, of the script's own",
                            il_lua_reference_exact(s->own)->name);
    case IL_REFERENCE_EXACT:
    case IL_REFERENCE_NONE:
        break;
    }
    return "the exact solution";
}

/* What a figure shows of a norm. */
static const char *tell_error(const il_fields *f, const il_sweep *s, const quantity *what,
                              const char *on) {
    if (what->cost != NULL) {
        return il_lua_print(f->L, f->arena,
                            "Work and precision: error %s, from %s, against %s on %s, %zu run%s a "
                            "scheme; lines join the geometric means over octaves of the step.",
                            what->norm, tell_reference(f, s), what->cost_label, on, s->nsizes,
                            il_lua_plural(s->nsizes));
    }
    return il_lua_print(f->L, f->arena,
                        "Error %s, from %s, against the step h on %s, %zu run%s a scheme; "
                        "fitted curves, dashed beyond the steps used, green where the verdict is "
                        "PASS, red for FAIL, orange for INCONCLUSIVE, grey where nothing is "
                        "claimed; orders with %g %% intervals.",
                        what->norm, tell_reference(f, s), on, s->nsizes, il_lua_plural(s->nsizes),
                        100.0 * what->level);
}

static const char *make_caption(const il_fields *f, const il_sweep *s, const quantity *what,
                                int kind, const char *notes) {
    static const char *const long_names[] = {[ENERGY] =
                                                 "Largest rise of the kinetic energy in a step",
                                             [MOMENTUM] = "Largest drift of the total momentum",
                                             [WORK_PRECISION] = NULL};
    const char *on = s->nproblems == 1 ? s->problems[0].label : "each problem";
    const char *own =
        what->norm != NULL
            ? tell_error(f, s, what, on)
            : il_lua_print(f->L, f->arena, "%s against the step h on %s, %zu run%s a scheme.",
                           long_names[kind] != NULL ? long_names[kind] : what->label, on, s->nsizes,
                           il_lua_plural(s->nsizes));
    const char *text = il_fields_text(f, "caption", own);
    return il_lua_print(f->L, f->arena, "%s%s", text, notes);
}

static const char *make_name(const il_fields *f, const il_sweep *s, const quantity *what,
                             const char *norms, int kind, const char *kind_name) {
    const char *name = il_fields_text(f, "name", NULL);
    const char *tail = norms != NULL ? norms : kind == FIELD ? what->path : NULL;
    const char *cost = what->cost == NULL ? NULL : il_fields_text(f, "cost", NULL);
    return name != NULL ? name
                        : il_lua_print(f->L, f->arena, "%s-%s%s%s%s%s", s->name, kind_name,
                                       tail != NULL ? "-" : "", tail != NULL ? tail : "",
                                       cost != NULL ? "-" : "", cost != NULL ? cost : "");
}

/* Would legends with fitted orders be cut in half a figure? */
static bool has_long_names(const il_sweep *s, const quantity *what) {
    size_t longest = 0;
    for (size_t k = 0; k < s->nschemes; k++) {
        size_t length = strlen(s->schemes[k]->name);
        longest = length > longest ? length : longest;
    }
    return what->norm != NULL && what->cost == NULL && longest > NAME_FITS;
}

static il_figure lay_out(const il_sweep *s, const quantity *what, const il_panel *panels,
                         size_t npanels, bool several) {
    size_t columns = npanels > 1 && !has_long_names(s, what) ? 2 : 1;
    il_figure figure = {.columns = columns, .npanels = npanels, .panels = panels};
    if ((s->nproblems > 1 || several) && npanels > 1) {
        size_t rows = (npanels + columns - 1) / columns;
        double each = what->norm != NULL ? ROW_FITTED : ROW;
        figure.width = WIDTH;
        figure.height = fmin(each * (double)rows + (what->norm == NULL ? LEGEND : 0.0), 100.0);
    }
    return figure;
}

/* What is shown: of each norm where several are asked for, else one thing. */
static quantity *choose_all(const il_fields *f, const il_result *r, int kind, size_t *n) {
    bool many = il_fields_push(f, "norms");
    const char **norms = il_lua_take(f->L, f->arena, 1, sizeof *norms, NULL);
    *n = 1;
    if (many && ((kind != CONVERGENCE && kind != WORK_PRECISION) || il_fields_push(f, "norm"))) {
        (void)il_fields_push(f, "norms");
        il_fields_refuse(f, "norms", -1,
                         "several for \"convergence\" and \"work_precision\", without norm");
    }
    if (many) {
        norms = il_result_norms(f, r, n);
    } else if (kind == CONVERGENCE || kind == WORK_PRECISION) {
        norms[0] = il_result_norm(f, r);
    }
    quantity *what = il_lua_take(f->L, f->arena, *n, sizeof *what, NULL);
    for (size_t k = 0; k < *n; k++) {
        what[k] = choose_quantity(f, norms[k], kind);
        read_slopes(f, kind, &what[k]);
    }
    return what;
}

/* One quantity that stands for all in names and captions. */
static quantity join(const il_fields *f, const quantity *what, size_t n) {
    quantity all = what[0];
    const char *norm = all.norm;
    for (size_t k = 1; k < n; k++) {
        norm = il_lua_print(f->L, f->arena, k + 1 < n ? "%s, %s" : "%s and %s", norm, what[k].norm);
    }
    all.norm = norm;
    return all;
}

/* "-u_L1-q_Linf" of several norms, for the file. */
static const char *tail_of(const il_fields *f, const quantity *what, size_t n) {
    const char *tail = what[0].norm;
    for (size_t k = 1; k < n; k++) {
        tail = il_lua_print(f->L, f->arena, "%s-%s", tail, what[k].norm);
    }
    return tail;
}

static int result_figure(lua_State *L) {
    static const char *const known[] = {"norm",  "level",  "name", "title", "caption",
                                        "cost",  "norms",  "key",  "field", "logy",
                                        "order", "slopes", "mm",   "tex",   NULL};
    static const char *const kinds[] = {"convergence",    "energy",    "momentum", "field",
                                        "work_precision", "parameter", NULL};
    const il_result *r = il_lua_check_result(L, 1);
    const il_sweep *s = r->sweep;
    il_fields f = il_fields_begin(L, 2, "r:figure", NULL);
    int kind = il_result_kind(&f, kinds);
    if (kind == PARAMETER) {
        return il_result_parameter_figure(&f, r);
    }
    il_fields_known(&f, 1, known);
    il_result_expect_complete(L, r, f.call);
    if (s->nproblems > 1 && il_fields_push(&f, "title")) {
        il_fields_refuse(&f, "title", -1, "it for one problem alone; of several each has its name");
    }
    size_t n = 0;
    const quantity *what = choose_all(&f, r, kind, &n);
    il_panel *panels = il_lua_take(L, f.arena, n * s->nproblems, sizeof *panels, NULL);
    char notes[1024] = "";
    size_t failed = 0;
    size_t npanels = 0;
    for (size_t k = 0; k < n; k++) {
        char own[1024] = "";
        npanels += make_panels(&f, r, &what[k], panels + npanels, own, sizeof own, &failed);
        il_text_append(notes, sizeof notes, "%s", strstr(notes, own) == NULL ? own : "");
    }
    quantity all = join(&f, what, n);
    const char *name = make_name(&f, s, &what[0], tail_of(&f, what, n), kind, kinds[kind]);
    if (npanels == 0) {
        const char *why =
            il_lua_print(L, f.arena, "no run has a point of %s.%s", what->path, notes);
        il_error err = {IL_OK, ""};
        il_lua_expect(L, f.call, failed > 0 ? IL_OK : il_fail(&err, IL_EINVAL, "%s", why), &err);
        return il_lua_draw_nothing(L, name, why);
    }
    il_figure figure = lay_out(s, what, panels, npanels, n > 1);
    figure.name = name;
    figure.origin = il_lua_origin(L, f.arena, r);
    figure.caption = il_result_mark(L, f.arena, r, make_caption(&f, s, &all, kind, notes));
    figure.order = il_lua_place(&f);
    il_lua_figure_paper(&f, &figure);
    il_lua_draw(&f, &figure);
    return 1;
}

void il_lua_add_result_figure(lua_State *L) {
    il_lua_result_method(L, "figure", result_figure);
}
