/*
 * report.c - figures and tables on one HTML page without outside resources.
 */
#include "harness/report.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "build_id.h"
#include "harness/base/text.h"
#include "harness/file.h"

enum { HEAVY_SVG = 1 << 20 }; /* bytes; above this the page shows the PNG */

typedef struct {
    bool table;
    char *folder; /* where the manifest lies, from the results folder on: "figures/sub" */
    json_t *root; /* the manifest */
    const char *name, *caption;
    json_int_t order;
} entry;

typedef struct {
    const char *results, *out;
    size_t n, capacity;
    entry *entries;
    time_t newest; /* of the manifests */
} collection;

/* ---- finding -------------------------------------------------------------------------------- */

static il_status no_memory(il_error *err) {
    return il_fail(err, IL_ENOMEM, "no memory for the report");
}

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text);
    size_t m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* A file name that stays in its folder. */
static bool file_name_allowed(const char *name) {
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    return name != NULL && name[0] != '\0' && name[0] != '.' &&
           strspn(name, allowed) == strlen(name);
}

static bool manifest_whole(const json_t *root) {
    const json_t *files = json_object_get(root, "files");
    size_t n = json_array_size(files);
    for (size_t k = 0; k < n; k++) {
        if (!file_name_allowed(json_string_value(json_array_get(files, k)))) {
            return false;
        }
    }
    return n > 0 && file_name_allowed(json_string_value(json_object_get(root, "name"))) &&
           json_is_string(json_object_get(root, "caption"));
}

/* Takes root. */
static il_status entry_add(collection *c, const char *folder, json_t *root, il_error *err) {
    if (c->n == c->capacity) {
        size_t capacity = 2 * c->capacity + 16;
        entry *grown = realloc(c->entries, capacity * sizeof *grown);
        if (grown == NULL) {
            json_decref(root);
            return no_memory(err);
        }
        c->entries = grown;
        c->capacity = capacity;
    }
    entry *e = &c->entries[c->n];
    *e = (entry){.root = root, .folder = strdup(folder)};
    c->n++;
    e->table = strcmp(json_string_value(json_object_get(root, "kind")), "table") == 0;
    e->name = json_string_value(json_object_get(root, "name"));
    e->caption = json_string_value(json_object_get(root, "caption"));
    e->order = json_integer_value(json_object_get(root, "order"));
    return e->folder == NULL ? no_memory(err) : IL_OK;
}

/* Look at one JSON file; what is no manifest of ours is somebody else's and is left alone. */
static il_status manifest_read(collection *c, const char *folder, const char *file, il_error *err) {
    char *path = NULL;
    struct stat info;
    if (asprintf(&path, "%s/%s/%s", c->results, folder, file) < 0) {
        return no_memory(err);
    }
    il_status status = IL_OK;
    json_t *root = json_load_file(path, 0, NULL);
    const char *kind = json_string_value(json_object_get(root, "kind"));
    if (kind == NULL || (strcmp(kind, "figure") != 0 && strcmp(kind, "table") != 0)) {
        json_decref(root);
    } else if (!manifest_whole(root) || stat(path, &info) != 0) {
        status = il_fail(err, IL_EINVAL,
                         "'%s' says that it describes a %s, but its name, caption or files are "
                         "missing or not allowed; draw it again",
                         path, kind);
        json_decref(root);
    } else {
        c->newest = info.st_mtime > c->newest ? info.st_mtime : c->newest;
        status = entry_add(c, folder, root, err);
    }
    free(path);
    return status;
}

/* Manifests in RESULTS/folder, and one level deeper when `deeper`. A folder that does not exist has
 * none. The order of reading is of no account: entries are sorted afterwards. */
