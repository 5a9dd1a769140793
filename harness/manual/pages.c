/*
 * pages.c - the pages built into the program, and the headings of any page.
 */
#include "harness/manual/pages.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "manual.inc"

enum { PAGES = sizeof page_files / sizeof page_files[0] };

const il_page *il_page_embedded(const char *path) {
    for (size_t k = 0; k < PAGES; k++) {
        if (strcmp(path, page_files[k].path) == 0) {
            return &page_files[k];
        }
    }
    return NULL;
}

const char *il_page_style(void) {
    return (const char *)page_style;
}

/* ---- sections ------------------------------------------------------------------------------- */

static size_t line_size(const char *at, const char *end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline != NULL ? (size_t)(newline - at) + 1 : (size_t)(end - at);
}

/* The level of a heading that the line at is; 0 if it is none. */
static int level_of(const char *at, size_t n) {
    size_t signs = 0;
    while (signs < n && at[signs] == '#') {
        signs++;
    }
    return signs > 0 && signs <= 6 && signs < n && at[signs] == ' ' ? (int)signs : 0;
}

/* The next heading at or after *at, whose level is returned; 0 at the end. *fenced goes along. */
static int seek(const char **at, const char *end, bool *fenced) {
    while (*at < end) {
        size_t n = line_size(*at, end);
        int level = *fenced ? 0 : level_of(*at, n);
        if (level > 0) {
            return level;
        }
        if (n >= 3 && memcmp(*at, "```", 3) == 0) {
            *fenced = !*fenced;
        }
        *at += n;
    }
    return 0;
}

/* The text that belongs to the heading at: up to the next of its level or above. */
static void measure(const char *at, const char *end, il_section *out) {
    bool fenced = false;
    const char *from = at + line_size(at, end);
    out->own = 0;
    for (int level = seek(&from, end, &fenced); level > 0; level = seek(&from, end, &fenced)) {
        out->own = out->own > 0 ? out->own : (size_t)(from - at);
        if (level <= out->level) {
            break;
        }
        from += line_size(from, end);
    }
    out->size = (size_t)(from - at);
    out->own = out->own > 0 ? out->own : out->size;
}

bool il_section_at(const il_page *page, size_t k, il_section *out) {
    const char *at = page->text;
    const char *end = page->text + page->size;
    bool fenced = false;
    int level = seek(&at, end, &fenced);
    for (size_t passed = 0; level > 0 && passed < k; passed++) {
        at += line_size(at, end);
        level = seek(&at, end, &fenced);
    }
    if (level == 0) {
        return false;
    }
    size_t n = line_size(at, end);
    *out = (il_section){.title = at + level + 1, .level = level, .text = at};
    out->title_size = n - (size_t)level - 1;
    while (out->title_size > 0 && isspace((unsigned char)out->title[out->title_size - 1])) {
        out->title_size--;
    }
    measure(at, end, out);
    return true;
}

void il_section_title(const il_section *section, char *out, size_t capacity) {
    size_t j = 0;
    for (size_t k = 0; k < section->title_size && j + 1 < capacity; k++) {
        if (section->title[k] != '`') {
            out[j++] = section->title[k];
        }
    }
    out[j] = '\0';
}

bool il_section_is(const il_section *section, const char *name) {
    char title[256];
    char *rest = NULL;
    il_section_title(section, title, sizeof title);
    if (strcasecmp(title, name) == 0) {
        return true;
    }
    for (char *part = strtok_r(title, ",", &rest); part != NULL;
         part = strtok_r(NULL, ",", &rest)) {
        if (strcasecmp(part + strspn(part, " "), name) == 0) {
            return true;
        }
    }
    return false;
}
