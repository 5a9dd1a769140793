/*
 * plot.c - figures by gnuplot.
 *
 * A figure is made in a scratch folder (publish.h): the data file, the script, and the pictures.
 */
#include "harness/draw/plot.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/text.h"
#include "harness/draw/gnuplot.h"
#include "harness/draw/plot_parts.h"
#include "harness/draw/publish.h"

/* A figure's files beside its manifest; those for LaTeX where they are asked for. */
static const char *const SUFFIX[] = {".dat", ".gp", ".pdf", ".svg", ".png", "-tex.tex", "-tex.pdf"};
enum { NSUFFIX = 5, NSUFFIX_TEX = sizeof SUFFIX / sizeof *SUFFIX, FIRST_PICTURE = 2 };

static int suffixes(const il_figure *figure) {
    return figure->tex ? NSUFFIX_TEX : NSUFFIX;
}

typedef struct {
    const il_figure *figure;
    il_plot_data data;
    char note[256]; /* what was left out */
    char *caption;  /* the figure's, and the note */
    il_publication files;
} drawing;

/* ---- the caption ----------------------------------------------------------------------------- */

static void notes_take(drawing *d) {
    if (d->data.dropped > 0) {
        il_text_append(d->note, sizeof d->note,
                       d->data.dropped == 1
                           ? "%zu point that a logarithmic axis cannot show is left out."
                           : "%zu points that a logarithmic axis cannot show are left out.",
                       d->data.dropped);
    }
    for (size_t k = 0; k < d->figure->npanels; k++) {
        for (size_t i = 0; i < d->data.views[k].panel->nseries; i++) {
            if (d->data.views[k].curves[i].shown == 0) {
                il_text_append(d->note, sizeof d->note,
                               "%sSeries %zu of panel %zu has no point to show.",
                               d->note[0] == '\0' ? "" : " ", i + 1, k + 1);
            }
        }
    }
}

/* The caption, then the note as sentences of their own. */
static il_status caption_make(drawing *d, il_error *err) {
    const char *caption = d->figure->caption != NULL ? d->figure->caption : "";
    size_t n = strlen(caption);
    const char *glue = n == 0 ? "" : strchr(".!?", caption[n - 1]) != NULL ? " " : ". ";
    if (asprintf(&d->caption, "%s%s%s", caption, d->note[0] != '\0' ? glue : "", d->note) < 0) {
        d->caption = NULL;
        return il_fail(err, IL_ENOMEM, "no memory for the caption of '%s'", d->figure->name);
    }
    return IL_OK;
}

/* ---- the figure in words -------------------------------------------------------------------- */

static bool is_said(const char *text) {
    return text != NULL && text[0] != '\0';
}

/* The labels of a legend, each once; of discs what their colours mean. */
static void put_curves(FILE *out, const il_panel *p) {
    const char *glue = "; ";
    for (size_t k = 0; k < p->nseries; k++) {
        if (is_said(p->series[k].label)) {
            (void)fprintf(out, "%s%s", glue, p->series[k].label);
            glue = ", ";
        }
    }
    if (is_said(p->colorlabel)) {
        (void)fprintf(out, "; coloured by %s", p->colorlabel);
    }
}

static void put_panel(FILE *out, const il_panel *p) {
    (void)fprintf(out, "%s%s", is_said(p->title) ? p->title : "", is_said(p->title) ? ": " : "");
    (void)fprintf(out, "%s against %s", is_said(p->ylabel) ? p->ylabel : "y",
                  is_said(p->xlabel) ? p->xlabel : "x");
    if (p->logx || p->logy) {
        (void)fprintf(out, " on %s",
                      p->logx && p->logy ? "logarithmic scales"
                      : p->logx          ? "a logarithmic scale of x"
                                         : "a logarithmic scale of y");
    }
    put_curves(out, p);
    (void)fputs(".", out);
}

/* One sentence a panel: "t = 0.3: z against x; coloured by load." What the curves show is left to
 * the caption. To be freed; NULL when memory is out. */
