/*
 * pages.c - what the build took from the checkout.
 */
#include "harness/manual/pages.h"

#include <string.h>

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
