/*
 * where.c - translates a condition into SQL word by word; SQL parses the precedence of and, or, not
 * and parentheses. Names become columns of the index and values SQL literals or bound numbers, so
 * no part of the text is passed to SQL.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/results/results.h"

enum { WORD = 256, NUMBERS = 600 };

typedef enum { END, OPEN, CLOSE, OPERATOR, BARE, QUOTED } word_kind;

typedef struct {
    il_index *index;
    const char *text;
    size_t next; /* what follows the word that was read */
    word_kind kind;
    size_t at; /* the word in the text */
    char word[WORD];
    size_t open; /* ( without their ) */
    sqlite3_str *sql;
    size_t n;
    double numbers[NUMBERS]; /* [n] for the question marks of sql */
    json_t *names;           /* or NULL */
    il_error *err;
} parser;

/* ---- words ---------------------------------------------------------------------------------- */

static il_status complain(const parser *p, size_t at, const char *what, const char *allowed) {
    return il_fail(p->err, IL_EINVAL, "--where, column %zu: %s; allowed: %s",
                   1 + il_text_letters(p->text, at), what, allowed);
}

static il_status complain_now(const parser *p, const char *allowed) {
    char what[WORD + 32] = "the end";
    if (p->kind != END) {
        (void)snprintf(what, sizeof what, "'%.200s'", p->word);
    }
    return complain(p, p->at, what, allowed);
}

/* Names, numbers, dates, files; bytes of UTF-8 too. */
static bool is_bare(char c) {
    return isalnum((unsigned char)c) || (c != '\0' && strchr("_.:+-/", c) != NULL) ||
           (unsigned char)c >= 0x80;
}

/* The word is the n letters at `from`; `skip` letters are behind them. */
static il_status take(parser *p, word_kind kind, size_t from, size_t n, size_t skip) {
    if (n >= WORD) {
        return complain(p, from, "a text of more than 255 letters", "shorter ones");
    }
    p->kind = kind;
    memcpy(p->word, p->text + from, n);
    p->word[n] = '\0';
    p->next = from + n + skip;
    return IL_OK;
}

static il_status advance(parser *p) {
    static const char *const operators[] = {"<=", ">=", "==", "!=", "<>", "~=", "<", ">", "="};
    const char *text = p->text;
    size_t at = p->next + strspn(p->text + p->next, " \t\n");
    size_t n = 0;
    p->kind = END;
    p->at = at;
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
    return p->kind == BARE && strcasecmp(p->word, word) == 0;
}

/* ---- SQL ------------------------------------------------------------------------------------ */

/* Has a case a text in this column? */
static il_status has_texts(const parser *p, const char *column, bool *any) {
    char sql[256];
    json_t *rows = NULL;
    (void)snprintf(sql, sizeof sql, "SELECT 1 FROM cases WHERE typeof(%s) = 'text' LIMIT 1",
                   column);
    il_status status = il_index_rows(p->index, sql, NULL, &rows, p->err);
    *any = json_array_size(rows) > 0;
    json_decref(rows);
    return status;
}

/* column sign value. A case without it, or with a text where a number is compared, does not meet
 * it. */
static il_status put_comparison(parser *p, const char *column, const char *sign) {
    const char *sql = strcmp(sign, "~=") == 0 ? "<>" : sign; /* SQL has the others */
    double x = 0.0;
    bool number = p->kind == BARE && il_text_number(p->word, &x) && isfinite(x);
    const il_index_fixed *fixed = il_index_fixed_find(column);
    bool texts = fixed != NULL && fixed->kind != IL_INDEX_NUMBER;
    il_status status = fixed == NULL ? has_texts(p, column, &texts) : IL_OK;
    if (status != IL_OK) {
        return status;
    }
    if (!texts && !number) {
        return complain_now(p, "a number");
    }
    if (fixed != NULL && fixed->kind == IL_INDEX_BEGINNING) {
        sqlite3_str_appendf(p->sql, "ifnull(substr(%s, 1, length(%Q)) %s %Q, 0)", column, p->word,
                            sql, p->word);
    } else if ((fixed != NULL && texts) || !number) {
        sqlite3_str_appendf(p->sql, "ifnull(typeof(%s) = 'text' AND %s %s %Q, 0)", column, column,
                            sql, p->word);
    } else if (p->n == NUMBERS) {
        return il_fail(p->err, IL_EINVAL, "--where has more than %d numbers", NUMBERS);
    } else {
        sqlite3_str_appendf(p->sql, "ifnull(typeof(%s) <> 'text' AND %s %s ?, 0)", column, column,
                            sql);
        p->numbers[p->n++] = x;
    }
    return IL_OK;
}

