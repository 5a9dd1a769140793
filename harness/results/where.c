/*
 * where.c - translates a condition into SQL word by word; SQL parses the precedence of and, or, not
 * and parentheses.
 */
#include "harness/results/where.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/base/json.h"
#include "harness/base/text.h"

enum { WORD = 256 };

typedef enum { END, OPEN, CLOSE, OPERATOR, BARE, QUOTED } word_kind;

typedef struct {
    word_kind kind;
    size_t at; /* in the text */
    char text[WORD];
} token;

typedef struct {
    const il_index *index;
    const char *text;
    size_t next; /* what follows now */
    token now;
    size_t open; /* ( without their ) */
    il_where *out;
    sqlite3_str *sql;
    il_json made;
    il_error *err;
} parser;

/* ---- names ---------------------------------------------------------------------------------- */

const char *il_index_find(const il_index *index, const char *name, const char **near) {
    static const char *const prefixes[] = {"", "parameters.", "error."};
    const char *fixed[32];
    char path[WORD + 16];
    size_t n = 0;
    for (size_t k = 0; k < sizeof prefixes / sizeof prefixes[0]; k++) {
        (void)snprintf(path, sizeof path, "%s%s", prefixes[k], name);
        const char *column = json_string_value(json_object_get(index->paths, path));
        if (column != NULL) {
            return column;
        }
    }
    for (; near != NULL && il_index_fixed_at(n) != NULL; n++) {
        fixed[n] = il_index_fixed_at(n)->name;
    }
    if (near != NULL) {
        *near = il_text_nearest(name, fixed, n);
    }
    return NULL;
}

static il_status take_any(void *self, sqlite3_stmt *row, il_error *err) {
    (void)row;
    (void)err;
    *(bool *)self = true;
    return IL_OK;
}

/* What the column is compared as; *any: as what the value is. */
static il_status kind_of(const parser *p, const char *column, il_index_kind *kind, bool *any) {
    char sql[96];
    const il_index_fixed *fixed = il_index_fixed_find(column);
    *any = false;
    if (fixed != NULL) {
        *kind = fixed->kind;
        return IL_OK;
    }
    *kind = IL_INDEX_NUMBER;
    (void)snprintf(sql, sizeof sql, "SELECT 1 FROM cases WHERE typeof(%s) = 'text' LIMIT 1",
                   column);
    return il_index_each(p->index, sql, NULL, take_any, any, p->err);
}

/* ---- words ---------------------------------------------------------------------------------- */

static il_status complain(const parser *p, size_t at, const char *what, const char *allowed) {
    return il_fail(p->err, IL_EINVAL, "--where, column %zu: %s; allowed: %s",
                   1 + il_text_letters(p->text, at), what, allowed);
}

static il_status complain_now(const parser *p, const char *allowed) {
    char what[WORD + 32] = "the end";
    if (p->now.kind != END) {
        (void)snprintf(what, sizeof what, "'%.200s'", p->now.text);
    }
    return complain(p, p->now.at, what, allowed);
}

/* Names, numbers, dates, files; bytes of UTF-8 too. */
static bool is_bare(char c) {
    return isalnum((unsigned char)c) || (c != '\0' && strchr("_.:+-/", c) != NULL) ||
           (unsigned char)c >= 0x80;
}

/* n letters at `from` are the text of what is there now; `skip` letters are behind them. */
static il_status take(parser *p, word_kind sort, size_t from, size_t n, size_t skip) {
    if (n >= WORD) {
        return complain(p, from, "a text of more than 255 letters", "shorter ones");
    }
    p->now.kind = sort;
    memcpy(p->now.text, p->text + from, n);
    p->now.text[n] = '\0';
    p->next = from + n + skip;
    return IL_OK;
}

static il_status advance(parser *p) {
    static const char *const operators[] = {"<=", ">=", "==", "!=", "<>", "~=", "<", ">", "="};
    const char *text = p->text;
    size_t at = p->next + strspn(p->text + p->next, " \t\n");
    size_t n = 0;
    p->now = (token){.kind = END, .at = at};
    if (text[at] == '\0') {
        return IL_OK;
    }
    if (text[at] == '(' || text[at] == ')') {
        return take(p, text[at] == '(' ? OPEN : CLOSE, at, 1, 0);
    }
    if (text[at] == '\'' || text[at] == '"') {
        const char *end = strchr(text + at + 1, text[at]);
        return end != NULL
                   ? take(p, QUOTED, at + 1, (size_t)(end - text) - at - 1, 1)
                   : complain(p, at, "a quotation mark that nothing closes", "'text' or \"text\"");
    }
    for (size_t k = 0; k < sizeof operators / sizeof operators[0]; k++) {
        if (strncmp(text + at, operators[k], strlen(operators[k])) == 0) {
            return take(p, OPERATOR, at, strlen(operators[k]), 0);
        }
    }
    for (; is_bare(text[at + n]); n++) {
    }
    if (n == 0) {
        char what[8];
        (void)snprintf(what, sizeof what, "'%c'", text[at]);
        return complain(p, at, what, "names, values, = != < <= > >=, and, or, not, ( )");
    }
    return take(p, BARE, at, n, 0);
}

static bool is_word(const parser *p, const char *word) {
    return p->now.kind == BARE && strcasecmp(p->now.text, word) == 0;
}

/* ---- SQL ------------------------------------------------------------------------------------ */

/* column sign value. A case without it, or with a text where a number is compared, does not meet
 * it. */
