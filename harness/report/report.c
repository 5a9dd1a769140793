/*
 * report.c - collects stored figures and tables, copies them, and has page.lua make one HTML page.
 */
#include "harness/report/report.h"

#include <dirent.h>
#include <errno.h>
#include <lauxlib.h>
#include <limits.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "build_id.h"
#include "harness/base/date.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/io/scratch.h"
#include "harness/io/sealed.h"
#include "harness/io/store/journal.h"
#include "harness/lua/base/record.h"
#include "harness/report/shapes.h"
#include "page.inc"

static const char *const FOLDERS[] = {"figures", "tables"};
enum { FIGURES, TABLES, NFOLDERS };

enum { HEAVY_SVG = 1 << 21 }; /* bytes; above this the page shows the PNG, so that it scrolls */

/* A figure or a table that was stored. */
typedef struct {
    bool table;
    json_t *root; /* the manifest, whose "files" are names of files beside it; owned */
} entry;

typedef struct {
    const char *results, *out; /* folders */
    size_t n;
    size_t tables;       /* of the n entries */
    entry *entries;      /* [n] */
    time_t newest;       /* of the manifests */
    json_t *journals;    /* of scripts (harness/io/store/journal.h); owned */
    json_t *claims;      /* rows of `verify --json`; owned */
    json_t *troubles;    /* sentences: what cannot be shown, and why; owned */
    size_t nscripts;     /* that are expected to have run */
    const json_t *about; /* what page.lua is told besides, or NULL */
} collection;

/* BASE/FOLDER/FILE in out; il_report_write has seen to it that base leaves room for the others. */
static const char *path_of(char out[PATH_MAX], const char *base, const char *folder,
                           const char *file) {
    (void)snprintf(out, PATH_MAX, "%s/%s/%s", base, folder, file);
    return out;
}

/* ---- finding -------------------------------------------------------------------------------- */

/* Takes root. */
static void entry_add(collection *r, bool table, json_t *root) {
    il_memory_append(&r->entries, r->n, sizeof *r->entries);
    r->entries[r->n++] = (entry){table, root};
}

/* The page tells of a thing that cannot be shown, and all else is shown. */
static void trouble_add(const collection *r, const char *what) {
    il_json_append(r->troubles, json_string(il_text_is_utf8(what) ? what : "a name is not UTF-8"));
}

static void manifest_read(collection *r, int folder, const char *file) {
    char path[PATH_MAX];
    struct stat info;
    json_t *root = NULL;
    il_error why = {IL_OK, ""};
    (void)path_of(path, r->results, FOLDERS[folder], file);
    il_status status = il_sealed_load(path, &root, &why);
    if (status == IL_OK && root != NULL) {
        status = il_report_manifest(file, folder == TABLES, root, &why);
    }
    if (status == IL_OK && root != NULL) {
        r->newest = stat(path, &info) == 0 && info.st_mtime > r->newest ? info.st_mtime : r->newest;
        entry_add(r, folder == TABLES, root);
        return;
    }
    json_decref(root);
    if (status != IL_OK) {
        char text[PATH_MAX + 400];
        (void)snprintf(text, sizeof text, "'%s': %.300s; draw it again", path, why.message);
        trouble_add(r, text);
    }
}

/* The claims that `verify --json` left beside the cases, if it did. */
static void read_claims(collection *r) {
    char path[PATH_MAX];
    char text[PATH_MAX + 400];
    json_t *root = NULL;
    il_error why = {IL_OK, ""};
    char *bytes = NULL;
    size_t n = 0;
    il_status status =
        il_file_load(path_of(path, r->results, ".", "verify.json"), &bytes, &n, &why);
    if (status == IL_OK && bytes != NULL) {
        status = il_json_parse(bytes, &root, &why);
    }
    json_t *claims = json_object_get(root, "claims");
    if (status == IL_OK && root != NULL && !il_report_are_claims(claims)) {
        status = il_fail(&why, IL_EINVAL, "it holds no list of claims with texts");
    }
    r->claims = status == IL_OK && root != NULL ? json_incref(claims) : json_array();
    json_decref(root);
    free(bytes);
    if (status != IL_OK) {
        (void)snprintf(text, sizeof text, "'%s': %.300s; claims are not shown: run `verify` again",
                       path, why.message);
        trouble_add(r, text);
    }
}

