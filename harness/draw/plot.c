/*
 * plot.c - figures through gnuplot.
 *
 * A figure is made in a scratch folder beside its place: the data file, the script, and what
 * gnuplot draws when the same script is fed to it there. Nothing leaves that folder before gnuplot
 * has been judged (gnuplot.c) and every picture has been looked at (picture.c), because gnuplot
 * goes on after an error in piped input or on the disk and writes a file all the same. Then the
 * files are renamed into place, the manifest last.
 */
#include "harness/draw/plot.h"
#include "harness/base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/text.h"
#include "harness/draw/gnuplot.h"
#include "harness/draw/gnuplot_pipe.h"
#include "harness/draw/picture.h"
#include "harness/draw/plot_check.h"
#include "harness/draw/plot_data.h"
#include "harness/draw/plot_script.h"
#include "harness/draw/plot_words.h"
#include "harness/draw/svg.h"
#include "harness/io/file.h"
#include "harness/io/scratch.h"
#include "harness/io/sealed.h"

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
    char *script;
    size_t script_size;
    char *folder; /* scratch, */
    int lock;     /* and a descriptor of it, as long as it is not NULL */
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

/* ---- pictures into place -------------------------------------------------------------------- */

/* folder/name with its suffix; NULL when memory is out. The caller frees. */
static char *path_make(const char *folder, const char *name, const char *suffix) {
    char *path = NULL;
    return asprintf(&path, "%s/%s%s", folder, name, suffix) < 0 ? NULL : path;
}

/* A folder in the way of a rename would leave the figure half new, half old: look before. */
static il_status place_check(const il_figure *figure, const char *dir, il_error *err) {
    for (int k = 0; k <= suffixes(figure); k++) {
        char *path = path_make(dir, figure->name, k < suffixes(figure) ? SUFFIX[k] : ".json");
        struct stat info;
        if (path == NULL) {
            return il_fail(err, IL_ENOMEM, "no memory for a file name");
        }
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
            il_status status = il_fail(err, IL_EIO, "cannot write '%s': it is a folder", path);
            free(path);
            return status;
        }
        free(path);
    }
    return IL_OK;
}

static il_status place(const drawing *d, const char *dir, const char *suffix, il_error *err) {
    char *from = path_make(d->folder, d->figure->name, suffix);
    char *to = path_make(dir, d->figure->name, suffix);
    il_status status = IL_OK;
    if (from == NULL || to == NULL) {
        status = il_fail(err, IL_ENOMEM, "no memory for a file name");
    } else if (rename(from, to) != 0) {
        status = il_fail(err, IL_EIO, "cannot write '%s': %s", to, strerror(errno));
    }
    free(from);
    free(to);
    return status;
}

/* The checksums of all files in the scratch folder, in the manifest's order. */
static il_status sums_make(const drawing *d, json_t **sums, il_error *err) {
    il_json w = {false};
    il_status status = IL_OK;
    *sums = json_array();
    for (int k = suffixes(d->figure) - 1; status == IL_OK && k >= 0; k--) {
        char sum[IL_SEALED_SUM];
        char *path = path_make(d->folder, d->figure->name, SUFFIX[k]);
        status = path != NULL ? il_sealed_sum_file(path, sum, err)
                              : il_fail(err, IL_ENOMEM, "no memory for a file name");
        if (status == IL_OK) {
            il_json_append(&w, *sums, json_string(sum));
        }
        free(path);
    }
    *sums = il_json_done(&w, *sums);
    if (status == IL_OK && *sums == NULL) {
        status = il_fail(err, IL_ENOMEM, "no memory for the manifest of '%s'", d->figure->name);
    }
    if (status != IL_OK) {
        json_decref(*sums);
    }
    return status;
}

