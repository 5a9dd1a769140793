/*
 * where.c - one pass from left to right, a function a rule.
 */
#include "harness/results/where.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/base/memory.h"
#include "harness/base/memory_stream.h"
#include "harness/base/text.h"

/* SQLite's parser has room for 100 words that wait: up to four a level. */
enum { WORD = 256, DEEP = 20, MANY = 600 };

typedef enum { END, OPEN, CLOSE, OPERATOR, BARE, QUOTED } kind;

typedef struct {
    kind kind;
    size_t at; /* in the text */
    char text[WORD];
} token;

typedef struct {
    const char *text;
    size_t next; /* what follows now */
    token now;
    size_t depth;
    const il_where_names *names;
    il_where *out;
    FILE *sql; /* out's */
    il_error *err;
} parser;

/* ---- words ---------------------------------------------------------------------------------- */

static il_status complain(const parser *p, size_t at, const char *what, const char *allowed) {
    return il_fail(p->err, IL_EINVAL, "--where, column %zu: %s; allowed: %s",
                   1 + il_text_letters(p->text, at), what, allowed);
}

static il_status complain_now(const parser *p, const char *allowed) {
    char what[WORD + 32];
    (void)snprintf(what, sizeof what, p->now.kind == END ? "%sthe end" : "'%.200s'",
                   p->now.kind == END ? "" : p->now.text);
    return complain(p, p->now.at, what, allowed);
}

/* Names, numbers, dates, files; bytes of UTF-8 too. */
static bool is_bare(char c) {
    return isalnum((unsigned char)c) || strchr("_.:+-/", c) != NULL || (unsigned char)c >= 0x80;
}

static il_status take_text(parser *p, size_t from, size_t n, size_t after) {
    if (n >= WORD) {
        return complain(p, from, "a text of more than 255 letters", "shorter ones");
    }
    memcpy(p->now.text, p->text + from, n);
    p->now.text[n] = '\0';
    p->next = after;
    return IL_OK;
}

static il_status take_quoted(parser *p) {
    size_t at = p->now.at;
    const char *end = strchr(p->text + at + 1, p->text[at]);
    if (end == NULL) {
        return complain(p, at, "a quotation mark that nothing closes", "'text' or \"text\"");
    }
    p->now.kind = QUOTED;
    size_t n = (size_t)(end - p->text) - at - 1;
    return take_text(p, at + 1, n, at + n + 2);
}

static il_status advance(parser *p) {
    static const char *const operators[] = {"<=", ">=", "==", "!=", "<>", "~=", "<", ">", "="};
    const char *text = p->text;
    while (text[p->next] != '\0' && strchr(" \t\n", text[p->next]) != NULL) {
        p->next++;
    }
    size_t at = p->next;
    p->now = (token){.kind = END, .at = at};
    if (text[at] == '\0') {
        return IL_OK;
    }
    if (text[at] == '(' || text[at] == ')') {
        p->now.kind = text[at] == '(' ? OPEN : CLOSE;
        return take_text(p, at, 1, at + 1);
    }
    if (text[at] == '\'' || text[at] == '"') {
        return take_quoted(p);
    }
    for (size_t k = 0; k < sizeof operators / sizeof operators[0]; k++) {
        size_t n = strlen(operators[k]);
        if (strncmp(text + at, operators[k], n) == 0) {
            p->now.kind = OPERATOR;
            return take_text(p, at, n, at + n);
        }
    }
    size_t n = 0;
    while (text[at + n] != '\0' && is_bare(text[at + n])) {
        n++;
    }
    if (n == 0) {
        char what[8];
        (void)snprintf(what, sizeof what, "'%c'", text[at]);
        return complain(p, at, what, "names, values, = != < <= > >=, and, or, not, ( )");
    }
    p->now.kind = BARE;
    return take_text(p, at, n, at + n);
}

static bool is_word(const parser *p, const char *word) {
    return p->now.kind == BARE && strcasecmp(p->now.text, word) == 0;
}

/* ---- what comes out ------------------------------------------------------------------------- */

