/*
 * stored.h - is a stored record that of its key?
 *
 * The key of a case is il_case_key's, a JSON object. A study that is stored as a whole, lab.sweep's
 * limits, is under a line that says what it is and the keys of its cases, a line each; its record
 * has the array `records` of those that ended well.
 */
#ifndef IL_STORED_H
#define IL_STORED_H

#include <jansson.h>
#include <stdbool.h>

#include "harness/base/status.h"

/* What the key of a study of limits begins with. */
#define IL_STORED_LIMITS "limits 1 "

/* Is this the key of a study? */
bool il_stored_is_study(const char *key);

/* The key of a case as the object that it is, or of a study that of its first case; the caller's,
 * NULL after a failure. IL_EINVAL: it is neither; IL_ENOMEM. */
il_status il_stored_parse_key(const char *key, json_t **object, il_error *err);

/* An il_store_judge (harness/io/store.h) for records of cases: problem, parameters, scheme,
 * projector, steps, h and build are those of the key, and the status is one that there is; for a
 * study: it has records, each with such a status, at most one a case. IL_EINVAL names the first
 * that is not; IL_ENOMEM. */
il_status il_stored_judge(const char *key, const json_t *record, il_error *why);

#endif
