/*
 * report_parts.h - the data of a report and the parts of its page. Used only in harness/report.
 * Write errors stay with the stream.
 */
#ifndef IL_REPORT_PARTS_H
#define IL_REPORT_PARTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

struct il_report_summary; /* report.h */

/* A figure or a table that was stored. */
typedef struct {
    bool table;
    json_t *root; /* the manifest, whose "files" are names of files beside it; owned */
    const char *name, *caption;
    json_int_t order;    /* in its section; 0: by name, after those that have one */
    const char *section; /* its heading; "" for none */
    json_int_t rank;     /* of the section among sections; 0 behind the others */
    size_t number;       /* among figures, or among tables, as the page counts them */
    char anchor[32];     /* where it stands on the page: "figure-3" */
} il_report_entry;

typedef struct {
    const char *results, *out; /* folders */
    size_t n, capacity;
    size_t tables;            /* of the n entries */
    il_report_entry *entries; /* [n] section by section */
    time_t newest;            /* of the manifests */
    json_t *journals;         /* of scripts (harness/io/store/journal.h); owned */
    json_t *claims;   /* the rows of RESULTS/verify.json, as `verify --json` prints them, or NULL;
                       owned */
    json_t *troubles; /* sentences: what cannot be shown, and why; owned */
    const char *const *scripts; /* [nscripts] that are expected to have run */
    size_t nscripts;
    const char *manual; /* the address of the manual, or NULL */
} il_report;

/* The folder of its files, in the results and in the report: "figures" or "tables". */
const char *il_report_folder(const il_report_entry *entry);

/* The first of the entry's files that ends in suffix; NULL if there is none. */
const char *il_report_file(const il_report_entry *entry, const char *suffix);

/* Write html, each % in it replaced by the next of the texts, escaped. */
void il_report_put(FILE *page, const char *html, ...);

/* Write text with what HTML reads as its own escaped: its first n letters (bytes), or all if there
 * are fewer. */
void il_report_put_letters(FILE *page, const char *text, size_t n);

/* The page. */
void il_report_put_page(FILE *page, const il_report *report);

/* What failed and what is missing: the journals of the results folder, the scripts that are
 * expected, and what is broken in the folder itself, counted, and in one line; and the part of the
 * page that lists them, failed scripts first. */
void il_report_count_outcomes(const il_report *report, struct il_report_summary *summary);
void il_report_put_outcome(FILE *page, const il_report *report);

/* What the judges said in all scripts: findings in full, how often each verdict fell, and every
 * verdict in a table that filters. Nothing where nothing was judged. */
void il_report_put_judged(FILE *page, const il_report *report);

/* The scripts, the program that ran them and what they ran. */
void il_report_put_provenance(FILE *page, const il_report *report);

#endif
