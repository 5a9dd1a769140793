/*
 * report_judged.c - the verdicts of all scripts, from their journals (harness/io/store/journal.h).
 */
#include <string.h>

#include "build_id.h"
#include "harness/base/json.h"
#include "harness/report/report_parts.h"

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

/* The place of a text in a list, added if it is new; most where there is no more room. */
static size_t place_of(const char **list, size_t *n, size_t most, const char *text) {
    size_t k = 0;
    while (k < *n && strcmp(list[k], text) != 0) {
        k++;
    }
    if (k == *n && k < most) {
        list[(*n)++] = text;
    }
    return k;
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
    if (strcmp(il_json_get_text(entry, "kind"), t->kind) != 0) {
        return;
    }
    size_t k = place_of(t->word, &t->n, WORDS, il_json_get_text(entry, "verdict"));
    if (k < WORDS) {
        t->count[k]++;
    }
    t->all++;
}

static tally tally_of(const il_report *r, const char *kind) {
    tally t = {.kind = kind, .word = {"PASS", "FAIL", "INCONCLUSIVE", "REPORTED"}, .n = 4};
    each(r, count, &t);
    return t;
}

static void put_tally(FILE *page, const char *head, const tally *t) {
    if (t->all == 0) {
        return;
    }
    (void)fprintf(page, "<ul class=\"tally\">\n<li class=\"head\">%s</li>\n", head);
    for (size_t k = 0; k < t->n; k++) {
        if (t->count[k] > 0) {
            il_report_put(page, "<li class=\"%\">", t->word[k]);
            (void)fprintf(page, "<b>%zu</b> ", t->count[k]);
            il_report_put(page, "%</li>\n", t->word[k]);
        }
    }
    (void)fputs("</ul>\n", page);
}

/* ---- the matrix ----------------------------------------------------------------------------- */

enum { PROBLEMS = 64, SCHEMES = 16 };

/* Problems by schemes, each with its order in the main norm: u_L1, or what there is without it. */
typedef struct {
    const char *problem[PROBLEMS], *scheme[SCHEMES];
    const json_t *entry[PROBLEMS][SCHEMES];
    size_t problems, schemes;
} matrix;

static void collect(void *data, const char *script, const json_t *entry) {
    (void)script;
    matrix *m = data;
    const char *scheme = il_json_get_text(entry, "scheme");
    if (scheme[0] == '\0') {
        return;
    }
    size_t p = place_of(m->problem, &m->problems, PROBLEMS, il_json_get_text(entry, "problem"));
    size_t s = place_of(m->scheme, &m->schemes, SCHEMES, scheme);
    if (p < PROBLEMS && s < SCHEMES &&
        (m->entry[p][s] == NULL || strcmp(il_json_get_text(entry, "norm"), "u_L1") == 0)) {
        m->entry[p][s] = entry;
    }
}

/* The figure of convergence of an order's sweep; NULL if there is none. */
static const il_report_entry *figure_of(const il_report *r, const json_t *order) {
    const char *sweep = il_json_get_text(order, "sweep");
    for (size_t k = 0; k < r->n && sweep[0] != '\0'; k++) {
        const il_report_entry *e = &r->entries[k];
        if (!e->table && strstr(e->name, "convergence") != NULL && strstr(e->name, sweep) != NULL) {
            return e;
        }
    }
    return NULL;
}

static void put_cell(FILE *page, const il_report *r, const json_t *entry) {
    if (entry == NULL) {
        (void)fputs("<td></td>", page);
        return;
    }
    const char *verdict = il_json_get_text(entry, "verdict");
    const json_t *order = json_object_get(entry, "order");
    const il_report_entry *figure = figure_of(r, entry);
    il_report_put(page, "<td class=\"%\" title=\"%\">", verdict, il_json_get_text(entry, "text"));
    if (figure != NULL) {
        il_report_put(page, "<a href=\"#%\">", figure->anchor);
    }
    if (json_is_number(order)) {
        (void)fprintf(page, "%.2f ", json_number_value(order));
    }
    il_report_put(page, figure != NULL ? "%</a> <small>%</small></td>" : "% <small>%</small></td>",
                  verdict, il_json_get_text(entry, "norm"));
}

