/*
 * markdown.c - Markdown by cmark-gfm: a text is parsed, headings get anchors, links are resolved,
 * and what came of it is rendered. All that cmark takes for a page is in its arena.
 */
#include "harness/manual/markdown.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* ---- the document --------------------------------------------------------------------------- */

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

void il_markdown_escape(FILE *out, const char *text, size_t n) {
    for (size_t k = 0; k < n; k++) {
        const char *entity = text[k] == '<'   ? "&lt;"
                             : text[k] == '>' ? "&gt;"
                             : text[k] == '&' ? "&amp;"
                             : text[k] == '"' ? "&quot;"
                                              : NULL;
        if (entity != NULL) {
            (void)fputs(entity, out);
        } else {
            (void)fputc(text[k], out);
        }
    }
}

static cmark_node *new_node(cmark_node_type type) {
    return cmark_node_new_with_mem(type, cmark_get_arena_mem_allocator());
}

static cmark_node *make_node(cmark_node_type type, const char *literal) {
    cmark_node *node = new_node(type);
    (void)cmark_node_set_literal(node, literal);
    return node;
}

static void add_anchor(cmark_node *heading) {
    char title[256] = "";
    char anchor[256];
    char html[300];
    size_t n = 0;
    cmark_iter *it = cmark_iter_new(heading);
    while (cmark_iter_next(it) != CMARK_EVENT_DONE) {
        const char *text = cmark_node_get_literal(cmark_iter_get_node(it));
        n += (size_t)snprintf(title + n, sizeof title - n, "%s", text != NULL ? text : "");
        n = n < sizeof title ? n : sizeof title - 1;
    }
    il_markdown_anchor(title, n, anchor, sizeof anchor);
    (void)snprintf(html, sizeof html, "<a id=\"%s\"></a>", anchor);
    (void)cmark_node_prepend_child(heading, make_node(CMARK_NODE_HTML_INLINE, html));
}

/* A block wider than a screen is scrolled by itself, with the keyboard too. */
static void widen(cmark_node *node) {
    (void)cmark_node_insert_before(
        node, make_node(CMARK_NODE_HTML_BLOCK, "<div class=\"wide\" tabindex=\"0\">"));
    (void)cmark_node_insert_after(node, make_node(CMARK_NODE_HTML_BLOCK, "</div>"));
}

/* The children of node in its place, below a new node unless that is NULL. */
static void replace(cmark_node *node, cmark_node *by) {
    while (cmark_node_first_child(node) != NULL) {
        cmark_node *child = cmark_node_first_child(node);
        cmark_node_unlink(child);
        (void)(by != NULL ? cmark_node_append_child(by, child)
                          : cmark_node_insert_before(node, child));
    }
    if (by != NULL) {
        (void)cmark_node_insert_before(node, by);
    }
    cmark_node_unlink(node);
}

static void resolve(cmark_node *link, const il_markdown_links *links) {
    char address[512];
    if (links != NULL &&
        links->resolve(links->self, cmark_node_get_url(link), address, sizeof address)) {
        (void)cmark_node_set_url(link, address);
    } else {
        replace(link, NULL);
    }
}

/* On paper and terminals code is bold. */
static void embolden(cmark_node *code) {
    cmark_node *strong = new_node(CMARK_NODE_STRONG);
    const char *literal = cmark_node_get_literal(code);
    (void)cmark_node_append_child(strong, make_node(CMARK_NODE_TEXT, literal));
    (void)cmark_node_insert_before(code, strong);
    cmark_node_unlink(code);
}

/* Make the document a page's. links NULL: none leads anywhere. */
static void prepare(cmark_node *document, const il_markdown_links *links, bool html) {
    cmark_iter *it = cmark_iter_new(document);
    for (cmark_event_type event = cmark_iter_next(it); event != CMARK_EVENT_DONE;
         event = cmark_iter_next(it)) {
        cmark_node *node = cmark_iter_get_node(it);
        cmark_node_type type = cmark_node_get_type(node);
        bool block_of_code = type == CMARK_NODE_CODE_BLOCK;
        bool leaf = block_of_code || type == CMARK_NODE_CODE; /* entered, never left */
        if (event == CMARK_EVENT_ENTER && !leaf) {
            continue;
        }
        if (type == CMARK_NODE_CODE && !html) {
            embolden(node);
        } else if (type == CMARK_NODE_LINK) {
            resolve(node, links);
        } else if (type == CMARK_NODE_IMAGE) {
            replace(node, new_node(CMARK_NODE_EMPH));
        } else if (html && type == CMARK_NODE_HEADING) {
            add_anchor(node);
        } else if (html &&
                   (block_of_code || strcmp(cmark_node_get_type_string(node), "table") == 0)) {
            widen(node);
        }
    }
}

static void render(FILE *out, const char *text, size_t n, const il_markdown_links *links,
                   bool html) {
    const int options = CMARK_OPT_UNSAFE; /* the pages are ours */
    cmark_mem *arena = cmark_get_arena_mem_allocator();
    cmark_gfm_core_extensions_ensure_registered();
    cmark_parser *parser = cmark_parser_new_with_mem(options, arena);
    (void)cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension("table"));
    cmark_parser_feed(parser, text, n);
    cmark_node *document = cmark_parser_finish(parser);
    prepare(document, links, html);
    (void)fputs(html ? cmark_render_html_with_mem(document, options, NULL, arena)
                     : cmark_render_man_with_mem(document, options, 0, arena),
                out);
    cmark_arena_reset();
}

void il_markdown_html(FILE *out, const char *text, size_t n, const il_markdown_links *links) {
    render(out, text, n, links, true);
}

void il_markdown_man(FILE *out, const char *text, size_t n) {
    render(out, text, n, NULL, false);
}