/* On the disk, not yet in its place. */
static il_status manifest_write(const drawing *d, const char *dir, il_file *file, il_error *err) {
    const char *name = d->figure->name;
    il_json w = {false};
    json_t *files = json_array();
    for (int k = suffixes(d->figure) - 1; k >= 0; k--) {
        il_json_append(&w, files, json_sprintf("%s%s", name, SUFFIX[k]));
    }
    files = il_json_done(&w, files);
    json_t *sums = NULL;
    il_status status = sums_make(d, &sums, err);
    if (status != IL_OK) {
        json_decref(files);
        return status;
    }
    char *shows = il_plot_words(d->figure);
    json_t *root =
        json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:I, s:I, s:i, s:o, s:o}", "kind", "figure",
                  "name", name, "caption", d->caption, "shows", shows, "files", files, "sums", sums,
                  "dropped", (json_int_t)d->data.dropped, "not_finite",
                  (json_int_t)d->data.not_finite, "order", d->figure->order, "section",
                  il_section_json(d->figure->section), "origin", il_origin_json(d->figure->origin));
    free(shows);
    char *path = path_make(dir, name, ".json");
    status = root == NULL || path == NULL
                 ? il_fail(err, IL_ENOMEM, "no memory for the manifest of '%s'", name)
                 : il_file_open(file, path, err);
    if (status == IL_OK) {
        status = il_sealed_put(file->stream, root, JSON_INDENT(2), err);
    }
    if (status == IL_OK) {
        status = il_file_flush(file, err);
    }
    free(path);
    json_decref(root);
    return status;
}

/* ---- the way through ------------------------------------------------------------------------ */

static il_status scratch_make(drawing *d, const char *dir, il_error *err) {
    il_status status = il_folder_make(dir, err);
    if (status != IL_OK) {
        return status;
    }
    char *target = NULL;
    if (asprintf(&target, "%s/%s", dir, d->figure->name) < 0) {
        return il_fail(err, IL_ENOMEM, "no memory for a file name");
    }
    status = il_scratch_folder(target, &d->folder, &d->lock, err);
    free(target);
    return status;
}

static void put_data(FILE *out, const drawing *d) {
    il_plot_data_put(&d->data, out);
}

static void put_script(FILE *out, const drawing *d) {
    (void)fwrite(d->script, 1, d->script_size, out);
}

static il_status scratch_fill(const drawing *d, const char *suffix,
                              void (*put)(FILE *out, const drawing *d), il_error *err) {
    il_file file = {0};
    char *path = path_make(d->folder, d->figure->name, suffix);
    if (path == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a file name");
    }
    il_status status = il_file_open(&file, path, err);
    if (status == IL_OK) {
        file.passing = true;
        put(file.stream, d);
        status = il_file_commit(&file, err);
    }
    free(path);
    return status;
}

/* Data, note, caption and script: all that needs no file. */
static il_status prepare(drawing *d, il_error *err) {
    il_status status = il_plot_data_make(&d->data, d->figure, err);
    if (status == IL_OK) {
        notes_take(d);
        status = caption_make(d, err);
    }
    return status == IL_OK ? il_plot_script_make(&d->data, &d->script, &d->script_size, err)
                           : status;
}

/* Of the SVG: the others are compressed, or so many pixels. */
static il_status lighten(const drawing *d, il_error *err) {
    char *path = path_make(d->folder, d->figure->name, ".svg");
    il_status status =
        path != NULL ? il_svg_lighten(path, err) : il_fail(err, IL_ENOMEM, "no memory for a name");
    free(path);
    return status;
}

/* The last line of a picture for LaTeX. */
static bool ends_well(FILE *in) {
    char line[256];
    bool found = false;
    while (fgets(line, sizeof line, in) != NULL) {
        found = strstr(line, "\\endgroup") != NULL;
    }
    return found;
}

static il_status tex_check(const drawing *d, il_error *err) {
    char *path = path_make(d->folder, d->figure->name, "-tex.tex");
    char *base = NULL;
    il_status status = IL_OK;
    if (path == NULL || asprintf(&base, "%s-tex", d->figure->name) < 0) {
        base = NULL;
        status = il_fail(err, IL_ENOMEM, "no memory for a file name");
    }
    if (status == IL_OK) {
        status = il_picture_check(d->folder, base, "pdf", err);
    }
    FILE *in = status == IL_OK ? fopen(path, "r") : NULL;
    if (status == IL_OK && (in == NULL || !ends_well(in))) {
        status = il_fail(err, IL_EPLOT, "gnuplot did not write '%s' to its end", path);
    }
    if (in != NULL) {
        (void)fclose(in);
    }
    free(path);
    free(base);
    return status;
}

/* Nothing in an svg tells of a hole: gnuplot writes it into a pipe, which is never full, and we
 * write the file. */