/* name operator value */
static il_status comparison(parser *p) {
    char sign[4] = "";
    char column[IL_INDEX_COLUMN];
    char where[64];
    if (p->kind != BARE || is_word(p, "and") || is_word(p, "or")) {
        return complain_now(p, "a name, as in alpha > 1.7, or not, or (");
    }
    (void)snprintf(where, sizeof where, "--where, column %zu", 1 + il_text_letters(p->text, p->at));
    il_status status = il_results_column(p->index, where, p->word, column, p->err);
    if (status == IL_OK && p->names != NULL) {
        il_json_set(p->names, p->word, json_true());
    }
    status = status == IL_OK ? advance(p) : status;
    if (status == IL_OK && p->kind != OPERATOR) {
        return complain_now(p, "= != < <= > >=");
    }
    (void)snprintf(sign, sizeof sign, "%.2s", p->word);
    status = status == IL_OK ? advance(p) : status;
    if (status == IL_OK && p->kind != BARE && p->kind != QUOTED) {
        return complain_now(p, "a number, a word or 'a text'");
    }
    status = status == IL_OK ? put_comparison(p, column, sign) : status;
    return status == IL_OK ? advance(p) : status;
}

/* not and ( before a comparison, and ) behind it. */
static il_status operand(parser *p) {
    il_status status = IL_OK;
    while (status == IL_OK && (p->kind == OPEN || is_word(p, "not"))) {
        sqlite3_str_appendall(p->sql, p->kind == OPEN ? "(" : "NOT ");
        p->open += p->kind == OPEN;
        status = advance(p);
    }
    status = status == IL_OK ? comparison(p) : status;
    while (status == IL_OK && p->kind == CLOSE && p->open > 0) {
        sqlite3_str_appendall(p->sql, ")");
        p->open--;
        status = advance(p);
    }
    return status;
}

static il_status parse(parser *p) {
    il_status status = advance(p);
    if (status != IL_OK || p->kind == END) {
        sqlite3_str_appendall(p->sql, "1");
        return status;
    }
    status = operand(p);
    while (status == IL_OK && (is_word(p, "and") || is_word(p, "or"))) {
        sqlite3_str_appendall(p->sql, is_word(p, "and") ? " AND " : " OR ");
        status = advance(p);
        status = status == IL_OK ? operand(p) : status;
    }
    if (status == IL_OK && (p->kind != END || p->open > 0)) {
        return complain_now(p, p->open > 0 ? "and, or, )" : "and, or, the end");
    }
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Put the cases that sql says into the table `chosen`. */
static il_status choose(parser *p, const char *sql) {
    sqlite3_stmt *s = NULL;
    il_index *index = p->index;
    int code = sqlite3_prepare_v2(index->db, sql, -1, &s, NULL);
    if (code == SQLITE_ERROR) { /* SQLite has limits of its own on how deep a condition is */
        return il_fail(p->err, IL_EINVAL, "--where is too long or too deep (%s)",
                       sqlite3_errmsg(index->db));
    }
    for (size_t k = 0; code == SQLITE_OK && k < p->n; k++) {
        code = sqlite3_bind_double(s, (int)k + 1, p->numbers[k]);
    }
    if (code == SQLITE_OK) {
        code = il_index_step(s);
    }
    (void)sqlite3_finalize(s);
    index->chosen = code == SQLITE_OK ? (size_t)sqlite3_changes(index->db) : 0;
    return il_index_fail(index, code, p->err);
}

il_status il_results_choose(il_index *index, const char *where, json_t *names, il_error *err) {
    parser p = {.index = index, .text = where != NULL ? where : "", .names = names, .err = err};
    if (!il_text_is_utf8(p.text)) {
        return il_fail(err, IL_EINVAL, "--where is not UTF-8");
    }
    p.sql = sqlite3_str_new(index->db);
    sqlite3_str_appendall(p.sql, "INSERT INTO chosen(id) SELECT id FROM cases WHERE damaged ISNULL "
                                 "AND (");
    il_status status = parse(&p);
    sqlite3_str_appendall(p.sql, ") ORDER BY date, key");
    char *sql = il_index_sql(p.sql);
    status = status == IL_OK ? il_index_run(index, "DELETE FROM chosen", NULL, err) : status;
    status = status == IL_OK ? choose(&p, sql) : status;
    sqlite3_free(sql);
    return status;
}
