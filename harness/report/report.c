/*
 * report.c - collecting what was stored, copying it, and one HTML page over it (report_html.c).
 */
#include "harness/report/report.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
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
#include "harness/report/report_html.h"
#include "harness/report/report_outcome.h"
#include "harness/report/report_table.h"

static il_status no_memory(il_error *err) {
    return il_fail(err, IL_ENOMEM, "no memory for the report");
}

/* What `verify --json` left beside the cases; NULL where it did not. */
static json_t *read_claims(const char *results) {
    char *path = NULL;
    if (asprintf(&path, "%s/verify.json", results) < 0) {
        return NULL;
    }
    json_t *root = NULL;
    il_error none = {IL_OK, ""}; /* another program's, or one that was cut off: not shown */
    json_t *claims = il_json_load(path, &root, &none) == IL_OK
                         ? json_incref(json_object_get(root, "claims"))
                         : NULL;
    json_decref(root);
    free(path);
    return claims;
}

/* ---- finding -------------------------------------------------------------------------------- */

static bool manifest_whole(const json_t *root) {
    const json_t *files = json_object_get(root, "files");
    size_t n = json_array_size(files);
    for (size_t k = 0; k < n; k++) {
        if (!il_text_is_file_name(json_string_value(json_array_get(files, k)))) {
            return false;
        }
    }
    return n > 0 && il_text_is_file_name(json_string_value(json_object_get(root, "name"))) &&
           json_is_string(json_object_get(root, "caption"));
}

static void entry_fill(il_report_entry *e) {
    const json_t *section = json_object_get(e->root, "section");
    e->table = strcmp(json_string_value(json_object_get(e->root, "kind")), "table") == 0;
    e->name = json_string_value(json_object_get(e->root, "name"));
    e->caption = json_string_value(json_object_get(e->root, "caption"));
    e->order = json_integer_value(json_object_get(e->root, "order"));
    e->section = il_json_get_text(section, "title");
    e->rank = json_integer_value(json_object_get(section, "order"));
}

/* Takes root. */
static il_status entry_add(il_report *r, const char *folder, json_t *root, il_error *err) {
    if (r->n == r->capacity) {
        size_t capacity = 2 * r->capacity + 16;
        if (!il_memory_grow(&r->entries, capacity, sizeof *r->entries)) {
            json_decref(root);
            return no_memory(err);
        }
        r->capacity = capacity;
    }
    il_report_entry *e = &r->entries[r->n];
    *e = (il_report_entry){.root = root, .folder = strdup(folder)};
    r->n++;
    entry_fill(e);
    return e->folder == NULL ? no_memory(err) : IL_OK;
}

/* What cannot be shown is told on the page, and all else is shown. */
static il_status trouble_add(il_report *r, const char *what, il_error *err) {
    json_t *text = il_text_is_utf8(what) ? json_string(what) : json_string("a name is not UTF-8");
    il_json w = {false};
    il_json_append(&w, r->troubles, text);
    return w.failed ? no_memory(err) : IL_OK;
}

/* Is an unsealed file somebody else's JSON? Whatever may once have been a manifest is not. */
static il_status foreign(const char *path, bool *is, il_error *err) {
    json_t *root = NULL;
    struct stat info;
    *is = false;
    if (lstat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
        il_text_ends_with(path, ".table.json")) {
        return IL_OK;
    }
    il_status status = il_json_load(path, &root, NULL) == IL_ENOMEM ? no_memory(err) : IL_OK;
    const char *kind = json_string_value(json_object_get(root, "kind"));
    *is = root != NULL && json_object_get(root, "sha256") == NULL &&
          (kind == NULL || (strcmp(kind, "figure") != 0 && strcmp(kind, "table") != 0));
    json_decref(root);
    return status;
}

/* A manifest of a figure or table by the name of file, or what is missing. */
static il_status manifest_judge(const char *file, const json_t *root, il_error *why) {
    const char *kind = json_string_value(json_object_get(root, "kind"));
    bool table = kind != NULL && strcmp(kind, "table") == 0;
    if ((!table && (kind == NULL || strcmp(kind, "figure") != 0)) || !manifest_whole(root)) {
        return il_fail(why, IL_EINVAL, "its name, caption or files are missing or not allowed");
    }
    const char *name = json_string_value(json_object_get(root, "name"));
    size_t n = strlen(name);
    return strncmp(file, name, n) == 0 && strcmp(file + n, table ? ".table.json" : ".json") == 0
               ? IL_OK
               : il_fail(why, IL_EINVAL, "it is that of '%s'", name);
}

