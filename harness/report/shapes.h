/*
 * shapes.h - is a stored file what the page is made of?
 */
#ifndef IL_REPORT_SHAPES_H
#define IL_REPORT_SHAPES_H

#include <jansson.h>
#include <stdbool.h>

#include "harness/base/status.h"

/* IL_EINVAL, and what is missing, where root is no manifest of a figure or table by the name of
 * file. */
il_status il_report_manifest(const char *file, bool table, const json_t *root, il_error *why);

/* Rows as `verify --json` writes them. */
bool il_report_are_claims(const json_t *list);

#endif
