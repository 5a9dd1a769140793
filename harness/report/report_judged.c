/*
 * report_judged.c - the verdicts of all scripts, from their journals (harness/io/store/journal.h).
 */
#include "harness/report/report_judged.h"

#include <stdbool.h>
#include <string.h>

#include "build_id.h"
#include "harness/base/json.h"
#include "harness/report/report_text.h"

/* Visit every entry of every journal. */
static void each(const il_report *r, void (*visit)(void *, const char *, const json_t *),
                 void *data) {
    size_t k = 0;
    const json_t *journal = NULL;
    json_array_foreach(r->journals, k, journal) {
        size_t i = 0;
        const json_t *entry = NULL;
        json_array_foreach(json_object_get(journal, "judged"), i, entry) {
            visit(data, json_string_value(json_object_get(journal, "script")), entry);
        }
    }
}

/* ---- counts --------------------------------------------------------------------------------- */

enum { WORDS = 16 };

/* The different verdicts on one kind of thing, in the order in which a reader wants them. */
typedef struct {
    const char *kind;
    const char *word[WORDS];
    size_t count[WORDS];
    size_t n, all;
} tally;

static void count(void *data, const char *script, const json_t *entry) {
    (void)script;
    tally *t = data;
    const char *word = il_json_get_text(entry, "verdict");
    size_t k = 0;
    if (strcmp(il_json_get_text(entry, "kind"), t->kind) != 0) {
        return;
    }
    while (k < t->n && strcmp(t->word[k], word) != 0) {
        k++;
    }
    if (k == t->n && t->n < WORDS) {
        t->word[t->n++] = word;
    }
    if (k < t->n) {
        t->count[k]++;
    }
    t->all++;
}

static tally tally_of(const il_report *r, const char *kind) {
    tally t = {.kind = kind, .word = {"FAIL", "INCONCLUSIVE", "PASS", "REPORTED"}, .n = 4};
    each(r, count, &t);
    return t;
}

/* A word of ours as a class name; what a file says otherwise has none. */
static const char *class_of(const char *word) {
    static const char *const known[] = {"FAIL", "INCONCLUSIVE", "PASS"};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(word, known[k]) == 0) {
            return known[k];
        }
    }
    return "";
}

static void put_tally(FILE *page, const char *head, const tally *t) {
    if (t->all == 0) {
        return;
    }
    (void)fprintf(page, "<ul class=\"tally\">\n<li class=\"head\">%s</li>\n", head);
    for (size_t k = 0; k < t->n; k++) {
        if (t->count[k] > 0) {
            (void)fprintf(page, "<li class=\"%s\"><b>%zu</b> ", class_of(t->word[k]), t->count[k]);
            il_report_put_text(page, t->word[k]);
            (void)fputs("</li>\n", page);
        }
    }
    (void)fputs("</ul>\n", page);
}

/* ---- the part of the page ------------------------------------------------------------------- */

static void put_finding(void *data, const char *script, const json_t *entry) {
    FILE *page = data;
    (void)script;
    if (strcmp(il_json_get_text(entry, "kind"), "finding") == 0) {
        (void)fputs("<li>", page);
        il_report_put_text(page, il_json_get_text(entry, "text"));
        (void)fputs("</li>\n", page);
    }
}

static void put_verdict(void *data, const char *script, const json_t *entry) {
    FILE *page = data;
    const char *const cell[] = {il_json_get_text(entry, "verdict"), il_json_get_text(entry, "kind"),
                                il_json_get_text(entry, "text"), script};
    (void)fputs("<tr>", page);
    for (size_t k = 0; k < sizeof cell / sizeof *cell; k++) { /* what was judged names the row */
        (void)fputs(k == 2 ? "<th scope=\"row\" class=\"t\">" : "<td>", page);
        il_report_put_text(page, cell[k]);
        (void)fputs(k == 2 ? "</th>" : "</td>", page);
    }
    (void)fputs("</tr>\n", page);
}

void il_report_put_judged(FILE *page, const il_report *r) {
    const tally orders = tally_of(r, "order");
    const tally limits = tally_of(r, "limits");
    const tally findings = tally_of(r, "finding");
    size_t all = orders.all + limits.all + findings.all;
    if (all == 0) {
        return;
    }
    (void)fputs(
        "<section id=\"judged\" aria-labelledby=\"found\">\n<h2 id=\"found\">What was found</h2>\n",
        page);
    if (findings.all > 0) {
        (void)fputs("<ul>\n", page);
        each(r, put_finding, page);
        (void)fputs("</ul>\n", page);
    }
    put_tally(page, "Orders", &orders);
    put_tally(page, "Limits of sequences of steps", &limits);
    (void)fprintf(page,
                  "<details>\n<summary>All %zu verdicts</summary>\n<div class=\"long\"><div "
                  "class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"verdicts\"><table "
                  "aria-label=\"verdicts\">\n"
                  "<thead>\n<tr><th scope=\"col\">verdict</th><th scope=\"col\">of</th><th "
                  "scope=\"col\">what was judged</th><th scope=\"col\">script</th></tr>\n</thead>\n"
                  "<tbody>\n",
                  all);
    each(r, put_verdict, page);
    (void)fputs("</tbody>\n</table></div></div>\n</details>\n</section>\n", page);
}

/* ---- provenance ----------------------------------------------------------------------------- */

void il_report_put_provenance(FILE *page, const il_report *r) {
    (void)fprintf(page,
                  "<footer class=\"provenance\">\n<h2>Where this comes from</h2>\n<p>impactlab %s, "
                  "build %s wrote the page from what is stored; it ran nothing.</p>\n",
                  IL_VERSION, IL_BUILD_ID);
    size_t k = 0;
    const json_t *journal = NULL;
    (void)fputs(json_array_size(r->journals) > 0 ? "<ul>\n" : "", page);
    json_array_foreach(r->journals, k, journal) {
        json_t *cases = json_object_get(json_object_get(journal, "counts"), "cases");
        (void)fputs("<li>", page);
        il_report_put_text(page, il_json_get_text(journal, "script"));
        (void)fputs(", build ", page);
        il_report_put_text(page, il_json_get_text(journal, "build"));
        (void)fprintf(page, ", %lld cases</li>\n",
                      (long long)json_integer_value(json_array_get(cases, 1)));
    }
    (void)fputs(json_array_size(r->journals) > 0 ? "</ul>\n" : "", page);
    (void)fputs("</footer>\n", page);
}