static char *words(const il_figure *figure) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (size_t k = 0; out != NULL && k < figure->npanels; k++) {
        (void)fputs(k > 0 ? " " : "", out);
        put_panel(out, &figure->panels[k]);
    }
    if (out != NULL) {
        (void)fclose(out);
    }
    return text;
}

/* ---- drawing ------------------------------------------------------------------------ */

static void put_data(FILE *out, const void *data) {
    const drawing *d = data;
    il_plot_data_put(&d->data, out);
}

static void put_script(FILE *out, const void *data) {
    const drawing *d = data;
    il_plot_put_script(out, &d->data);
}

/* Data, note and caption: all that needs no file. */
static il_status prepare(drawing *d, il_error *err) {
    il_status status = il_plot_data_make(&d->data, d->figure, err);
    if (status == IL_OK) {
        notes_take(d);
        status = caption_make(d, err);
    }
    return status == IL_OK ? il_plot_expect_room(&d->data, err) : status;
}

static il_status run_gnuplot(const drawing *d, il_error *err) {
    enum { PICTURES = NSUFFIX_TEX - FIRST_PICTURE };
    char name[PICTURES][NAME_MAX + 1];
    const char *pictures[PICTURES];
    size_t n = (size_t)(suffixes(d->figure) - FIRST_PICTURE);
    for (size_t k = 0; k < n; k++) {
        (void)snprintf(name[k], sizeof name[k], "%s%s", d->figure->name, SUFFIX[FIRST_PICTURE + k]);
        pictures[k] = name[k];
    }
    char *script = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&script, &length);
    if (out != NULL) {
        put_script(out, d);
    }
    il_status status =
        out == NULL || fclose(out) != 0
            ? il_fail(err, IL_ENOMEM, "no memory for the script of a figure")
            : il_gnuplot_run(d->files.folder, script, length, pictures, n, d->figure->name, err);
    free(script);
    return status;
}

/* All files, in the scratch folder. */
static il_status draw(const drawing *d, il_error *err) {
    il_status status = il_publication_put(&d->files, ".gp", put_script, d, err);
    if (status == IL_OK) {
        status = il_publication_put(&d->files, ".dat", put_data, d, err);
    }
    return status == IL_OK ? run_gnuplot(d, err) : status;
}

static il_status publish(drawing *d, il_error *err) {
    const il_figure *f = d->figure;
    char *shows = words(f);
    json_t *manifest =
        json_pack("{s:s, s:s, s:s, s:s, s:I, s:I}", "kind", "figure", "name", f->name, "caption",
                  d->caption, "shows", shows, "dropped", (json_int_t)d->data.dropped, "not_finite",
                  (json_int_t)d->data.not_finite);
    free(shows);
    d->files.order = f->order;
    d->files.section = f->section;
    d->files.origin = f->origin;
    return il_publication_commit(&d->files, SUFFIX, suffixes(f), ".json", manifest, err);
}

/* What the figure had for LaTeX goes when it is drawn without. */
static void forget_tex(const il_figure *figure, const char *dir) {
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s-tex.tex", dir, figure->name);
    if (!figure->tex && unlink(path) == 0) {
        (void)snprintf(path, sizeof path, "%s/%s-tex.pdf", dir, figure->name);
        (void)unlink(path);
    }
}

il_status il_figure_draw(const il_figure *figure, const char *dir, il_figure_report *report,
                         il_error *err) {
    drawing d = {.figure = figure};
    if (report != NULL) {
        memset(report, 0, sizeof *report);
    }
    il_status status = il_plot_check(figure, err);
    if (status != IL_OK) {
        return status;
    }
    status = prepare(&d, err);
    if (status == IL_OK) {
        status = il_publication_open(&d.files, dir, figure->name, err);
    }
    if (status == IL_OK) {
        status = draw(&d, err);
    }
    if (status == IL_OK) {
        status = publish(&d, err);
    }
    if (status == IL_OK) {
        forget_tex(figure, dir);
    }
    if (report != NULL) {
        report->dropped = d.data.dropped;
        report->not_finite = d.data.not_finite;
        (void)snprintf(report->message, sizeof report->message, "%s", d.note);
    }
    il_publication_close(&d.files);
    il_plot_data_free(&d.data);
    free(d.caption);
    return status;
}