static il_status folder_read(collection *c, const char *folder, bool deeper, il_error *err) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s", c->results, folder) < 0) {
        return no_memory(err);
    }
    il_status status = IL_OK;
    DIR *dir = opendir(path);
    if (dir == NULL && errno != ENOENT && errno != ENOTDIR) {
        status = il_fail(err, IL_EIO, "cannot read the folder '%s': %s", path, strerror(errno));
    }
    free(path);
    struct dirent *item = NULL;
    while (status == IL_OK && dir != NULL && (item = readdir(dir)) != NULL) {
        char *inner = NULL;
        if (item->d_name[0] == '.') {
            continue; /* also the scratch folders of a figure that is being drawn */
        }
        if (ends_with(item->d_name, ".json")) {
            status = manifest_read(c, folder, item->d_name, err);
        } else if (deeper && asprintf(&inner, "%s/%s", folder, item->d_name) < 0) {
            status = no_memory(err);
        } else if (deeper) {
            status = folder_read(c, inner, false, err);
            free(inner);
        }
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
    return status;
}

/* Figures before tables; an order given comes before none; then by name, then by folder. */
static int entry_compare(const void *pa, const void *pb) {
    const entry *a = pa;
    const entry *b = pb;
    if (a->table != b->table) {
        return a->table ? 1 : -1;
    }
    if (a->order != b->order) {
        bool first = a->order != 0 && (b->order == 0 || a->order < b->order);
        return first ? -1 : 1;
    }
    int by_name = strcmp(a->name, b->name);
    return by_name != 0 ? by_name : strcmp(a->folder, b->folder);
}

static il_status collect(collection *c, il_error *err) {
    struct stat info;
    if (stat(c->results, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return il_fail(err, IL_EIO, "there is no results folder '%s'", c->results);
    }
    il_status status = folder_read(c, "figures", true, err);
    if (status == IL_OK) {
        status = folder_read(c, "tables", true, err);
    }
    if (status == IL_OK && c->n == 0) {
        status = il_fail(err, IL_EINVAL,
                         "'%s' holds no figures and no tables yet; run `make report` or `impactlab "
                         "sweep scripts/paper.lua` first",
                         c->results);
    }
    if (status == IL_OK) {
        qsort(c->entries, c->n, sizeof *c->entries, entry_compare);
    }
    return status;
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
    FILE *in = fopen(from, "rb");
    if (in == NULL || fstat(fileno(in), &a) != 0 || !S_ISREG(a.st_mode)) {
        il_status failed =
            il_fail(err, IL_EIO, "cannot read '%s', which a manifest beside it names: %s", from,
                    in == NULL ? strerror(errno) : "it is not a file");
        if (in != NULL) {
            (void)fclose(in);
        }
        return failed;
    }
    il_status status = IL_OK;
    bool same = stat(to, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    if (!same) { /* else the report is being written into the results folder itself */
        status = il_file_open(&target, to, err);
        if (status == IL_OK) {
            status = copy_stream(in, from, &target, err);
        }
    }
    (void)fclose(in);
    return status;
}

static il_status copy_file(const collection *c, const entry *e, const char *name, il_error *err) {
    char *from = NULL;
    char *to = NULL;
    il_status status = IL_OK;
    if (asprintf(&from, "%s/%s/%s", c->results, e->folder, name) < 0) {
        from = NULL;
    }
    if (asprintf(&to, "%s/%s/%s", c->out, e->folder, name) < 0) {
        to = NULL;
    }
    status = from == NULL || to == NULL ? no_memory(err) : copy_path(from, to, err);
    free(from);
    free(to);
    return status;
}

static il_status copy_entry(const collection *c, const entry *e, il_error *err) {
    const json_t *files = json_object_get(e->root, "files");
    char *folder = NULL;
    if (asprintf(&folder, "%s/%s", c->out, e->folder) < 0) {
        return no_memory(err);
    }
    il_status status = il_folder_make(folder, err);
    free(folder);
    for (size_t k = 0; status == IL_OK && k < json_array_size(files); k++) {
        status = copy_file(c, e, json_string_value(json_array_get(files, k)), err);
    }
    return status;
}

/* ---- HTML ----------------------------------------------------------------------------------- */

static void put_html(FILE *page, const char *text) {
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            (void)fputs("&amp;", page);
            break;
        case '<':
            (void)fputs("&lt;", page);
            break;
        case '>':
            (void)fputs("&gt;", page);
            break;
        case '"':
            (void)fputs("&quot;", page);
            break;
        case '\'':
            (void)fputs("&#39;", page);
            break;
        default:
            (void)fputc(*text, page);
        }
    }
}

