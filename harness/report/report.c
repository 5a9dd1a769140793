/*
 * report.c - collects stored figures and tables, copies them, and writes one HTML page
 * (report_html.c).
 */
#include "harness/report/report.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/io/scratch.h"
#include "harness/io/sealed.h"
#include "harness/io/store/journal.h"
#include "harness/report/report_parts.h"

static const char *const FOLDERS[] = {"figures", "tables"};
enum { FIGURES, TABLES, NFOLDERS };

static il_status no_memory(il_error *err) {
    return il_fail(err, IL_ENOMEM, "no memory for the report");
}

/* BASE/FOLDER/FILE in out; il_report_write has seen to it that base leaves room for the others. */
static const char *path_of(char out[PATH_MAX], const char *base, const char *folder,
                           const char *file) {
    (void)snprintf(out, PATH_MAX, "%s/%s/%s", base, folder, file);
    return out;
}

/* What `verify --json` left beside the cases; NULL where it did not. */
static json_t *read_claims(const char *results) {
    char path[PATH_MAX];
    json_t *root = NULL;
    il_error none = {IL_OK, ""}; /* another program's, or one that was cut off: not shown */
    json_t *claims = il_json_load(path_of(path, results, ".", "verify.json"), &root, &none) == IL_OK
                         ? json_incref(json_object_get(root, "claims"))
                         : NULL;
    json_decref(root);
    return claims;
}

/* ---- finding -------------------------------------------------------------------------------- */

const char *il_report_folder(const il_report_entry *e) {
    return FOLDERS[e->table ? TABLES : FIGURES];
}

const char *il_report_file(const il_report_entry *e, const char *suffix) {
    const json_t *files = json_object_get(e->root, "files");
    for (size_t k = 0; k < json_array_size(files); k++) {
        const char *file = json_string_value(json_array_get(files, k));
        if (il_text_ends_with(file, suffix)) {
            return file;
        }
    }
    return NULL;
}

/* Takes root. */
static il_status entry_add(il_report *r, bool table, json_t *root, il_error *err) {
    if (r->n == r->capacity) {
        size_t capacity = 2 * r->capacity + 16;
        if (!il_memory_grow(&r->entries, capacity, sizeof *r->entries)) {
            json_decref(root);
            return no_memory(err);
        }
        r->capacity = capacity;
    }
    const json_t *section = json_object_get(root, "section");
    r->entries[r->n++] =
        (il_report_entry){.table = table,
                          .root = root,
                          .name = json_string_value(json_object_get(root, "name")),
                          .caption = json_string_value(json_object_get(root, "caption")),
                          .order = json_integer_value(json_object_get(root, "order")),
                          .section = il_json_get_text(section, "title"),
                          .rank = json_integer_value(json_object_get(section, "order"))};
    return IL_OK;
}

/* What cannot be shown is told on the page, and all else is shown. */
static il_status trouble_add(il_report *r, const char *what, il_error *err) {
    json_t *text = il_text_is_utf8(what) ? json_string(what) : json_string("a name is not UTF-8");
    il_json w = {false};
    il_json_append(&w, r->troubles, text);
    return w.failed ? no_memory(err) : IL_OK;
}

/* A manifest of a figure or table by the name of file, or what is missing. */
static il_status manifest_judge(const char *file, bool table, const json_t *root, il_error *why) {
    const json_t *files = json_object_get(root, "files");
    const char *name = json_string_value(json_object_get(root, "name"));
    bool whole = strcmp(il_json_get_text(root, "kind"), table ? "table" : "figure") == 0 &&
                 json_array_size(files) > 0 && il_text_is_file_name(name) &&
                 json_is_string(json_object_get(root, "caption")) &&
                 (!table || json_is_array(json_object_get(root, "cells")));
    for (size_t k = 0; whole && k < json_array_size(files); k++) {
        whole = il_text_is_file_name(json_string_value(json_array_get(files, k)));
    }
    if (!whole) {
        return il_fail(why, IL_EINVAL,
                       "its name, caption, files or cells are missing or not allowed");
    }
    size_t n = strlen(name);
    return strncmp(file, name, n) == 0 && strcmp(file + n, table ? ".table.json" : ".json") == 0
               ? IL_OK
               : il_fail(why, IL_EINVAL, "it is that of '%s'", name);
}