static il_status run_gnuplot(const drawing *d, il_error *err) {
    il_gnuplot_pipe pipe = {.fd = -1};
    char *path = path_make(d->folder, d->figure->name, ".svg");
    il_status status = path != NULL ? il_gnuplot_pipe_open(&pipe, path, err)
                                    : il_fail(err, IL_ENOMEM, "no memory for a file name");
    if (status == IL_OK) {
        status = il_gnuplot_run(d->folder, d->script, d->script_size, d->figure->name, &pipe, err);
    }
    if (status == IL_OK) {
        status = il_gnuplot_pipe_store(&pipe, path, err);
    }
    il_gnuplot_pipe_close(&pipe);
    free(path);
    return status;
}

/* All files but the manifest, in the scratch folder. */
static il_status draw(const drawing *d, il_error *err) {
    il_status status = scratch_fill(d, ".gp", put_script, err);
    if (status == IL_OK) {
        status = scratch_fill(d, ".dat", put_data, err);
    }
    if (status == IL_OK) {
        status = run_gnuplot(d, err);
    }
    for (int k = FIRST_PICTURE; status == IL_OK && k < NSUFFIX; k++) {
        status = il_picture_check(d->folder, d->figure->name, SUFFIX[k] + 1, err);
    }
    if (status == IL_OK && d->figure->tex) {
        status = tex_check(d, err);
    }
    return status == IL_OK ? lighten(d, err) : status;
}

/* A picture on the disk. */
static il_status settle(const drawing *d, const char *suffix, il_error *err) {
    char *path = path_make(d->folder, d->figure->name, suffix);
    int fd = path != NULL ? open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    il_status status = path == NULL ? il_fail(err, IL_ENOMEM, "no memory for a file name")
                       : fd >= 0 && fsync(fd) == 0
                           ? IL_OK
                           : il_fail(err, IL_EIO, "cannot write '%s': %s", path, strerror(errno));
    if (fd >= 0) {
        (void)close(fd);
    }
    free(path);
    return status;
}

/* Is a plain file of the figure there, by its suffix? Its path is the caller's. */
static char *find_old(const drawing *d, const char *dir, const char *suffix) {
    struct stat info;
    char *path = path_make(dir, d->figure->name, suffix);
    if (path != NULL && (lstat(path, &info) != 0 || !S_ISREG(info.st_mode))) {
        free(path);
        path = NULL;
    }
    return path;
}

/* What the figure had for LaTeX goes when it is drawn without; a figure of the name NAME-tex has a
 * NAME-tex.pdf of its own. */
static void forget_tex(const drawing *d, const char *dir) {
    char *other = find_old(d, dir, "-tex.json");
    for (int k = NSUFFIX; !d->figure->tex && other == NULL && k < NSUFFIX_TEX; k++) {
        char *old = find_old(d, dir, SUFFIX[k]);
        if (old != NULL) {
            (void)unlink(old);
        }
        free(old);
    }
    free(other);
}

/* All of it is on the disk before the first file is renamed. */
static il_status publish(const drawing *d, const char *dir, il_error *err) {
    il_file manifest = {0};
    il_status status = place_check(d->figure, dir, err);
    for (int k = 0; status == IL_OK && k < suffixes(d->figure); k++) {
        status = settle(d, SUFFIX[k], err);
    }
    if (status == IL_OK) {
        status = manifest_write(d, dir, &manifest, err);
    }
    for (int k = 0; status == IL_OK && k < suffixes(d->figure); k++) {
        status = place(d, dir, SUFFIX[k], err);
    }
    if (status == IL_OK) {
        status = il_file_commit(&manifest, err);
    }
    if (status == IL_OK) {
        forget_tex(d, dir);
    }
    il_file_abandon(&manifest);
    return status;
}

/* Nothing remains of the scratch folder, whatever came out. */
static void drawing_free(drawing *d) {
    if (d->folder != NULL) {
        il_scratch_remove(d->folder);
        (void)close(d->lock);
    }
    il_plot_data_free(&d->data);
    free(d->caption);
    free(d->script);
    free(d->folder);
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
        status = scratch_make(&d, dir, err);
    }
    if (status == IL_OK) {
        status = draw(&d, err);
    }
    if (status == IL_OK) {
        status = publish(&d, dir, err);
    }
    if (report != NULL) {
        report->dropped = d.data.dropped;
        report->not_finite = d.data.not_finite;
        (void)snprintf(report->message, sizeof report->message, "%s", d.note);
    }
    drawing_free(&d);
    return status;
}