/* A path within the report as a URL: folders may have any name, file names are tame. */
static void put_url(FILE *page, const entry *e, const char *file) {
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/";
    for (const char *c = e->folder; *c != '\0'; c++) {
        if (strchr(plain, *c) != NULL) {
            (void)fputc(*c, page);
        } else {
            (void)fprintf(page, "%%%02X", (unsigned)(unsigned char)*c);
        }
    }
    (void)fprintf(page, "/%s", file);
}

/* The first file of e that ends so; NULL if there is none. */
static const char *file_with(const entry *e, const char *suffix) {
    const json_t *files = json_object_get(e->root, "files");
    for (size_t k = 0; k < json_array_size(files); k++) {
        const char *file = json_string_value(json_array_get(files, k));
        if (ends_with(file, suffix)) {
            return file;
        }
    }
    return NULL;
}

static void put_links(FILE *page, const entry *e) {
    static const char *const what[][2] = {
        {".pdf", "PDF"},  {".svg", "SVG"},  {".png", "PNG"}, {".gp", "gnuplot script"},
        {".dat", "data"}, {".txt", "text"}, {".csv", "CSV"}, {".tex", "LaTeX"}};
    const char *glue = "<p class=\"files\">";
    for (size_t k = 0; k < sizeof what / sizeof *what; k++) {
        const char *file = file_with(e, what[k][0]);
        if (file != NULL) {
            (void)fprintf(page, "%s<a href=\"", glue);
            put_url(page, e, file);
            (void)fprintf(page, "\">%s</a>", what[k][1]);
            glue = " · ";
        }
    }
    (void)fputs(glue[0] == '<' ? "" : "</p>\n", page);
}

/* Text of a file of e, NUL-terminated, to be freed; NULL with err filled. */
static char *text_read(const collection *c, const entry *e, const char *file, il_error *err) {
    char *path = NULL;
    char *text = NULL;
    struct stat info;
    if (asprintf(&path, "%s/%s/%s", c->results, e->folder, file) < 0) {
        (void)no_memory(err);
        return NULL;
    }
    FILE *in = fopen(path, "rb");
    if (in == NULL || fstat(fileno(in), &info) != 0) {
        (void)il_fail(err, IL_EIO, "cannot read '%s': %s", path, strerror(errno));
    } else if ((text = malloc((size_t)info.st_size + 1)) == NULL) {
        (void)no_memory(err);
    } else {
        size_t got = fread(text, 1, (size_t)info.st_size, in);
        text[got] = '\0';
        if (got != (size_t)info.st_size) {
            (void)il_fail(err, IL_EIO, "cannot read '%s' to its end", path);
            free(text);
            text = NULL;
        }
    }
    if (in != NULL) {
        (void)fclose(in);
    }
    free(path);
    return text;
}

/* ---- tables from RFC 4180 ------------------------------------------------------------------- */

typedef struct {
    size_t rows, cells, capacity;
    size_t columns; /* of the first row */
    char **cell;    /* [cells], pointers into the text that was parsed */
} csv;