static il_status manifest_read(il_report *r, int folder, const char *file, il_error *err) {
    char path[PATH_MAX];
    struct stat info;
    json_t *root = NULL;
    il_error why = {IL_OK, ""};
    (void)path_of(path, r->results, FOLDERS[folder], file);
    il_status status = il_sealed_load(path, &root, &why);
    if (status == IL_OK && root != NULL) {
        status = manifest_judge(file, folder == TABLES, root, &why);
    }
    if (status == IL_OK && root != NULL) {
        r->newest = stat(path, &info) == 0 && info.st_mtime > r->newest ? info.st_mtime : r->newest;
        return entry_add(r, folder == TABLES, root, err);
    }
    json_decref(root);
    if (status == IL_OK || status == IL_ENOMEM) {
        return status == IL_OK ? IL_OK : no_memory(err);
    }
    char text[PATH_MAX + 400];
    (void)snprintf(text, sizeof text, "'%s': %.300s; draw it again", path, why.message);
    return trouble_add(r, text, err);
}

/* Manifests in RESULTS/figures or RESULTS/tables. A folder that does not exist has none. The order
 * of reading is of no account: entries are sorted afterwards. */
static il_status folder_read(il_report *r, int folder, il_error *err) {
    char path[PATH_MAX];
    struct stat info;
    il_status status = IL_OK;
    (void)snprintf(path, sizeof path, "%s/%s", r->results, FOLDERS[folder]);
    if (lstat(path, &info) == 0 && S_ISLNK(info.st_mode)) {
        char text[PATH_MAX + 80];
        (void)snprintf(text, sizeof text,
                       "'%s' is a link to a folder, which a report does not follow", path);
        return trouble_add(r, text, err);
    }
    DIR *dir = opendir(path);
    if (dir == NULL) {
        return errno == ENOENT || errno == ENOTDIR
                   ? IL_OK
                   : il_fail(err, il_status_of_errno(errno), "cannot read the folder '%s': %s",
                             path, strerror(errno));
    }
    for (struct dirent *item = readdir(dir); status == IL_OK && item != NULL; item = readdir(dir)) {
        if (item->d_name[0] != '.' && !il_scratch_is_name(item->d_name) &&
            il_text_ends_with(item->d_name, ".json")) {
            status = manifest_read(r, folder, item->d_name, err);
        }
    }
    (void)closedir(dir);
    return status;
}

/* An order given comes before none. */
static int place_compare(json_int_t a, json_int_t b) {
    return a == b ? 0 : a != 0 && (b == 0 || a < b) ? -1 : 1;
}

/* Section by section; there by order, tables, which sum up, before figures of the same order; then
 * by name. */
static int entry_compare(const void *pa, const void *pb) {
    const il_report_entry *a = pa;
    const il_report_entry *b = pb;
    const int keys[] = {place_compare(a->rank, b->rank),
                        (a->section[0] == '\0') - (b->section[0] == '\0'),
                        strcmp(a->section, b->section),
                        place_compare(a->order, b->order),
                        b->table - a->table,
                        strcmp(a->name, b->name)};
    int found = 0;
    for (size_t k = 0; found == 0 && k < sizeof keys / sizeof *keys; k++) {
        found = keys[k];
    }
    return found;
}

/* Scripts may give one section different ranks, or one a rank and others none: the first holds. */
static void sections_rank(il_report *r) {
    for (size_t k = 0; k < r->n; k++) {
        for (size_t i = 0; i < r->n; i++) {
            il_report_entry *e = &r->entries[k];
            if (strcmp(r->entries[i].section, e->section) == 0 &&
                place_compare(r->entries[i].rank, e->rank) < 0) {
                e->rank = r->entries[i].rank;
            }
        }
    }
}