static il_status put_comparison(parser *p, const char *column, const char *sign) {
    const char *sql = strcmp(sign, "~=") == 0 ? "<>" : sign; /* SQL has the others */
    double x = 0.0;
    bool number = p->now.kind == BARE && il_text_number(p->now.text, &x) && isfinite(x);
    il_index_kind kind = IL_INDEX_NUMBER;
    bool any = false;
    il_status status = kind_of(p, column, &kind, &any);
    if (status != IL_OK) {
        return status;
    }
    if (kind == IL_INDEX_NUMBER && !any && !number) {
        return complain_now(p, "a number");
    }
    if (kind == IL_INDEX_BEGINNING) {
        sqlite3_str_appendf(p->sql, "ifnull(substr(%s, 1, length(%Q)) %s %Q, 0)", column,
                            p->now.text, sql, p->now.text);
    } else if (kind == IL_INDEX_TEXT || !number) {
        sqlite3_str_appendf(p->sql, "ifnull(typeof(%s) = 'text' AND %s %s %Q, 0)", column, column,
                            sql, p->now.text);
    } else if (p->out->n == IL_WHERE_NUMBERS) {
        return il_fail(p->err, IL_EINVAL, "--where has more than %d numbers", IL_WHERE_NUMBERS);
    } else {
        sqlite3_str_appendf(p->sql, "ifnull(typeof(%s) <> 'text' AND %s %s ?, 0)", column, column,
                            sql);
        p->out->numbers[p->out->n++] = x;
    }
    return IL_OK;
}

/* name operator value */
static il_status comparison(parser *p) {
    const char *near = NULL;
    char sign[4] = "";
    if (p->now.kind != BARE || is_word(p, "and") || is_word(p, "or")) {
        return complain_now(p, "a name, as in alpha > 1.7, or not, or (");
    }
    const char *column = il_index_find(p->index, p->now.text, &near);
    if (column == NULL) {
        return il_fail(p->err, IL_EINVAL,
                       "--where, column %zu: no case has '%.100s'%s%.100s%s; `impactlab results "
                       "list --names` says what there is",
                       1 + il_text_letters(p->text, p->now.at), p->now.text,
                       near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                       near != NULL ? "'" : "");
    }
    il_json_set(&p->made, p->out->names, p->now.text, json_true());
    il_status status = advance(p);
    if (status == IL_OK && p->now.kind != OPERATOR) {
        return complain_now(p, "= != < <= > >=");
    }
    (void)snprintf(sign, sizeof sign, "%.2s", p->now.text);
    status = status == IL_OK ? advance(p) : status;
    if (status == IL_OK && p->now.kind != BARE && p->now.kind != QUOTED) {
        return complain_now(p, "a number, a word or 'a text'");
    }
    status = status == IL_OK ? put_comparison(p, column, sign) : status;
    return status == IL_OK ? advance(p) : status;
}

/* not and ( before a comparison, and ) behind it. */
static il_status operand(parser *p) {
    il_status status = IL_OK;
    while (status == IL_OK && (p->now.kind == OPEN || is_word(p, "not"))) {
        sqlite3_str_appendall(p->sql, p->now.kind == OPEN ? "(" : "NOT ");
        p->open += p->now.kind == OPEN;
        status = advance(p);
    }
    status = status == IL_OK ? comparison(p) : status;
    while (status == IL_OK && p->now.kind == CLOSE && p->open > 0) {
        sqlite3_str_appendall(p->sql, ")");
        p->open--;
        status = advance(p);
    }
    return status;
}

static il_status parse(parser *p) {
    il_status status = operand(p);
    while (status == IL_OK && (is_word(p, "and") || is_word(p, "or"))) {
        sqlite3_str_appendall(p->sql, is_word(p, "and") ? " AND " : " OR ");
        status = advance(p);
        status = status == IL_OK ? operand(p) : status;
    }
    if (status == IL_OK && (p->now.kind != END || p->open > 0)) {
        return complain_now(p, p->open > 0 ? "and, or, )" : "and, or, the end");
    }
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* SQLite has limits of its own on how deep a condition is. */
static il_status expect_sql(const parser *p) {
    sqlite3_stmt *s = NULL;
    char *sql = sqlite3_mprintf("SELECT 1 FROM cases WHERE %s", p->out->sql);
    int code = sql != NULL ? sqlite3_prepare_v2(p->index->db, sql, -1, &s, NULL) : SQLITE_NOMEM;
    il_status status = code == SQLITE_ERROR
                           ? il_fail(p->err, IL_EINVAL, "--where is too long or too deep (%s)",
                                     sqlite3_errmsg(p->index->db))
                           : il_index_fail(p->index, code, p->err);
    (void)sqlite3_finalize(s);
    sqlite3_free(sql);
    return status;
}

il_status il_where_parse(const il_index *index, const char *text, il_where *where, il_error *err) {
    parser p = {.index = index, .text = text != NULL ? text : "", .out = where, .err = err};
    where->sql = NULL;
    where->n = 0;
    where->names = json_object();
    if (!il_text_is_utf8(p.text)) {
        return il_fail(err, IL_EINVAL, "--where is not UTF-8");
    }
    il_status status = advance(&p);
    if (status != IL_OK || p.now.kind == END) {
        return status;
    }
    p.sql = sqlite3_str_new(index->db);
    status = parse(&p);
    where->sql = sqlite3_str_finish(p.sql);
    if (status == IL_OK && (p.made.failed || where->sql == NULL)) {
        status = il_fail(err, IL_ENOMEM, "no memory for --where");
    }
    return status == IL_OK ? expect_sql(&p) : status;
}

void il_where_free(il_where *where) {
    sqlite3_free(where->sql);
    json_decref(where->names);
    where->sql = NULL;
    where->names = NULL;
}