static il_status starve(const parser *p) {
    return il_fail(p->err, IL_ENOMEM, "no memory for --where");
}

static il_status bind(parser *p, const char *text, double number) {
    il_where *w = p->out;
    if (w->n >= MANY) {
        return il_fail(p->err, IL_EINVAL, "--where has more than %d values", MANY);
    }
    if (!il_memory_append(&w->values, w->n, sizeof *w->values)) {
        return starve(p);
    }
    w->values[w->n] =
        (il_where_value){.text = text != NULL ? strdup(text) : NULL, .number = number};
    bool whole = text == NULL || w->values[w->n].text != NULL;
    w->n++;
    return whole ? IL_OK : starve(p);
}

static il_status remember(parser *p, const char *name) {
    il_where *w = p->out;
    for (size_t k = 0; k < w->nnames; k++) {
        if (strcmp(w->names[k], name) == 0) {
            return IL_OK;
        }
    }
    if (!il_memory_append(&w->names, w->nnames, sizeof *w->names)) {
        return starve(p);
    }
    w->names[w->nnames] = strdup(name);
    return w->names[w->nnames++] != NULL ? IL_OK : starve(p);
}

/* SQL spells it so. */
static const char *spelling(const char *sign) {
    static const char *const pairs[][2] = {{"==", "="},  {"~=", "<>"}, {"!=", "<>"},
                                           {"=", "="},   {"<>", "<>"}, {"<", "<"},
                                           {"<=", "<="}, {">", ">"},   {">=", ">="}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        if (strcmp(pairs[k][0], sign) == 0) {
            return pairs[k][1];
        }
    }
    return "=";
}

/* ---- rules ---------------------------------------------------------------------------------- */

static il_status write_comparison(parser *p, const il_where_column *c, const char *sign,
                                  const token *value) {
    double x = 0.0;
    bool number = value->kind == BARE && il_text_number(value->text, &x) && isfinite(x);
    if (c->kind == IL_WHERE_NUMBER && !number) {
        char what[WORD + 32];
        (void)snprintf(what, sizeof what, "'%.200s'", value->text);
        return complain(p, value->at, what, "a number");
    }
    number = number && (c->kind == IL_WHERE_NUMBER || c->kind == IL_WHERE_EITHER);
    il_status status = IL_OK;
    if (c->column == NULL) {
        (void)fprintf(p->sql,
                      "EXISTS(SELECT 1 FROM vals v WHERE v.id = c.id AND v.pid = ? AND v.%s %s ?)",
                      number ? "num" : "text", sign);
        status = bind(p, NULL, (double)c->number);
    } else if (c->kind == IL_WHERE_BEGINNING) {
        (void)fprintf(p->sql, "ifnull(substr(c.%s, 1, length(?)) %s ?, 0)", c->column, sign);
        status = bind(p, value->text, 0.0);
    } else {
        (void)fprintf(p->sql, "ifnull(c.%s %s ?, 0)", c->column, sign);
    }
    return status == IL_OK ? bind(p, number ? NULL : value->text, x) : status;
}

static il_status refuse_name(const parser *p, size_t at, const char *name, const char *near) {
    return il_fail(p->err, IL_EINVAL,
                   "--where, column %zu: no case has '%.100s'%s%.100s%s; `impactlab results list "
                   "--names` says what there is",
                   1 + il_text_letters(p->text, at), name, near != NULL ? "; did you mean '" : "",
                   near != NULL ? near : "", near != NULL ? "'" : "");
}