static int is_manifest(const struct dirent *item) {
    return item->d_name[0] != '.' && !il_scratch_is_name(item->d_name) &&
           il_text_ends_with(item->d_name, ".json");
}

/* Manifests in RESULTS/figures or RESULTS/tables. A folder that does not exist has none. */
static il_status folder_read(collection *r, int folder, il_error *err) {
    char path[PATH_MAX];
    struct stat info;
    struct dirent **items = NULL;
    (void)snprintf(path, sizeof path, "%s/%s", r->results, FOLDERS[folder]);
    if (lstat(path, &info) == 0 && S_ISLNK(info.st_mode)) {
        char text[PATH_MAX + 80];
        (void)snprintf(text, sizeof text,
                       "'%s' is a link to a folder, which a report does not follow", path);
        trouble_add(r, text);
        return IL_OK;
    }
    int n = scandir(path, &items, is_manifest, alphasort);
    if (n < 0) {
        return errno == ENOENT || errno == ENOTDIR
                   ? IL_OK
                   : il_fail(err, il_status_of_errno(errno), "cannot read the folder '%s': %s",
                             path, strerror(errno));
    }
    for (int k = 0; k < n; k++) {
        manifest_read(r, folder, items[k]->d_name);
        free(items[k]);
    }
    free(items);
    return IL_OK;
}

static il_status collect(collection *r, il_error *err) {
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
    if (status == IL_OK) {
        read_claims(r);
    }
    size_t known = r->nscripts + json_array_size(r->journals) + json_array_size(r->troubles);
    if (status == IL_OK && r->n == 0 && known == 0) {
        status = il_fail(err, IL_EINVAL,
                         "'%s' holds no figures and no tables yet; run `make report` or `impactlab "
                         "sweep scripts/paper.lua` first",
                         r->results);
    }
    return status;
}

/* ---- copying -------------------------------------------------------------------------------- */