static bool csv_push(csv *t, char *cell) {
    if (t->cells == t->capacity) {
        size_t capacity = 2 * t->capacity + 64;
        char **grown = realloc(t->cell, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        t->cell = grown;
        t->capacity = capacity;
    }
    t->cell[t->cells++] = cell;
    return true;
}

/* Unquote the cell at *at in place, move *at behind its end, and say what ended it: ',' or '\n', or
 * '\0' for the end of the text. */
static char cell_end(char **at) {
    char *from = *at;
    char *to = *at;
    if (*from == '"') {
        for (from++; *from != '\0' && (*from != '"' || from[1] == '"'); from++) {
            from += *from == '"';
            *to++ = *from;
        }
        from += *from == '"';
    }
    while (*from != '\0' && *from != ',' && *from != '\n' && *from != '\r') {
        *to++ = *from++;
    }
    from += from[0] == '\r' && from[1] == '\n';
    char end = *from == '\r' ? '\n' : *from;
    *at = end == '\0' ? from : from + 1;
    *to = '\0';
    return end;
}

/* Cut text, which is changed, into rows of as many cells as the first row has. */
static il_status csv_parse(csv *t, char *text, const char *name, il_error *err) {
    size_t in_row = 0;
    while (*text != '\0') {
        char *start = text;
        char end = cell_end(&text);
        if (!csv_push(t, start)) {
            return no_memory(err);
        }
        in_row++;
        if (end == ',') {
            continue;
        }
        t->columns = t->rows == 0 ? in_row : t->columns;
        if (in_row != t->columns) {
            return il_fail(err, IL_EINVAL, "'%s', row %zu has %zu cells; the first row has %zu",
                           name, t->rows + 1, in_row, t->columns);
        }
        t->rows++;
        in_row = 0;
    }
    if (t->rows == 0 || in_row != 0) {
        return il_fail(err, IL_EINVAL, "'%s' %s", name,
                       t->rows == 0 ? "has no rows" : "ends in the middle of a row");
    }
    return IL_OK;
}

static bool csv_numeric(const csv *t, size_t column) {
    size_t numbers = 0;
    size_t filled = 0;
    double value = 0.0;
    for (size_t i = 1; i < t->rows; i++) {
        const char *text = t->cell[i * t->columns + column];
        bool counts = text[0] != '\0' && strcmp(text, "-") != 0;
        filled += counts;
        numbers += counts && il_text_number(text, &value);
    }
    return numbers > 0 && 2 * numbers >= filled;
}

static void put_row(FILE *page, const csv *t, size_t row, const bool *numeric) {
    const char *tag = row == 0 ? "th" : "td";
    double value = 0.0;
    (void)fputs("<tr>", page);
    for (size_t j = 0; j < t->columns; j++) {
        const char *text = t->cell[row * t->columns + j];
        bool right = numeric[j] || (row > 0 && il_text_number(text, &value));
        (void)fprintf(page, "<%s%s%s>", tag, row == 0 ? " scope=\"col\"" : "",
                      right ? " class=\"n\"" : "");
        put_html(page, text);
        (void)fprintf(page, "</%s>", tag);
    }
    (void)fputs("</tr>\n", page);
}

static il_status put_csv(FILE *page, char *text, const char *name, il_error *err) {
    csv t = {0};
    bool *numeric = NULL;
    il_status status = csv_parse(&t, text, name, err);
    if (status != IL_OK) {
        goto done;
    }
    numeric = calloc(t.columns, sizeof *numeric);
    if (numeric == NULL) {
        status = no_memory(err);
        goto done;
    }
    for (size_t j = 0; j < t.columns; j++) {
        numeric[j] = csv_numeric(&t, j);
    }
    (void)fputs("<div class=\"wide\"><table>\n<thead>\n", page);
    put_row(page, &t, 0, numeric);
    (void)fputs("</thead>\n<tbody>\n", page);
    for (size_t i = 1; i < t.rows; i++) {
        put_row(page, &t, i, numeric);
    }
    (void)fputs("</tbody>\n</table></div>\n", page);
done:
    free(numeric);
    free(t.cell);
    return status;
}

/* ---- the page ------------------------------------------------------------------------------- */

static const char STYLE[] =
    "html{font:16px/1.5 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;"
    "color:#1c1c1c;background:#fff}\n"
    "body{max-width:58rem;margin:0 auto;padding:1.5rem 1.25rem 4rem}\n"
    "h1{font-size:1.7rem;line-height:1.2;margin:0 0 .2rem}\n"
    "h2{font-size:1.25rem;margin:2.8rem 0 1rem;padding-bottom:.25rem;border-bottom:1px solid "
    "#ccc}\n"
    "a{color:#00518a}\n"
    ".about,.files{color:#555;font-size:.875rem}\n"
    "nav{margin:1.5rem 0;padding:.2rem 1.2rem 1rem;background:#f5f6f7;border-radius:4px;"
    "font-size:.925rem}\n"
    "nav h3{font-size:.925rem;margin:.8rem 0 .2rem}\n"
    "nav ol{margin:0;padding-left:1.6rem}\n"
    "nav li{overflow-wrap:anywhere}\n"
    "figure{margin:0 0 3rem;scroll-margin-top:1rem}\n"
    "figure img{display:block;max-width:min(100%,44rem);height:auto;margin:0 auto .6rem}\n"
    "figcaption{margin:0 0 .5rem;overflow-wrap:anywhere}\n"
    ".files{margin:.4rem 0 0}\n"
    ".wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.875rem;line-height:1.35;"
    "border-top:1.5px solid #333;border-bottom:1.5px solid #333}\n"
    "th,td{padding:.28rem .8rem;text-align:left;vertical-align:top}\n"
    "thead th{border-bottom:1px solid #333;vertical-align:bottom}\n"
    "tbody tr:nth-child(even){background:#f7f7f7}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "pre{overflow-x:auto;font-size:.8125rem;line-height:1.35}\n"
    "@media print{html{font-size:10.5pt}body{max-width:none;padding:0}nav{background:none;"
    "padding:0}figure{break-inside:avoid}.files{display:none}a{color:inherit;"
    "text-decoration:none}}\n";

static void put_head(FILE *page, const collection *c, size_t figures) {
    char date[32] = "";
    struct tm utc;
    if (gmtime_r(&c->newest, &utc) != NULL) {
        (void)strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    }
    (void)fprintf(page,
                  "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<title>impactlab: figures and tables</title>\n<style>\n%s</style>\n</head>\n"
                  "<body>\n<header>\n<h1>Figures and tables</h1>\n"
                  "<p class=\"about\">impactlab %s · %zu figure%s, %zu table%s · newest result "
                  "%s</p>\n</header>\n",
                  STYLE, IL_VERSION, figures, figures == 1 ? "" : "s", c->n - figures,
                  c->n - figures == 1 ? "" : "s", date);
}

static const char *word(const entry *e) {
    return e->table ? "Table" : "Figure";
}

/* The caption's first sentence, or its name: what the table of contents says. */
static void put_short(FILE *page, const entry *e) {
    const char *text = e->caption[0] != '\0' ? e->caption : e->name;
    const char *end = strstr(text, ". ");
    char *first = end != NULL ? strndup(text, (size_t)(end - text)) : NULL;
    put_html(page, first != NULL ? first : text);
    free(first);
}

/* k counts from the first of its kind. */
static void put_anchor(FILE *page, const entry *e, size_t k) {
    (void)fprintf(page, "%s-%zu", e->table ? "table" : "figure", k);
}

static void put_contents(FILE *page, const entry *entries, size_t n) {
    if (n == 0) {
        return;
    }
    (void)fprintf(page, "<h3>%ss</h3>\n<ol>\n", word(entries));
    for (size_t k = 0; k < n; k++) {
        (void)fputs("<li><a href=\"#", page);
        put_anchor(page, &entries[k], k + 1);
        (void)fputs("\">", page);
        put_short(page, &entries[k]);
        (void)fputs("</a></li>\n", page);
    }
    (void)fputs("</ol>\n", page);
}

/* The SVG, sharp at every size, unless it is missing or so heavy that pages scroll badly. */
static const char *picture_choose(const collection *c, const entry *e) {
    const char *svg = file_with(e, ".svg");
    const char *png = file_with(e, ".png");
    char *path = NULL;
    struct stat info;
    if (svg == NULL || png == NULL) {
        return svg != NULL ? svg : png;
    }
    if (asprintf(&path, "%s/%s/%s", c->results, e->folder, svg) < 0) {
        return png;
    }
    bool light = stat(path, &info) == 0 && info.st_size <= HEAVY_SVG;
    free(path);
    return light ? svg : png;
}

static void put_picture(FILE *page, const collection *c, const entry *e) {
    const char *picture = picture_choose(c, e);
    if (picture != NULL) {
        (void)fputs("<img src=\"", page);
        put_url(page, e, picture);
        (void)fputs("\" alt=\"", page);
        put_html(page, e->caption[0] != '\0' ? e->caption : e->name);
        (void)fputs("\">\n", page);
    }
}

/* The cells from the CSV; without one, the text as it is. */
static il_status put_cells(FILE *page, const collection *c, const entry *e, il_error *err) {
    const char *file = file_with(e, ".csv");
    bool cells = file != NULL;
    file = cells ? file : file_with(e, ".txt");
    if (file == NULL) {
        return IL_OK;
    }
    char *text = text_read(c, e, file, err);
    if (text == NULL) {
        return err != NULL ? err->code : IL_EIO;
    }
    il_status status = IL_OK;
    if (cells) {
        status = put_csv(page, text, file, err);
    } else {
        (void)fputs("<pre>", page);
        put_html(page, text);
        (void)fputs("</pre>\n", page);
    }
    free(text);
    return status;
}

static il_status put_entry(FILE *page, const collection *c, const entry *e, size_t k,
                           il_error *err) {
    il_status status = IL_OK;
    (void)fputs("<figure id=\"", page);
    put_anchor(page, e, k);
    (void)fputs("\">\n", page);
    if (!e->table) {
        put_picture(page, c, e);
    }
    (void)fprintf(page, "<figcaption><b>%s %zu.</b> ", word(e), k);
    put_html(page, e->caption[0] != '\0' ? e->caption : e->name);
    (void)fputs("</figcaption>\n", page);
    if (e->table) {
        status = put_cells(page, c, e, err);
    }
    put_links(page, e);
    (void)fputs("</figure>\n", page);
    return status;
}

static il_status put_page(FILE *page, const collection *c, size_t figures, il_error *err) {
    il_status status = IL_OK;
    put_head(page, c, figures);
    (void)fputs("<nav aria-label=\"Contents\">\n", page);
    put_contents(page, c->entries, figures);
    put_contents(page, c->entries + figures, c->n - figures);
    (void)fputs("</nav>\n<main>\n", page);
    for (size_t k = 0; status == IL_OK && k < c->n; k++) {
        const entry *e = &c->entries[k];
        if (k == 0 || k == figures) {
            (void)fprintf(page, "<h2>%ss</h2>\n", word(e));
        }
        status = put_entry(page, c, e, e->table ? k - figures + 1 : k + 1, err);
    }
    (void)fputs("</main>\n</body>\n</html>\n", page);
    return status;
}

static il_status page_write(const collection *c, size_t figures, il_error *err) {
    char *path = NULL;
    il_file file = {0};
    if (asprintf(&path, "%s/index.html", c->out) < 0) {
        return no_memory(err);
    }
    il_status status = il_file_open(&file, path, err);
    free(path);
    if (status == IL_OK) {
        status = put_page(file.stream, c, figures, err);
        if (status == IL_OK) {
            status = il_file_commit(&file, err);
        }
        il_file_abandon(&file);
    }
    return status;
}

il_status il_report_write(const char *results, const char *out, size_t *figures, size_t *tables,
                          il_error *err) {
    collection c = {.results = results, .out = out};
    il_error own = {.code = IL_OK}; /* inner functions hand a status back through it */
    err = err != NULL ? err : &own;
    size_t drawn = 0;
    il_status status = collect(&c, err);
    if (status == IL_OK) {
        status = il_folder_make(out, err);
    }
    for (size_t k = 0; status == IL_OK && k < c.n; k++) {
        drawn += !c.entries[k].table;
        status = copy_entry(&c, &c.entries[k], err);
    }
    if (status == IL_OK) {
        status = page_write(&c, drawn, err);
    }
    if (status == IL_OK && figures != NULL) {
        *figures = drawn;
    }
    if (status == IL_OK && tables != NULL) {
        *tables = c.n - drawn;
    }
    for (size_t k = 0; k < c.n; k++) {
        json_decref(c.entries[k].root);
        free(c.entries[k].folder);
    }
    free(c.entries);
    return status;
}