static il_status comparison(parser *p) {
    token name = p->now;
    il_where_column column = {.kind = IL_WHERE_EITHER};
    const char *near = NULL;
    if (name.kind != BARE || is_word(p, "and") || is_word(p, "or")) {
        return complain_now(p, "a name, as in alpha > 1.7, or not, or (");
    }
    il_status status = p->names->find(p->names->self, name.text, &column, &near, p->err);
    if (status != IL_OK) {
        return status == IL_EINVAL ? refuse_name(p, name.at, name.text, near) : status;
    }
    status = remember(p, name.text);
    status = status == IL_OK ? advance(p) : status;
    if (status == IL_OK && p->now.kind != OPERATOR) {
        status = complain_now(p, "= != < <= > >=");
    }
    const char *sign = spelling(p->now.text);
    status = status == IL_OK ? advance(p) : status;
    if (status == IL_OK && p->now.kind != BARE && p->now.kind != QUOTED) {
        status = complain_now(p, "a number, a word or 'a text'");
    }
    if (status == IL_OK) {
        token value = p->now;
        status = write_comparison(p, &column, sign, &value);
    }
    return status == IL_OK ? advance(p) : status;
}

static il_status expression(parser *p);

/* "(" expression ")", of which the expression has marks of its own. */
static il_status enclosed(parser *p) {
    size_t at = p->now.at;
    il_status status = advance(p);
    status = status == IL_OK ? expression(p) : status;
    if (status == IL_OK && p->now.kind != CLOSE) {
        char allowed[64];
        (void)snprintf(allowed, sizeof allowed, "and, or, ) for the ( of column %zu",
                       1 + il_text_letters(p->text, at));
        return complain_now(p, allowed);
    }
    return status == IL_OK ? advance(p) : status;
}

static il_status factor(parser *p) {
    il_status status = IL_OK;
    size_t nots = 0;
    for (; status == IL_OK && is_word(p, "not") && p->depth < DEEP; nots++) {
        (void)fputs("NOT(", p->sql);
        p->depth++;
        status = advance(p);
    }
    if (status == IL_OK && p->depth >= DEEP) {
        char what[48];
        (void)snprintf(what, sizeof what, "more than %d levels", DEEP - 1);
        return complain(p, p->now.at, what, "fewer not and (");
    }
    p->depth++;
    if (status == IL_OK) {
        status = p->now.kind == OPEN ? enclosed(p) : comparison(p);
    }
    p->depth -= nots + 1;
    for (; nots > 0; nots--) {
        (void)fputc(')', p->sql);
    }
    return status;
}

static il_status term(parser *p) {
    il_status status = factor(p);
    while (status == IL_OK && is_word(p, "and")) {
        (void)fputs(" AND ", p->sql);
        status = advance(p);
        status = status == IL_OK ? factor(p) : status;
    }
    return status;
}

static il_status expression(parser *p) {
    (void)fputc('(', p->sql);
    il_status status = term(p);
    while (status == IL_OK && is_word(p, "or")) {
        (void)fputs(" OR ", p->sql);
        status = advance(p);
        status = status == IL_OK ? term(p) : status;
    }
    (void)fputc(')', p->sql);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static il_status parse(parser *p) {
    il_status status = advance(p);
    if (status == IL_OK && p->now.kind == END) {
        (void)fputs("1", p->sql);
        return IL_OK;
    }
    status = status == IL_OK ? expression(p) : status;
    if (status == IL_OK && p->now.kind != END) {
        status = complain_now(p, "and, or, the end");
    }
    return status;
}

il_status il_where_parse(const char *text, const il_where_names *names, il_where *where,
                         il_error *err) {
    il_memory_stream stream;
    *where = (il_where){.sql = NULL};
    if (!il_text_is_utf8(text)) {
        return il_fail(err, IL_EINVAL, "--where is not UTF-8");
    }
    parser p = {.text = text != NULL ? text : "", .names = names, .out = where, .err = err};
    if (!il_memory_stream_open(&stream)) {
        return starve(&p);
    }
    p.sql = stream.file;
    il_status status = parse(&p);
    bool whole = il_memory_stream_close(&stream);
    where->sql = stream.text;
    return status == IL_OK && !whole ? starve(&p) : status;
}

void il_where_free(il_where *where) {
    for (size_t k = 0; k < where->n; k++) {
        free(where->values[k].text);
    }
    for (size_t k = 0; k < where->nnames; k++) {
        free(where->names[k]);
    }
    free(where->values);
    free(where->names);
    free(where->sql);
    *where = (il_where){.sql = NULL};
}
