/*
 * files.h - the case files of a results folder. Used only in harness/results.
 */
#ifndef IL_RESULTS_FILES_H
#define IL_RESULTS_FILES_H

#include <jansson.h>
#include <stddef.h>

#include "harness/base/status.h"
#include "harness/results/index_row.h"

typedef struct {
    il_index_file *list; /* [n] in the order of their names */
    size_t n;
    size_t aside; /* set aside as damaged beside them */
} il_results_files;

/* What there is; none where there is no folder RESULTS/cases. Links are not followed. IL_EIO names
 * the folder that cannot be looked at; IL_ENOMEM; IL_EINTERRUPTED. Free it in all cases. */
il_status il_results_files_list(const char *results, il_results_files *files, il_error *err);
void il_results_files_free(il_results_files *files);

/* Is there such a folder? IL_EINVAL says how one comes to be. */
il_status il_results_expect(const char *results, il_error *err);

/* "RESULTS/cases/AA/NAME.json", the caller's; NULL without memory. */
char *il_results_case_path(const char *results, const char *name);

/* The whole object of a case's file, the caller's, NULL when it is gone: sealed, of this name and
 * of its own key. IL_EINVAL: damaged, why says how; IL_EUNSUPPORTED: of a newer format, named, with
 * what to do; IL_EIO, IL_ENOMEM. */
il_status il_results_case_load(const char *results, const char *name, json_t **object,
                               il_error *why);

#endif
