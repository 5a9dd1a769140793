/*
 * plot.c - figures through gnuplot.
 *
 * A figure is made in a scratch folder beside its place: the data file, the script, and what
 * gnuplot draws by it there. Then the files are renamed into place, the manifest last.
 */
#include "harness/draw/plot.h"
#include "harness/base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/text.h"
#include "harness/draw/gnuplot.h"
#include "harness/draw/plot_parts.h"
#include "harness/io/file.h"
#include "harness/io/scratch.h"
#include "harness/io/sealed.h"

/* A figure's files beside its manifest; those for LaTeX where they are asked for. */
static const char *const SUFFIX[] = {".dat", ".gp", ".pdf", ".svg", ".png", "-tex.tex", "-tex.pdf"};
enum {
    NSUFFIX = 5,
    NSUFFIX_TEX = sizeof SUFFIX / sizeof *SUFFIX,
    FIRST_PICTURE = 2,
    LONGEST = 64 /* bytes that a path has behind folder and name */
};

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

/* ---- files ----------------------------------------------------------------------------------- */

/* folder/NAME and its suffix in out, whose size il_figure_draw has made sure of. */
static const char *path_of(const drawing *d, const char *folder, const char *suffix,
                           char out[PATH_MAX]) {
    (void)snprintf(out, PATH_MAX, "%s/%s%s", folder, d->figure->name, suffix);
    return out;
}

/* A folder in the way of a rename would leave the figure half new, half old: look before. */
static il_status place_check(const drawing *d, const char *dir, il_error *err) {
    for (int k = 0; k <= suffixes(d->figure); k++) {
        char path[PATH_MAX];
        struct stat info;
        (void)path_of(d, dir, k < suffixes(d->figure) ? SUFFIX[k] : ".json", path);
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
            return il_fail(err, IL_EIO, "cannot write '%s': it is a folder", path);
        }
    }
    return IL_OK;
}

static il_status place(const drawing *d, const char *dir, const char *suffix, il_error *err) {
    char from[PATH_MAX];
    char to[PATH_MAX];
    return rename(path_of(d, d->folder, suffix, from), path_of(d, dir, suffix, to)) == 0
               ? IL_OK
               : il_fail(err, IL_EIO, "cannot write '%s': %s", to, strerror(errno));
}

/* A file on the disk, and its checksum. */
static il_status settle(const drawing *d, const char *suffix, char sum[IL_SEALED_SUM],
                        il_error *err) {
    char path[PATH_MAX];
    int fd = open(path_of(d, d->folder, suffix, path), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool safe = fd >= 0 && fsync(fd) == 0;
    int reason = errno;
    if (fd >= 0) {
        (void)close(fd);
    }
    return safe ? il_sealed_sum_file(path, sum, err)
                : il_fail(err, IL_EIO, "cannot write '%s': %s", path, strerror(reason));
}

/* All files on the disk; *files and *sums receive their names and checksums. */
static il_status settle_all(const drawing *d, json_t **files, json_t **sums, il_error *err) {
    il_json w = {false};
    il_status status = IL_OK;
    *files = json_array();
    *sums = json_array();
    for (int k = suffixes(d->figure) - 1; status == IL_OK && k >= 0; k--) {
        char sum[IL_SEALED_SUM];
        status = settle(d, SUFFIX[k], sum, err);
        if (status == IL_OK) {
            il_json_append(&w, *files, json_sprintf("%s%s", d->figure->name, SUFFIX[k]));
            il_json_append(&w, *sums, json_string(sum));
        }
    }
    return status == IL_OK && w.failed ? il_fail(err, IL_ENOMEM, "no memory for a manifest")
                                       : status;
}

/* On the disk, not yet in its place. Takes files and sums. */
static il_status manifest_write(const drawing *d, const char *dir, json_t *files, json_t *sums,
                                il_file *file, il_error *err) {
    const il_figure *f = d->figure;
    char path[PATH_MAX];
    char *shows = il_plot_words(f);
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:I, s:I, s:i, s:o, s:o}", "kind", "figure", "name",
        f->name, "caption", d->caption, "shows", shows, "files", files, "sums", sums, "dropped",
        (json_int_t)d->data.dropped, "not_finite", (json_int_t)d->data.not_finite, "order",
        f->order, "section", il_section_json(f->section), "origin", il_origin_json(f->origin));
    free(shows);
    il_status status = root != NULL ? il_file_open(file, path_of(d, dir, ".json", path), err)
                                    : il_fail(err, IL_ENOMEM, "no memory for a manifest");
    if (status == IL_OK) {
        status = il_sealed_put(file->stream, root, JSON_INDENT(2), err);
    }
    if (status == IL_OK) {
        status = il_file_flush(file, err);
    }
    json_decref(root);
    return status;
}

