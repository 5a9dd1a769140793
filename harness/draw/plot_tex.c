/*
 * plot_tex.c - texts for LaTeX: "2·10⁻⁴ µs, u_L1" becomes "2$\\cdot$10$^{-4}$ $\\mu$s, u\\_L1".
 */
#include "harness/draw/plot_parts.h"

#include <string.h>

/* Letters that LaTeX reads as commands, and letters of UTF-8 that not every engine has. */
static const char *const LETTER[][2] = {
    {"\\", "\\textbackslash{}"},
    {"^", "\\textasciicircum{}"},
    {"~", "\\textasciitilde{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"%", "\\%"},
    {"_", "\\_"},
    {"<", "$<$"},
    {">", "$>$"},
    {"|", "$|$"},
    {"·", "$\\cdot$"},
    {"×", "$\\times$"},
    {"−", "$-$"},
    {"±", "$\\pm$"},
    {"≤", "$\\le$"},
    {"≥", "$\\ge$"},
    {"≈", "$\\approx$"},
    {"∞", "$\\infty$"},
    {"√", "$\\surd$"},
    {"µ", "$\\mu$"},
    {"α", "$\\alpha$"},
    {"β", "$\\beta$"},
    {"γ", "$\\gamma$"},
    {"δ", "$\\delta$"},
    {"ε", "$\\varepsilon$"},
    {"η", "$\\eta$"},
    {"θ", "$\\theta$"},
    {"λ", "$\\lambda$"},
    {"μ", "$\\mu$"},
    {"π", "$\\pi$"},
    {"ρ", "$\\rho$"},
    {"σ", "$\\sigma$"},
    {"τ", "$\\tau$"},
    {"φ", "$\\varphi$"},
    {"ω", "$\\omega$"},
    {"Δ", "$\\Delta$"},
};

static const char *const RAISED[][2] = {{"⁻", "-"}, {"⁺", "+"}, {"⁰", "0"}, {"¹", "1"}, {"²", "2"},
                                        {"³", "3"}, {"⁴", "4"}, {"⁵", "5"}, {"⁶", "6"}, {"⁷", "7"},
                                        {"⁸", "8"}, {"⁹", "9"}, {"ᵏ", "k"}, {"ᵐ", "m"}};

/* The second of the pair whose first begins text, and its length; NULL for none. */
static const char *meaning(const char *const (*pairs)[2], size_t n, const char *text,
                           size_t *length) {
    for (size_t k = 0; k < n; k++) {
        *length = strlen(pairs[k][0]);
        if (strncmp(text, pairs[k][0], *length) == 0) {
            return pairs[k][1];
        }
    }
    return NULL;
}

/* As gnuplot wants it within single quotes: see put_string in plot_script.c. */
static void put_letter(FILE *out, char c) {
    if (c == '\'') {
        (void)fputs("'.\"'\".'", out);
    } else {
        (void)fputc((unsigned char)c < 0x20 || c == 0x7f ? ' ' : c, out);
    }
}

/* Raised letters in a row are one exponent. Returns what is behind them. */
static const char *put_raised(FILE *out, const char *text) {
    static const size_t n = sizeof RAISED / sizeof *RAISED;
    size_t length = 0;
    const char *own = meaning(RAISED, n, text, &length);
    if (own == NULL) {
        return text;
    }
    (void)fputs("$^{", out);
    for (; own != NULL; own = meaning(RAISED, n, text, &length)) {
        (void)fputs(own, out);
        text += length;
    }
    (void)fputs("}$", out);
    return text;
}

static const char *spelt(const il_figure *figure, const char *text) {
    for (size_t k = 0; figure != NULL && k < figure->nspelt; k++) {
        if (strcmp(figure->spelt[k].text, text) == 0) {
            return figure->spelt[k].tex;
        }
    }
    return NULL;
}

void il_plot_put_tex(FILE *out, const il_figure *figure, const char *text) {
    text = text != NULL ? text : "";
    const char *other = spelt(figure, text);
    (void)fputc('\'', out);
    for (; other != NULL && *other != '\0'; other++) {
        put_letter(out, *other);
    }
    while (other == NULL && *text != '\0') {
        size_t length = 0;
        const char *behind = put_raised(out, text);
        if (behind > text) {
            text = behind;
            continue;
        }
        const char *tex = meaning(LETTER, sizeof LETTER / sizeof *LETTER, text, &length);
        if (tex != NULL) {
            (void)fputs(tex, out);
            text += length;
        } else {
            put_letter(out, *text++);
        }
    }
    (void)fputc('\'', out);
}
