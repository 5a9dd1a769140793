/*
 * report_outcome.c - how the scripts ended: their journals, read and counted.
 */
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/io/store/journal.h"
#include "harness/report/report.h"
#include "harness/report/report_parts.h"

typedef enum { WELL, FAILED, MISSING } outcome;

/* ---- one script ----------------------------------------------------------------------------- */

static bool ended_so(const json_t *journal, const char *ending) {
    return strcmp(il_json_get_text(journal, "ending"), ending) == 0;
}

/* Of a script's journal; NULL is that of a script that has not run. One that was killed by other
 * means than an interruption has failed. */
static outcome outcome_of(const json_t *journal) {
    if (journal == NULL || ended_so(journal, "interrupted") || ended_so(journal, "missing")) {
        return MISSING;
    }
    return ended_so(journal, "ok") ? WELL : FAILED;
}

/* "3 of 12 checks, 1 of 40 cases" that failed, or with failures false what there was in all. */
static void tell_counts(const json_t *journal, bool failures, char *out, size_t capacity) {
    const char *what = NULL;
    json_t *pair = NULL;
    const char *glue = "";
    json_object_foreach(json_object_get(journal, "counts"), what, pair) {
        json_int_t failed = json_integer_value(json_array_get(pair, 0));
        json_int_t all = json_integer_value(json_array_get(pair, 1));
        if (failures && failed > 0) {
            il_text_append(out, capacity, "%s%lld of %lld %s", glue, (long long)failed,
                           (long long)all, what);
            glue = ", ";
        } else if (!failures && all > 0) {
            il_text_append(out, capacity, "%s%lld %s", glue, (long long)all, what);
            glue = ", ";
        }
    }
}

