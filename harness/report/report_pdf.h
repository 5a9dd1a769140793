/*
 * report_pdf.h - the page of a report as a PDF, set by LuaLaTeX from the page itself (page.tex).
 */
#ifndef IL_REPORT_PDF_H
#define IL_REPORT_PDF_H

#include "harness/base/status.h"

/* Is there a lualatex? IL_EPLOT says what to install. The environment variable IMPACTLAB_LUALATEX
 * names another program to run, here and below. */
il_status il_report_pdf_can(il_error *err);

/* Set OUT/index.html as OUT/report.pdf, and leave OUT/report.tex, which `lualatex` sets again by
 * hand. report.pdf is replaced whole or not at all. Ten minutes at most. IL_EPLOT when lualatex
 * cannot be started, fails or takes longer: the message has its first complaint; IL_EIO,
 * IL_ENOMEM, IL_EINTERRUPTED. */
il_status il_report_pdf_write(const char *out, il_error *err);

#endif
