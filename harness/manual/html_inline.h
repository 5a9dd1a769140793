/*
 * html_inline.h - what stands inside a line of Markdown. Not for use outside harness/manual.
 */
#ifndef IL_MANUAL_HTML_INLINE_H
#define IL_MANUAL_HTML_INLINE_H

#include "harness/manual/markdown.h"

/* text[n]: `code`, *emphasis*, **weight**, [links](to), images as their words. */
void il_html_inline(FILE *out, const char *text, size_t n, const il_markdown_links *links);

#endif