/* File k, if it is as it was written by what the manifest knows of it. */
static il_status copy_file(const collection *r, const entry *e, size_t k, il_error *err) {
    char sum[IL_SEALED_SUM];
    char from[PATH_MAX];
    char to[PATH_MAX];
    char *bytes = NULL;
    size_t n = 0;
    il_file file = {0};
    const char *name = json_string_value(json_array_get(json_object_get(e->root, "files"), k));
    const char *known = json_string_value(json_array_get(json_object_get(e->root, "sums"), k));
    (void)path_of(from, r->results, FOLDERS[e->table], name);
    (void)path_of(to, r->out, FOLDERS[e->table], name);
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

static il_status copy_entry(const collection *r, const entry *e, il_error *err) {
    il_status status = IL_OK;
    size_t n = json_array_size(json_object_get(e->root, "files"));
    for (size_t k = 0; status == IL_OK && k < n; k++) {
        status = copy_file(r, e, k, err);
    }
    return status;
}

static void tell(const entry *e, size_t k, size_t n, il_progress *progress) {
    char what[96];
    if (progress != NULL && il_progress_due(progress)) {
        (void)snprintf(what, sizeof what, "%zu of %zu figures and tables", k, n);
        il_progress_show(progress, (double)k / (double)n, what,
                         json_string_value(json_object_get(e->root, "name")));
    }
}

/* Copy what can be read and shown; tell of the rest. */
static il_status copy_entries(collection *r, il_progress *progress, il_error *err) {
    size_t kept = 0;
    il_status status = il_folder_make(r->out, err);
    for (int k = 0; status == IL_OK && k < NFOLDERS; k++) {
        char path[PATH_MAX];
        status = il_folder_make_inside(r->out, FOLDERS[k], err);
        (void)snprintf(path, sizeof path, "%s/%s", r->out, FOLDERS[k]);
        il_scratch_clear(path, NULL); /* what reports that were killed left */
        il_scratch_clear_beside(path_of(path, r->out, ".", "index.html"));
    }
    for (size_t k = 0; k < r->n; k++) {
        entry *e = &r->entries[k];
        il_error why = {IL_OK, ""};
        tell(e, k, r->n, progress);
        il_status shown = status == IL_OK ? copy_entry(r, e, &why) : status;
        if (shown == IL_OK) {
            r->tables += e->table;
            r->entries[kept++] = *e;
            continue;
        }
        if (status == IL_OK) {
            trouble_add(r, why.message);
        }
        json_decref(e->root);
    }
    r->n = kept;
    return status;
}

/* ---- the page ------------------------------------------------------------------------------- */

/* The first of the entry's files that ends in suffix; NULL if there is none. */
static const char *file_of(const entry *e, const char *suffix) {
    const json_t *files = json_object_get(e->root, "files");
    for (size_t k = 0; k < json_array_size(files); k++) {
        const char *file = json_string_value(json_array_get(files, k));
        if (il_text_ends_with(file, suffix)) {
            return file;
        }
    }
    return NULL;
}

/* The SVG, sharp at every size, unless it is missing or so heavy that pages scroll badly; NULL
 * without a picture. */
static const char *picture_of(const collection *r, const entry *e) {
    const char *svg = file_of(e, ".svg");
    const char *png = file_of(e, ".png");
    char path[PATH_MAX];
    struct stat info;
    if (e->table || svg == NULL || png == NULL) {
        return e->table ? NULL : svg != NULL ? svg : png;
    }
    (void)path_of(path, r->results, FOLDERS[e->table], svg);
    return stat(path, &info) == 0 && info.st_size <= HEAVY_SVG ? svg : png;
}

static json_t *entries_json(const collection *r) {
    json_t *all = json_array();
    for (size_t k = 0; k < r->n; k++) {
        const entry *e = &r->entries[k];
        json_t *one = json_object();
        il_json_set(one, "table", json_boolean(e->table));
        il_json_put_text(one, "folder", FOLDERS[e->table]);
        il_json_put_text(one, "picture", picture_of(r, e));
        il_json_set(one, "root", json_incref(e->root));
        il_json_append(all, one);
    }
    return all;
}

/* Their counts in order, which a table of Lua's has not. */
static void add_tallies(json_t *journals) {
    size_t k = 0;
    json_t *journal = NULL;
    json_array_foreach(journals, k, journal) {
        const char *what = NULL;
        json_t *pair = NULL;
        json_t *tally = json_array();
        json_object_foreach(json_object_get(journal, "counts"), what, pair) {
            il_json_append(tally, json_pack("[s, O, O]", what, json_array_get(pair, 0),
                                            json_array_get(pair, 1)));
        }
        il_json_set(journal, "tally", tally);
    }
}

/* The object that page.lua is given. */
static json_t *page_data(const collection *r, const char *const *scripts) {
    char date[IL_DATE] = "";
    json_t *data = json_object();
    json_t *expected = json_array();
    if (r->n > 0) {
        il_date_utc(r->newest, date);
    }
    for (size_t k = 0; k < r->nscripts; k++) {
        il_json_append(expected, il_json_text_new(scripts[k]));
    }
    add_tallies(r->journals);
    il_json_set(data, "entries", entries_json(r));
    il_json_set(data, "journals", json_incref(r->journals));
    il_json_set(data, "claims", json_incref(r->claims));
    il_json_set(data, "troubles", json_incref(r->troubles));
    il_json_set(data, "scripts", expected);
    if (r->about != NULL) {
        il_json_merge(data, r->about);
    }
    il_json_put_text(data, "results", r->results);
    il_json_put_text(data, "date", date);
    il_json_put_text(data, "version", IL_VERSION);
    il_json_put_text(data, "build", IL_BUILD_ID);
    il_json_put_text(data, "sum", PAGE_JS_SHA256);
    return data;
}

static void push_lines(lua_State *L, const char *const *lines) {
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (; *lines != NULL; lines++) {
        luaL_addstring(&text, *lines);
    }
    luaL_pushresult(&text);
}

static void push_chunk(lua_State *L, const char *const *lines, const char *name) {
    size_t n = 0;
    push_lines(L, lines);
    const char *text = lua_tolstring(L, -1, &n);
    if (luaL_loadbufferx(L, text, n, name, "t") != LUA_OK) {
        (void)lua_error(L);
    }
    lua_remove(L, -2);
}

typedef struct {
    const json_t *data;
    FILE *out;
    il_report_summary *summary;
} page;

static size_t count_of(lua_State *L, const char *key) {
    lua_getfield(L, -1, key);
    size_t n = (size_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return n;
}

/* Under pcall: the page and the summary that page.lua makes of the data. */
static int make_page(lua_State *L) {
    const page *p = lua_touserdata(L, 1);
    size_t n = 0;
    luaL_openlibs(L);
    push_chunk(L, PAGE_LUA, "=page.lua");
    il_lua_push_json(L, p->data);
    push_lines(L, PAGE_CSS);
    lua_setfield(L, -2, "css");
    push_lines(L, PAGE_JS);
    lua_setfield(L, -2, "js");
    push_chunk(L, PAGE_NAMES, "=page_names.lua");
    lua_call(L, 0, 1);
    lua_call(L, 2, 2);
    p->summary->scripts = count_of(L, "scripts");
    p->summary->failed = count_of(L, "failed");
    p->summary->missing = count_of(L, "missing");
    lua_getfield(L, -1, "line");
    (void)snprintf(p->summary->line, sizeof p->summary->line, "%s", lua_tostring(L, -1));
    const char *text = lua_tolstring(L, -3, &n);
    (void)fwrite(text, 1, n, p->out); /* what does not arrive is seen where the file is closed */
    return 0;
}

static il_status page_make(const page *p, il_error *err) {
    lua_State *L = luaL_newstate();
    if (L == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for Lua");
    }
    lua_pushcfunction(L, make_page);
    lua_pushlightuserdata(L, (void *)(uintptr_t)p);
    int code = lua_pcall(L, 1, 0, 0);
    il_status status =
        code == LUA_OK ? IL_OK
        : code == LUA_ERRMEM
            ? il_fail(err, IL_ENOMEM, "no memory for the report")
            : il_fail(err, IL_EINTERNAL, "the page of the report: %s", lua_tostring(L, -1));
    lua_close(L);
    return status;
}

static il_status page_write(const collection *r, const char *const *scripts,
                            il_report_summary *summary, il_error *err) {
    char path[PATH_MAX];
    il_file file = {0};
    json_t *data = page_data(r, scripts);
    il_status status = il_file_open(&file, path_of(path, r->out, ".", "index.html"), err);
    if (status == IL_OK) {
        file.passing = true;
        status = page_make(&(page){data, file.stream, summary}, err);
    }
    if (status == IL_OK) {
        status = il_file_commit(&file, err);
    }
    il_file_abandon(&file);
    json_decref(data);
    return status;
}

il_status il_report_write(const char *results, const char *out, const char *const *scripts,
                          size_t nscripts, il_report_summary *summary, const json_t *about,
                          il_progress *progress, il_error *err) {
    il_report_summary own = {.figures = 0};
    collection r = {.results = results,
                    .out = out,
                    .nscripts = nscripts,
                    .about = about,
                    .troubles = json_array()};
    summary = summary != NULL ? summary : &own;
    r.journals = il_journal_all(results, r.troubles);
    il_status status = collect(&r, err);
    if (status == IL_OK) {
        status = copy_entries(&r, progress, err);
    }
    if (status == IL_OK) {
        status = page_write(&r, scripts, summary, err);
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