/* ---- the way through ------------------------------------------------------------------------ */

static il_status scratch_make(drawing *d, const char *dir, il_error *err) {
    char target[PATH_MAX];
    if (strlen(dir) + 2 * strlen(d->figure->name) > PATH_MAX - LONGEST) {
        return il_fail(err, IL_EINVAL, "the path of figure '%s' is too long", d->figure->name);
    }
    il_status status = il_folder_make(dir, err);
    return status == IL_OK
               ? il_scratch_folder(path_of(d, dir, "", target), &d->folder, &d->lock, err)
               : status;
}

static il_status scratch_fill(const drawing *d, const char *suffix, bool script, il_error *err) {
    il_file file = {0};
    char path[PATH_MAX];
    il_status status = il_file_open(&file, path_of(d, d->folder, suffix, path), err);
    if (status == IL_OK) {
        file.passing = true;
        if (script) {
            (void)fwrite(d->script, 1, d->script_size, file.stream);
        } else {
            il_plot_data_put(&d->data, file.stream);
        }
        status = il_file_commit(&file, err);
    }
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

static il_status run_gnuplot(const drawing *d, il_error *err) {
    enum { PICTURES = NSUFFIX_TEX - FIRST_PICTURE };
    char name[PICTURES + 1][NAME_MAX + 1];
    const char *pictures[PICTURES];
    size_t n = (size_t)(suffixes(d->figure) - FIRST_PICTURE);
    for (size_t k = 0; k < n; k++) {
        (void)snprintf(name[k], sizeof name[k], "%s%s", d->figure->name, SUFFIX[FIRST_PICTURE + k]);
        pictures[k] = name[k];
    }
    (void)snprintf(name[n], sizeof name[n], "%s.gp", d->figure->name);
    return il_gnuplot_run(d->folder, name[n], pictures, n, d->figure->name, err);
}

/* All files but the manifest, in the scratch folder. */
static il_status draw(const drawing *d, il_error *err) {
    il_status status = scratch_fill(d, ".gp", true, err);
    if (status == IL_OK) {
        status = scratch_fill(d, ".dat", false, err);
    }
    return status == IL_OK ? run_gnuplot(d, err) : status;
}

/* What the figure had for LaTeX goes when it is drawn without. */
static void forget_tex(const drawing *d, const char *dir) {
    char path[PATH_MAX];
    if (!d->figure->tex && unlink(path_of(d, dir, "-tex.tex", path)) == 0) {
        (void)unlink(path_of(d, dir, "-tex.pdf", path));
    }
}

/* All of it is on the disk before the first file is renamed, the manifest last. */
static il_status publish(const drawing *d, const char *dir, il_error *err) {
    il_file manifest = {0};
    json_t *files = NULL;
    json_t *sums = NULL;
    il_status status = place_check(d, dir, err);
    if (status == IL_OK) {
        status = settle_all(d, &files, &sums, err);
    }
    if (status != IL_OK) {
        json_decref(files);
        json_decref(sums);
        return status;
    }
    status = manifest_write(d, dir, files, sums, &manifest, err);
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
