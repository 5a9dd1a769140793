/*
 * plot_words.c - a figure as text: "t = 0.3: z against x; coloured by load." What the curves show
 * is left to the caption.
 */
#include "harness/draw/plot_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/base/memory_stream.h"

static bool is_said(const char *text) {
    return text != NULL && text[0] != '\0';
}

/* The labels of a legend, each once; of discs what their colours mean. */
static void put_curves(FILE *out, const il_panel *p) {
    const char *glue = "; ";
    for (size_t k = 0; k < p->nseries; k++) {
        if (is_said(p->series[k].label)) {
            (void)fprintf(out, "%s%s", glue, p->series[k].label);
            glue = ", ";
        }
    }
    if (is_said(p->colorlabel)) {
        (void)fprintf(out, "; coloured by %s", p->colorlabel);
    }
}

static void put_panel(FILE *out, const il_panel *p) {
    (void)fprintf(out, "%s%s", is_said(p->title) ? p->title : "", is_said(p->title) ? ": " : "");
    (void)fprintf(out, "%s against %s", is_said(p->ylabel) ? p->ylabel : "y",
                  is_said(p->xlabel) ? p->xlabel : "x");
    if (p->logx || p->logy) {
        (void)fprintf(out, " on %s",
                      p->logx && p->logy ? "logarithmic scales"
                      : p->logx          ? "a logarithmic scale of x"
                                         : "a logarithmic scale of y");
    }
    put_curves(out, p);
    (void)fputs(".", out);
}

char *il_plot_words(const il_figure *figure) {
    il_memory_stream out;
    if (il_memory_stream_open(&out)) {
        for (size_t k = 0; k < figure->npanels; k++) {
            (void)fputs(k > 0 ? " " : "", out.file);
            put_panel(out.file, &figure->panels[k]);
        }
    }
    if (!il_memory_stream_close(&out)) {
        free(out.text);
        return NULL;
    }
    return out.text;
}
