/*
 * report_parts.h - what a report is made from. Between harness/report only.
 */
#ifndef IL_REPORT_PARTS_H
#define IL_REPORT_PARTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

/* A figure or a table that was stored. */
typedef struct {
    bool table;
    char *folder; /* where the manifest lies, from the results folder on: "figures/sub" */
    json_t *root; /* the manifest, whose "files" are names of files in folder; owned */
    const char *name, *caption;
    json_int_t order;    /* in its section; 0: by name, after those that have one */
    const char *section; /* its heading; "" for none */
    json_int_t rank;     /* of the section among sections; 0 behind the others */
    size_t number;       /* among figures, or among tables, as the page counts them */
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

/* base/folder/file of the entry, to be freed; NULL when memory is out. */
char *il_report_path(const char *base, const il_report_entry *entry, const char *file);

/* The first of the entry's files that ends in suffix; NULL if there is none. */
const char *il_report_file(const il_report_entry *entry, const char *suffix);

/* Write where the entry stands on the page: "figure-3". */
void il_report_put_anchor(FILE *page, const il_report_entry *entry);

#endif