static void put_matrix(FILE *page, const il_report *r) {
    matrix m = {.problems = 0};
    each(r, collect, &m);
    if (m.problems == 0) {
        return;
    }
    (void)fputs(
        "<h2>Orders at a glance</h2>\n<div class=\"long\"><div class=\"wide\" tabindex=\"0\" "
        "role=\"region\" aria-label=\"orders at a glance\"><table class=\"matrix\" "
        "aria-label=\"orders by problem and scheme\">\n<thead>\n<tr><th "
        "scope=\"col\">problem</th>",
        page);
    for (size_t s = 0; s < m.schemes; s++) {
        il_report_put(page, "<th scope=\"col\">%</th>", m.scheme[s]);
    }
    (void)fputs("</tr>\n</thead>\n<tbody>\n", page);
    for (size_t p = 0; p < m.problems; p++) {
        il_report_put(page, "<tr><th scope=\"row\" class=\"t\">%</th>", m.problem[p]);
        for (size_t s = 0; s < m.schemes; s++) {
            put_cell(page, r, m.entry[p][s]);
        }
        (void)fputs("</tr>\n", page);
    }
    (void)fputs("</tbody>\n</table></div></div>\n", page);
}

/* ---- the claims of the papers ---------------------------------------------------------------- */

static tally tally_of_claims(const il_report *r) {
    tally t = {.kind = "", .word = {"PASS", "FAIL", "INCONCLUSIVE", "FINDING"}, .n = 4};
    size_t k = 0;
    const json_t *row = NULL;
    json_array_foreach(r->claims, k, row) {
        count(&t, NULL, row); /* a row has no kind */
    }
    return t;
}

static void put_claims(FILE *page, const il_report *r) {
    size_t k = 0;
    const json_t *row = NULL;
    json_array_foreach(r->claims, k, row) {
        il_report_put(
            page,
            "<tr><td>%</td><td>%</td><th scope=\"row\" class=\"t\">% on %: %</th><td></td>"
            "<td>claim</td><td>verify</td></tr>\n",
            il_json_get_text(row, "verdict"), il_json_get_text(row, "scheme"),
            il_json_get_text(row, "id"), il_json_get_text(row, "problem"),
            il_json_get_text(row, "what"));
    }
}

/* ---- the part of the page ------------------------------------------------------------------- */

static void put_finding(void *data, const char *script, const json_t *entry) {
    FILE *page = data;
    (void)script;
    if (strcmp(il_json_get_text(entry, "kind"), "finding") == 0) {
        il_report_put(page, "<li>%</li>\n", il_json_get_text(entry, "text"));
    }
}

/* What was judged names the row. */
static void put_verdict(void *data, const char *script, const json_t *entry) {
    FILE *page = data;
    il_report_put(page,
                  "<tr><td>%</td><td>%</td><th scope=\"row\" class=\"t\">%</th><td>%</td><td>%</td>"
                  "<td>%</td></tr>\n",
                  il_json_get_text(entry, "verdict"), il_json_get_text(entry, "scheme"),
                  il_json_get_text(entry, "text"), il_json_get_text(entry, "norm"),
                  il_json_get_text(entry, "kind"), script);
}

void il_report_put_judged(FILE *page, const il_report *r) {
    const tally orders = tally_of(r, "order");
    const tally limits = tally_of(r, "limits");
    const tally findings = tally_of(r, "finding");
    const tally claims = tally_of_claims(r);
    size_t all = orders.all + limits.all + findings.all + claims.all;
    if (all == 0) {
        return;
    }
    (void)fputs("<section id=\"judged\" aria-labelledby=\"found\">\n", page);
    put_matrix(page, r);
    (void)fputs("<h2 id=\"found\">What was found</h2>\n", page);
    if (findings.all > 0) {
        (void)fputs("<ul>\n", page);
        each(r, put_finding, page);
        (void)fputs("</ul>\n", page);
    }
    put_tally(page, "Orders", &orders);
    put_tally(page, "Limits of sequences of steps", &limits);
    put_tally(page, "Claims of the papers", &claims);
    (void)fprintf(page,
                  "<details open>\n<summary>All %zu verdicts</summary>\n<div class=\"long\"><div "
                  "class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"verdicts\"><table "
                  "aria-label=\"verdicts\">\n"
                  "<thead>\n<tr><th scope=\"col\" data-filter>verdict</th><th scope=\"col\" "
                  "data-filter>scheme</th><th scope=\"col\">what was judged</th><th scope=\"col\" "
                  "data-filter>norm</th><th scope=\"col\">of</th><th "
                  "scope=\"col\">script</th></tr>\n</thead>\n"
                  "<tbody>\n",
                  all);
    each(r, put_verdict, page);
    put_claims(page, r);
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
        il_report_put(page, "<li>%, build %", il_json_get_text(journal, "script"),
                      il_json_get_text(journal, "build"));
        (void)fprintf(page, ", %lld cases</li>\n",
                      (long long)json_integer_value(json_array_get(cases, 1)));
    }
    (void)fputs(json_array_size(r->journals) > 0 ? "</ul>\n" : "", page);
    (void)fputs("</footer>\n", page);
}