/* Look at one JSON file; what is no manifest of ours is somebody else's and is left alone. */
static il_status manifest_read(il_report *r, const char *folder, const char *file, il_error *err) {
    char *path = NULL;
    struct stat info;
    il_error why = {IL_OK, ""};
    bool other = false;
    if (asprintf(&path, "%s/%s/%s", r->results, folder, file) < 0) {
        return no_memory(err);
    }
    json_t *root = NULL;
    il_status status = il_sealed_load(path, &root, &why);
    if (status == IL_EINVAL && foreign(path, &other, err) != IL_OK) {
        status = IL_ENOMEM;
    }
    if (status == IL_OK && root != NULL) {
        status = manifest_judge(file, root, &why);
    }
    if (status == IL_ENOMEM) {
        (void)no_memory(err);
    } else if (status != IL_OK) {
        char *text = NULL;
        if (asprintf(&text, "'%s': %.300s; draw it again", path, why.message) < 0) {
            status = no_memory(err);
        } else {
            status = other ? IL_OK : trouble_add(r, text, err);
            free(text);
        }
    } else if (root != NULL) {
        r->newest = stat(path, &info) == 0 && info.st_mtime > r->newest ? info.st_mtime : r->newest;
        status = entry_add(r, folder, json_incref(root), err);
    }
    json_decref(root);
    free(path);
    return status;
}

/* Manifests in RESULTS/folder, and one level deeper when `deeper`. A folder that does not exist has
 * none. The order of reading is of no account: entries are sorted afterwards. */
static il_status folder_read(il_report *r, const char *folder, bool deeper, il_error *err) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s", r->results, folder) < 0) {
        return no_memory(err);
    }
    il_status status = IL_OK;
    struct stat info;
    bool link = lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
    if (link && stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        il_error why = {IL_OK, ""};
        (void)il_fail(&why, IL_EINVAL, "'%s' is a link to a folder, which a report does not follow",
                      path);
        status = trouble_add(r, why.message, err);
    }
    DIR *dir = link ? NULL : opendir(path);
    if (!link && dir == NULL && errno != ENOENT && errno != ENOTDIR) {
        status = il_fail(err, il_status_of_errno(errno), "cannot read the folder '%s': %s", path,
                         strerror(errno));
    }
    free(path);
    struct dirent *item = NULL;
    while (status == IL_OK && dir != NULL && (item = readdir(dir)) != NULL) {
        char *inner = NULL;
        if (item->d_name[0] == '.' || il_scratch_is_name(item->d_name)) {
            continue; /* as the scratch folder of a figure that is being drawn */
        }
        if (il_text_ends_with(item->d_name, ".json")) {
            status = manifest_read(r, folder, item->d_name, err);
        } else if (deeper && asprintf(&inner, "%s/%s", folder, item->d_name) < 0) {
            status = no_memory(err);
        } else if (deeper) {
            status = folder_read(r, inner, false, err);
            free(inner);
        }
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
    return status;
}

/* An order given comes before none. */
static int place_compare(json_int_t a, json_int_t b) {
    return a == b ? 0 : a != 0 && (b == 0 || a < b) ? -1 : 1;
}

/* Section by section; there by order, tables, which sum up, before figures of the same order; then
 * by name, then by folder. */