static il_status collect(il_report *r, il_error *err) {
    struct stat info;
    if (stat(r->results, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return il_fail(err, IL_EIO, "there is no results folder '%s'", r->results);
    }
    if (strlen(r->results) > PATH_MAX / 2 || strlen(r->out) > PATH_MAX / 2) {
        return il_fail(err, IL_EINVAL, "the path of the results or of the report is too long");
    }
    il_status status = folder_read(r, FIGURES, err);
    if (status == IL_OK) {
        status = folder_read(r, TABLES, err);
    }
    size_t known = r->nscripts + json_array_size(r->journals) + json_array_size(r->troubles);
    if (status == IL_OK && r->n == 0 && known == 0) {
        status = il_fail(err, IL_EINVAL,
                         "'%s' holds no figures and no tables yet; run `make report` or `impactlab "
                         "sweep scripts/paper.lua` first",
                         r->results);
    }
    if (status == IL_OK && r->n > 0) {
        sections_rank(r);
        qsort(r->entries, r->n, sizeof *r->entries, entry_compare);
    }
    return status;
}

/* ---- copying -------------------------------------------------------------------------------- */

/* File k, if it is as it was written by what the manifest knows of it. */
static il_status copy_file(const il_report *r, const il_report_entry *e, size_t k, il_error *err) {
    char sum[IL_SEALED_SUM];
    char from[PATH_MAX];
    char to[PATH_MAX];
    char *bytes = NULL;
    size_t n = 0;
    il_file file = {0};
    const char *name = json_string_value(json_array_get(json_object_get(e->root, "files"), k));
    const char *known = json_string_value(json_array_get(json_object_get(e->root, "sums"), k));
    (void)path_of(from, r->results, il_report_folder(e), name);
    (void)path_of(to, r->out, il_report_folder(e), name);
    il_status status = il_file_load(from, &bytes, &n, err);
    if (status == IL_OK && bytes == NULL) {
        status = il_fail(err, IL_EIO, "cannot read '%s': %s", from, strerror(ENOENT));
    }
    if (status == IL_OK && known != NULL) {
        il_sealed_sum(bytes, n, sum);
        status = strcmp(sum, known) == 0
                     ? IL_OK
                     : il_fail(err, IL_EINVAL,
                               "'%s' is not what was written: its checksum is not that in the "
                               "manifest beside it; draw it again",
                               from);
    }
    if (status == IL_OK && !il_file_same(from, to)) { /* a report may lie in the results folder */
        status = il_file_open(&file, to, err);
        if (status == IL_OK) {
            file.passing = true; /* `report` makes it again */
            (void)fwrite(bytes, 1, n, file.stream);
            status = il_file_commit(&file, err);
        }
    }
    free(bytes);
    return status;
}

static il_status copy_entry(const il_report *r, const il_report_entry *e, il_error *err) {
    il_status status = IL_OK;
    size_t n = json_array_size(json_object_get(e->root, "files"));
    for (size_t k = 0; status == IL_OK && k < n; k++) {
        status = copy_file(r, e, k, err);
    }
    return status;
}

static void tell(const il_report_entry *e, size_t k, size_t n, il_progress *progress) {
    char what[96];
    if (progress != NULL && il_progress_due(progress)) {
        (void)snprintf(what, sizeof what, "%zu of %zu figures and tables", k, n);
        il_progress_show(progress, (double)k / (double)n, (double)NAN, what, e->name);
    }
}

/* Copy what can be read and shown, in its order; tell of the rest. */
static il_status copy_entries(il_report *r, il_progress *progress, il_error *err) {
    size_t kept = 0;
    il_status status = il_folder_make(r->out, err);
    for (int k = 0; status == IL_OK && k < NFOLDERS; k++) {
        status = il_folder_make_inside(r->out, FOLDERS[k], err);
    }
    for (size_t k = 0; k < r->n; k++) {
        il_report_entry *e = &r->entries[k];
        il_error why = {IL_OK, ""};
        tell(e, k, r->n, progress);
        il_status shown = status == IL_OK ? copy_entry(r, e, &why) : status;
        if (shown == IL_OK) {
            r->tables += e->table;
            r->entries[kept++] = *e;
            e = &r->entries[kept - 1];
            e->number = e->table ? r->tables : kept - r->tables;
            (void)snprintf(e->anchor, sizeof e->anchor, "%s-%zu", e->table ? "table" : "figure",
                           e->number);
            continue;
        }
        if (status == IL_OK) {
            status = shown == IL_ENOMEM ? no_memory(err) : trouble_add(r, why.message, err);
        }
        json_decref(e->root);
    }
    r->n = kept;
    return status;
}

/* ---- the way through ------------------------------------------------------------------------ */

static il_status page_write(const il_report *r, il_error *err) {
    char path[PATH_MAX];
    il_file file = {0};
    il_status status = il_file_open(&file, path_of(path, r->out, ".", "index.html"), err);
    if (status == IL_OK) {
        file.passing = true;
        il_report_put_page(file.stream, r);
        status = il_file_commit(&file, err);
    }
    return status;
}

il_status il_report_write(const char *results, const char *out, const char *const *scripts,
                          size_t nscripts, il_report_summary *summary, const char *manual,
                          il_progress *progress, il_error *err) {
    il_report r = {.results = results,
                   .out = out,
                   .scripts = scripts,
                   .nscripts = nscripts,
                   .manual = manual,
                   .troubles = json_array()};
    r.journals = il_journal_all(results, r.troubles);
    r.claims = read_claims(results);
    il_status status = r.journals != NULL && r.troubles != NULL ? collect(&r, err) : no_memory(err);
    if (status == IL_OK) {
        status = copy_entries(&r, progress, err);
    }
    if (status == IL_OK) {
        status = page_write(&r, err);
    }
    if (status == IL_OK && summary != NULL) {
        il_report_count_outcomes(&r, summary);
        summary->figures = r.n - r.tables;
        summary->tables = r.tables;
    }
    for (size_t k = 0; k < r.n; k++) {
        json_decref(r.entries[k].root);
    }
    free(r.entries);
    json_decref(r.journals);
    json_decref(r.claims);
    json_decref(r.troubles);
    return status;
}