/* What became of it, in a few words. */
static void tell(const json_t *journal, char *out, size_t capacity) {
    out[0] = '\0';
    if (journal == NULL) {
        il_text_append(out, capacity, "has not run");
    } else if (ended_so(journal, "ok")) {
        tell_counts(journal, false, out, capacity);
    } else if (ended_so(journal, "failed")) {
        tell_counts(journal, true, out, capacity);
        il_text_append(out, capacity, " failed");
    } else if (ended_so(journal, "error")) {
        il_text_append(out, capacity, "ended by an error");
    } else if (ended_so(journal, "interrupted")) {
        il_text_append(out, capacity, "was interrupted");
    } else if (ended_so(journal, "missing")) {
        il_text_append(out, capacity, "is without its cases of other shards");
    } else {
        il_text_append(out, capacity, "did not come to its end: it was killed, or still runs");
    }
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* Call visit for every script: those that are expected, in their order, then the others. */
static void each(const il_report *r, void (*visit)(void *, const char *, const json_t *),
                 void *data) {
    size_t k = 0;
    const json_t *journal = NULL;
    for (size_t i = 0; i < r->nscripts; i++) { /* with whatever arguments it was called */
        bool found = false;
        json_array_foreach(r->journals, k, journal) {
            if (strcmp(il_json_get_text(journal, "script"), r->scripts[i]) == 0) {
                visit(data, r->scripts[i], journal);
                found = true;
            }
        }
        if (!found) {
            visit(data, r->scripts[i], NULL);
        }
    }
    json_array_foreach(r->journals, k, journal) {
        const char *script = il_json_get_text(journal, "script");
        bool expected = false;
        for (size_t i = 0; i < r->nscripts; i++) {
            expected = expected || strcmp(script, r->scripts[i]) == 0;
        }
        if (!expected) {
            visit(data, script, journal);
        }
    }
}

typedef struct {
    il_report_summary *sum;
    char list[400];  /* the scripts that did not end well, and how */
    char first[300]; /* place and text of the first failure */
} summary;

static void sum_up(void *data, const char *script, const json_t *journal) {
    summary *s = data;
    char words[200];
    outcome found = outcome_of(journal);
    s->sum->scripts++;
    s->sum->failed += found == FAILED;
    s->sum->missing += found == MISSING;
    if (found == WELL) {
        return;
    }
    tell(journal, words, sizeof words);
    il_text_append(s->list, sizeof s->list, "%s%s %s", s->list[0] != '\0' ? "; " : "", script,
                   words);
    const json_t *failure = json_array_get(json_object_get(journal, "failures"), 0);
    if (failure != NULL && s->first[0] == '\0') {
        const char *place = il_json_get_text(failure, "place");
        il_text_append(s->first, sizeof s->first, "; first %s%s%s %s", place,
                       place[0] != '\0' ? ": " : "", il_json_get_text(failure, "kind"),
                       il_json_get_text(failure, "text"));
    }
}

void il_report_count_outcomes(const il_report *r, il_report_summary *sum) {
    summary s = {.sum = sum};
    sum->scripts = sum->failed = sum->missing = 0;
    each(r, sum_up, &s);
    size_t broken = json_array_size(r->troubles);
    if (broken > 0) {
        il_text_append(s.list, sizeof s.list, "%s%zu figure%s or table%s cannot be shown",
                       s.list[0] != '\0' ? "; " : "", broken, broken == 1 ? "" : "s",
                       broken == 1 ? "" : "s");
        sum->failed += broken;
    }
    sum->line[0] = '\0';
    if (s.list[0] != '\0') {
        il_text_append(sum->line, sizeof sum->line, "%s: %s%s",
                       sum->missing > 0 ? "incomplete" : "failed", s.list, s.first);
        for (char *c = sum->line; *c != '\0'; c++) {
            if (*c == '\n' || *c == '\r') {
                *c = ' ';
            }
        }
    }
}

/* ---- on the page ---------------------------------------------------------------------------- */

static void put_failures(FILE *page, const json_t *journal) {
    size_t k = 0;
    const json_t *failure = NULL;
    const json_t *list = json_object_get(journal, "failures");
    if (json_array_size(list) > 0) {
        (void)fputs("<ul>\n", page);
        json_array_foreach(list, k, failure) {
            il_report_put(page, "<li><code>%</code> %: %</li>\n",
                          il_json_get_text(failure, "place"), il_json_get_text(failure, "kind"),
                          il_json_get_text(failure, "text"));
        }
        (void)fputs("</ul>\n", page);
    }
    if (ended_so(journal, "error") && il_json_get_text(journal, "traceback")[0] != '\0') {
        il_report_put(page, "<pre>%</pre>\n", il_json_get_text(journal, "traceback"));
    } else if (ended_so(journal, "interrupted") || ended_so(journal, "missing")) {
        il_report_put(page, "<p>%</p>\n", il_json_get_text(journal, "reason"));
    }
}

static void put_bad(void *data, const char *script, const json_t *journal) {
    FILE *page = data;
    char words[200];
    if (outcome_of(journal) == WELL) {
        return;
    }
    tell(journal, words, sizeof words);
    il_report_put(page, "<li><b>%</b> %.\n", script, words);
    put_failures(page, journal);
    (void)fputs("</li>\n", page);
}

static void put_good(void *data, const char *script, const json_t *journal) {
    FILE *page = data;
    char words[200];
    if (outcome_of(journal) == WELL) {
        tell(journal, words, sizeof words);
        il_report_put(page, "<li>%%%</li>\n", script, words[0] != '\0' ? ": " : "", words);
    }
}

static void put_troubles(FILE *page, const il_report *r) {
    size_t k = 0;
    const json_t *trouble = NULL;
    json_array_foreach(r->troubles, k, trouble) {
        il_report_put(page, "<li>Not shown: %</li>\n", json_string_value(trouble));
    }
}

void il_report_put_outcome(FILE *page, const il_report *r) {
    il_report_summary o;
    il_report_count_outcomes(r, &o);
    size_t bad = o.failed + o.missing;
    if (bad > 0) {
        size_t scripts = bad - json_array_size(r->troubles);
        (void)fputs("<section class=\"bad\" id=\"failures\" "
                    "aria-labelledby=\"failed\">\n<h2 id=\"failed\">Failures</h2>\n",
                    page);
        if (scripts > 0) {
            (void)fprintf(page,
                          "<p>%zu of %zu script%s did not end well. What they draw may be missing "
                          "below, or older than the rest.</p>\n",
                          scripts, o.scripts, o.scripts == 1 ? "" : "s");
        }
        (void)fputs("<ul>\n", page);
        put_troubles(page, r);
        each(r, put_bad, page);
        (void)fputs("</ul>\n</section>\n", page);
    }
    if (o.scripts > 0 && bad < o.scripts + json_array_size(r->troubles)) {
        (void)fprintf(page, "<details%s>\n<summary>%s scripts ended well</summary>\n<ul>\n",
                      " class=\"about\"", bad > 0 ? "The other" : "All");
        each(r, put_good, page);
        (void)fputs("</ul>\n</details>\n", page);
    }
}
