/*
 * plot.c - figures by gnuplot.
 *
 * A figure is made in a scratch folder (publish.h): the data file, the script, and the pictures.
 */
#include "harness/draw/plot.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/draw/gnuplot.h"
#include "harness/draw/publish.h"

/* A figure's files beside its manifest; those for LaTeX where they are asked for. */
static const char *const SUFFIX[] = {".dat", ".gp", ".pdf", ".svg", ".png", "-tex.tex", "-tex.pdf"};
enum { NSUFFIX = 5, NSUFFIX_TEX = sizeof SUFFIX / sizeof *SUFFIX, FIRST_PICTURE = 2 };

static int suffixes(const il_figure *figure) {
    return figure->tex ? NSUFFIX_TEX : NSUFFIX;
}

static void put_data(FILE *out, const void *data) {
    const il_figure *f = data;
    (void)fwrite(f->data, 1, f->size, out);
}

static void put_script(FILE *out, const void *data) {
    (void)fputs(((const il_figure *)data)->script, out);
}

static il_status run_gnuplot(const il_figure *f, const char *folder, il_error *err) {
    enum { PICTURES = NSUFFIX_TEX - FIRST_PICTURE };
    char name[PICTURES][NAME_MAX + 1];
    const char *pictures[PICTURES];
    size_t n = (size_t)(suffixes(f) - FIRST_PICTURE);
    for (size_t k = 0; k < n; k++) {
        (void)snprintf(name[k], sizeof name[k], "%s%s", f->name, SUFFIX[FIRST_PICTURE + k]);
        pictures[k] = name[k];
    }
    return il_gnuplot_run(folder, f->script, strlen(f->script), pictures, n, f->name, err);
}

/* A figure that is drawn without LaTeX loses the files it had for it. */
static void forget_tex(const il_figure *figure, const char *dir) {
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s-tex.tex", dir, figure->name);
    if (!figure->tex && unlink(path) == 0) {
        (void)snprintf(path, sizeof path, "%s/%s-tex.pdf", dir, figure->name);
        (void)unlink(path);
    }
}

il_status il_figure_draw(const il_figure *f, const char *dir, il_error *err) {
    il_publication files;
    il_status status = il_publication_open(&files, dir, f->name, err);
    files.order = f->order;
    files.section = f->section;
    files.origin = f->origin;
    if (status == IL_OK) {
        status = il_publication_put(&files, ".gp", put_script, f, err);
    }
    if (status == IL_OK) {
        status = il_publication_put(&files, ".dat", put_data, f, err);
    }
    if (status == IL_OK) {
        status = run_gnuplot(f, files.folder, err);
    }
    if (status == IL_OK) {
        json_t *manifest =
            json_pack("{s:s, s:s, s:s, s:s, s:I, s:I}", "kind", "figure", "name", f->name,
                      "caption", f->caption, "shows", f->shows, "dropped", (json_int_t)f->dropped,
                      "not_finite", (json_int_t)f->not_finite);
        status = il_publication_commit(&files, SUFFIX, suffixes(f), ".json", manifest, err);
    }
    if (status == IL_OK) {
        forget_tex(f, dir);
    }
    il_publication_close(&files);
    return status;
}