static int entry_compare(const void *pa, const void *pb) {
    const il_report_entry *a = pa;
    const il_report_entry *b = pb;
    const int keys[] = {place_compare(a->rank, b->rank),
                        (a->section[0] == '\0') - (b->section[0] == '\0'),
                        strcmp(a->section, b->section),
                        place_compare(a->order, b->order),
                        b->table - a->table,
                        strcmp(a->name, b->name),
                        strcmp(a->folder, b->folder)};
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
    il_status status = folder_read(r, "figures", true, err);
    if (status == IL_OK) {
        status = folder_read(r, "tables", true, err);
    }
    size_t known = r->nscripts + json_array_size(r->journals) + json_array_size(r->troubles);
    if (status == IL_OK && r->n == 0 && known == 0) {
        status = il_fail(err, IL_EINVAL,
                         "'%s' holds no figures and no tables yet; run `make report` or `impactlab "
                         "sweep scripts/paper.lua` first",
                         r->results);
    }
    if (status != IL_OK || r->n == 0) {
        return status;
    }
    sections_rank(r);
    qsort(r->entries, r->n, sizeof *r->entries, entry_compare);
    return IL_OK;
}

/* ---- copying -------------------------------------------------------------------------------- */

static il_status copy_stream(FILE *in, const char *from, il_file *to, il_error *err) {
    char buffer[1 << 14];
    size_t got = 0;
    while ((got = fread(buffer, 1, sizeof buffer, in)) > 0) {
        if (fwrite(buffer, 1, got, to->stream) != got) {
            break; /* il_file_commit will say so */
        }
    }
    if (ferror(in)) {
        il_file_abandon(to);
        return il_fail(err, IL_EIO, "cannot read '%s'", from);
    }
    return il_file_commit(to, err);
}

static il_status copy_path(const char *from, const char *to, il_error *err) {
    struct stat a;
    struct stat b;
    il_file target = {0};
    il_error why = {IL_OK, ""};
    FILE *in = il_file_read(from, &why);
    if (in == NULL) {
        return il_fail(err, why.code, "%s; a manifest beside it names it", why.message);
    }
    if (fstat(fileno(in), &a) != 0) {
        (void)fclose(in);
        return il_fail(err, IL_EIO, "cannot read '%s': %s", from, strerror(errno));
    }
    il_status status = IL_OK;
    bool same = stat(to, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    if (!same) { /* else the report is being written into the results folder itself */
        status = il_file_open(&target, to, err);
        if (status == IL_OK) {
            target.passing = true; /* `report` makes it again */
            status = copy_stream(in, from, &target, err);
        }
    }
    (void)fclose(in);
    return status;
}

/* File k as it was written, by what the manifest knows of it; older ones know nothing. */
static il_status check_file(const il_report *r, const il_report_entry *e, size_t k, il_error *err) {
    char sum[IL_SEALED_SUM];
    const char *name = json_string_value(json_array_get(json_object_get(e->root, "files"), k));
    const char *known = json_string_value(json_array_get(json_object_get(e->root, "sums"), k));
    if (known == NULL) {
        return IL_OK;
    }
    char *path = il_report_path(r->results, e, name);
    il_error why = {IL_OK, ""};
    il_status status = path == NULL ? no_memory(err) : il_sealed_sum_file(path, sum, &why);
    if (path != NULL && status != IL_OK) {
        status = il_fail(err, status, "%s; a manifest beside it names it", why.message);
    } else if (status == IL_OK && strcmp(sum, known) != 0) {
        status = il_fail(err, IL_EINVAL,
                         "'%s' is not what was written: its checksum is not that in the manifest "
                         "beside it; draw it again",
                         path);
    }
    free(path);
    return status;
}

static il_status check_files(const il_report *r, const il_report_entry *e, il_error *err) {
    il_status status = IL_OK;
    size_t n = json_array_size(json_object_get(e->root, "files"));
    for (size_t k = 0; status == IL_OK && k < n; k++) {
        status = check_file(r, e, k, err);
    }
    return status;
}

static il_status copy_file(const il_report *r, const il_report_entry *e, const char *name,
                           il_error *err) {
    char *from = il_report_path(r->results, e, name);
    char *to = il_report_path(r->out, e, name);
    il_status status = from == NULL || to == NULL ? no_memory(err) : copy_path(from, to, err);
    free(from);
    free(to);
    return status;
}

static il_status copy_entry(const il_report *r, const il_report_entry *e, il_error *err) {
    const json_t *files = json_object_get(e->root, "files");
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && k < json_array_size(files); k++) {
        status = copy_file(r, e, json_string_value(json_array_get(files, k)), err);
    }
    return status;
}

