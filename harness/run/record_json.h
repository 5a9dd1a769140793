/*
 * record_json.h - the record of a run as JSON, the form in which it is printed, stored and handed
 * to scripts. Numbers keep all their digits (%.17g); NaN and infinities become null.
 */
#ifndef IL_RECORD_JSON_H
#define IL_RECORD_JSON_H

#include <jansson.h>

#include "harness/base/params.h"
#include "harness/run/record.h"

/* {primal, dual, complementarity, stationarity, stationarity_relative}. */
json_t *il_certificate_json(const il_certificate *certificate);

/* The whole record. The caller owns it (json_decref). NULL when memory ran out. */
json_t *il_record_json(const il_record *record, const il_params *params);

#endif
