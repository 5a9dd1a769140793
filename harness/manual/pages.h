/*
 * pages.h - the pages of the manual: Markdown that the build takes from the checkout, and Markdown
 * that the program writes from its own tables. `help TOPIC` prints them, `help --html` makes a
 * browser's of them.
 */
#ifndef IL_MANUAL_PAGES_H
#define IL_MANUAL_PAGES_H

#include <stddef.h>

typedef struct {
    const char *path; /* in the checkout: "schemes/README.md"; links are relative to it */
    const char *text; /* [size] and a NUL */
    size_t size;
} il_page;

/* The page that the build took from path, NULL if there is none. */
const il_page *il_page_embedded(const char *path);

/* The style sheet of the pages. */
const char *il_page_style(void);

#endif
