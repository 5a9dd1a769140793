/*
 * stored.h - is a stored record that of its key?
 */
#ifndef IL_STORED_H
#define IL_STORED_H

#include <jansson.h>

#include "harness/base/status.h"

/* An il_store_judge (harness/io/store/store.h) for records of cases: problem, parameters, scheme,
 * projector, steps, h and build are those of the key (il_case_key), and the status is one that
 * there is. IL_EINVAL names the first that is not; IL_ENOMEM. */
il_status il_stored_judge(const char *key, const json_t *record, il_error *why);

#endif