/* All that will be written into, before anything is. */
static il_status folders_make(const il_report *r, il_error *err) {
    il_status status = il_folder_make(r->out, err);
    for (size_t k = 0; status == IL_OK && k < r->n; k++) {
        status = il_folder_make_inside(r->out, r->entries[k].folder, err);
    }
    return status;
}

static void entry_destroy(il_report_entry *e) {
    json_decref(e->root);
    free(e->folder);
}

static void tell(const il_report_entry *e, size_t k, size_t n, il_progress *progress) {
    char what[96];
    if (progress != NULL && il_progress_due(progress)) {
        (void)snprintf(what, sizeof what, "%zu of %zu figures and tables", k, n);
        il_progress_show(progress, (double)k / (double)n, (double)NAN, what, e->name);
    }
}

/* Its files, checked and copied. */
static il_status show(il_report *r, il_report_entry *e, il_error *err) {
    il_status status = check_files(r, e, err);
    if (status == IL_OK && e->table) {
        status = il_report_check_cells(r, e, err);
    }
    return status == IL_OK ? copy_entry(r, e, err) : status;
}

/* A sweep beside us may be drawing it again: its files are new, its manifest is not yet. */
static void read_again(const il_report *r, il_report_entry *e) {
    const struct timespec nap = {.tv_nsec = 50000000};
    char *path = NULL;
    json_t *root = NULL;
    (void)nanosleep(&nap, NULL);
    if (asprintf(&path, "%s/%s/%s.%s", r->results, e->folder, e->name,
                 e->table ? "table.json" : "json") < 0) {
        return;
    }
    const char *file = strrchr(path, '/') + 1;
    if (il_sealed_load(path, &root, NULL) == IL_OK && root != NULL &&
        manifest_judge(file, root, NULL) == IL_OK) {
        json_decref(e->root);
        e->root = json_incref(root);
        entry_fill(e);
    }
    json_decref(root);
    free(path);
}

/* Copy what can be read and shown, in its order; tell of the rest. Between the files of a figure
 * and its manifest lie milliseconds: four looks in 0.2 s are enough. */
static il_status copy_entries(il_report *r, il_progress *progress, il_error *err) {
    size_t kept = 0;
    size_t n = r->n;
    il_status status = IL_OK;
    r->tables = 0;
    for (size_t k = 0; k < n; k++) {
        il_report_entry *e = &r->entries[k];
        il_error why = {IL_OK, ""};
        tell(e, k, n, progress);
        il_status shown = show(r, e, &why);
        for (int tries = 0; shown != IL_OK && shown != IL_ENOMEM && tries < 4; tries++) {
            read_again(r, e);
            shown = show(r, e, &why);
        }
        if (shown == IL_OK) {
            r->tables += e->table;
            r->entries[kept++] = *e;
            r->entries[kept - 1].number = e->table ? r->tables : kept - r->tables;
        } else {
            if (status == IL_OK) {
                status = shown == IL_ENOMEM ? no_memory(err) : trouble_add(r, why.message, err);
            }
            entry_destroy(e);
        }
    }
    r->n = kept;
    return status;
}

/* ---- the way through ------------------------------------------------------------------------ */

static il_status page_write(const il_report *r, il_error *err) {
    char *path = NULL;
    il_file file = {0};
    if (asprintf(&path, "%s/index.html", r->out) < 0) {
        return no_memory(err);
    }
    il_status status = il_file_open(&file, path, err);
    free(path);
    if (status == IL_OK) {
        file.passing = true;
        status = il_report_put_page(file.stream, r, err);
        if (status == IL_OK) {
            status = il_file_commit(&file, err);
        } else {
            il_file_abandon(&file);
        }
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
                   .journals = NULL,
                   .troubles = json_array()};
    r.journals = il_journal_all(results, r.troubles);
    r.claims = read_claims(results);
    il_status status = r.journals != NULL && r.troubles != NULL ? collect(&r, err) : no_memory(err);
    if (status == IL_OK) {
        status = folders_make(&r, err);
    }
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
        entry_destroy(&r.entries[k]);
    }
    free(r.entries);
    json_decref(r.journals);
    json_decref(r.claims);
    json_decref(r.troubles);
    return status;
}
