/*
 * html.c - blocks of Markdown for a browser, line by line: each line ends the block before it,
 * begins one, or goes on with it.
 */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "harness/manual/html_inline.h"

typedef enum { NOTHING, PARAGRAPH, BULLETS, NUMBERS, TABLE, CODE, FENCE } block;

typedef struct {
    FILE *out;
    const il_markdown_links *links;
    block open;
    const char *from; /* [pending] words not written yet: they may go on, and links with them */
    size_t pending;
    bool item;  /* a list's item is open */
    bool heads; /* the table's next row is that of its heads */
    bool blank; /* the line before was empty */
} writer;

static void put_pending(writer *w) {
    il_html_inline(w->out, w->from, w->pending, w->links);
    w->pending = 0;
}

static void close_block(writer *w) {
    static const char *const ends[] = {
        [PARAGRAPH] = "</p>\n",     [BULLETS] = "</ul>\n",
        [NUMBERS] = "</ol>\n",      [TABLE] = "</tbody></table></div>\n",
        [CODE] = "</code></pre>\n", [FENCE] = "</code></pre>\n"};
    put_pending(w);
    if (w->item) {
        (void)fputs("</li>\n", w->out);
        w->item = false;
    }
    if (w->open != NOTHING) {
        (void)fputs(ends[w->open], w->out);
    }
    w->open = NOTHING;
}

static void open_block(writer *w, block b) {
    static const char *const begins[] = {[PARAGRAPH] = "<p>",
                                         [BULLETS] = "<ul>\n",
                                         [NUMBERS] = "<ol>\n",
                                         [TABLE] = "<div class=\"wide\" tabindex=\"0\"><table>\n",
                                         [CODE] = "<pre tabindex=\"0\"><code>",
                                         [FENCE] = "<pre tabindex=\"0\"><code>"};
    if (w->open != b) {
        close_block(w);
        (void)fputs(begins[b], w->out);
        w->open = b;
        w->heads = b == TABLE;
    }
}

void il_markdown_anchor(const char *title, size_t n, char *out, size_t capacity) {
    size_t j = 0;
    for (size_t k = 0; k < n && j + 1 < capacity; k++) {
        unsigned char c = (unsigned char)title[k];
        if (isalnum(c) || c == '_' || c == '-' || c >= 0x80) {
            out[j++] = (char)tolower(c);
        } else if (c == ' ') {
            out[j++] = '-';
        }
    }
    out[j] = '\0';
}

static void put_heading(writer *w, const char *line, size_t n) {
    char anchor[256];
    size_t level = strspn(line, "#");
    close_block(w);
    il_markdown_anchor(line + level + 1, n - level - 1, anchor, sizeof anchor);
    (void)fprintf(w->out, "<h%zu id=\"", level);
    il_markdown_escape(w->out, anchor, strlen(anchor));
    (void)fputs("\">", w->out);
    il_html_inline(w->out, line + level + 1, n - level - 1, w->links);
    (void)fprintf(w->out, "</h%zu>\n", level);
}

/* A row's cells end at bars that no backslash stands before. */
static void put_row(writer *w, const char *line, size_t n) {
    const char *cell = w->heads ? "th" : "td";
    if (strspn(line, "|-: ") >= n) {
        return;
    }
    (void)fputs(w->heads ? "<thead><tr>" : "<tr>", w->out);
    for (size_t from = 1, k = 1; k < n; k++) {
        if (line[k] != '|' || line[k - 1] == '\\') {
            continue;
        }
        size_t end = k;
        while (from < end && line[from] == ' ') {
            from++;
        }
        while (end > from && line[end - 1] == ' ') {
            end--;
        }
        (void)fprintf(w->out, "<%s>", cell);
        il_html_inline(w->out, line + from, end - from, w->links);
        (void)fprintf(w->out, "</%s>", cell);
        from = k + 1;
    }
    (void)fputs(w->heads ? "</tr></thead><tbody>\n" : "</tr>\n", w->out);
    w->heads = false;
}

static void put_item(writer *w, block list, const char *text, size_t n) {
    open_block(w, list);
    put_pending(w);
    (void)fputs(w->item ? "</li>\n<li>" : "<li>", w->out);
    w->item = true;
    w->from = text;
    w->pending = n;
}

/* The digits and the point of "12. ", or 0. */
static size_t number_size(const char *line, size_t n) {
    size_t k = 0;
    while (k < n && isdigit((unsigned char)line[k])) {
        k++;
    }
    return k > 0 && k + 1 < n && line[k] == '.' && line[k + 1] == ' ' ? k + 2 : 0;
}

static void put_text(writer *w, const char *line, size_t n) {
    bool goes_on = w->pending > 0 && !w->blank;
    if (!goes_on) {
        put_pending(w);
        open_block(w, PARAGRAPH);
        w->from = line;
    }
    w->pending = (size_t)(line + n - w->from); /* lines that follow each other are one text */
}

static void put_code(writer *w, const char *line, size_t n) {
    open_block(w, CODE);
    il_markdown_escape(w->out, line, n);
    (void)fputc('\n', w->out);
}

static void put_line(writer *w, const char *line, size_t n) {
    bool fence = n >= 3 && memcmp(line, "```", 3) == 0;
    size_t digits = number_size(line, n);
    if (w->open == FENCE) {
        if (fence) {
            close_block(w);
            return;
        }
        il_markdown_escape(w->out, line, n);
        (void)fputc('\n', w->out);
    } else if (fence) {
        open_block(w, FENCE);
    } else if (n == 0) {
        if (w->open == PARAGRAPH || w->open == TABLE || w->open == CODE) {
            close_block(w);
        }
    } else if (line[0] == '#' && line[strspn(line, "#")] == ' ') {
        put_heading(w, line, n);
    } else if (line[0] == '|') {
        open_block(w, TABLE);
        put_row(w, line, n);
    } else if (n > 2 && (line[0] == '-' || line[0] == '*') && line[1] == ' ') {
        put_item(w, BULLETS, line + 2, n - 2);
    } else if (digits > 0) {
        put_item(w, NUMBERS, line + digits, n - digits);
    } else if (n > 4 && strncmp(line, "    ", 4) == 0 && !w->item) {
        put_code(w, line + 4, n - 4);
    } else {
        put_text(w, line, n);
    }
    w->blank = n == 0;
}

void il_markdown_html(FILE *out, const char *text, size_t n, const il_markdown_links *links) {
    writer w = {.out = out, .links = links, .open = NOTHING};
    const char *end = text + n;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t size = newline != NULL ? (size_t)(newline - text) : (size_t)(end - text);
        put_line(&w, text, size);
        text += size + (newline != NULL);
    }
    close_block(&w);
}
