/*
 * origin.h - what figures and tables were made from, as their manifests tell.
 */
#ifndef IL_RESULTS_ORIGIN_H
#define IL_RESULTS_ORIGIN_H

#include <jansson.h>

#include "harness/base/status.h"

/* The manifest of the figure or table that is called so, or of which this is a file, whatever its
 * folder; the caller's, with its path as "manifest". IL_EINVAL: there is none, with what there is
 * that is called similarly; it is damaged; or it is of a time when nobody kept what figures are
 * made from. IL_EUNSUPPORTED, IL_EIO, IL_ENOMEM. */
il_status il_results_manifest(const char *results, const char *figure, json_t **manifest,
                              il_error *err);

/* Names of all cases that a figure or table of the folder was made from: an object whose keys they
 * are; and how many manifests could not be read. The caller's. */
il_status il_results_drawn(const char *results, json_t **names, size_t *unread, il_error *err);

#endif
