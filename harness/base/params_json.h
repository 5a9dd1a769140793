/*
 * params_json.h - parameters as JSON (json.c).
 */
#ifndef IL_BASE_PARAMS_JSON_H
#define IL_BASE_PARAMS_JSON_H

#include <jansson.h>

#include "harness/base/params.h"

/* All parameters as they were used: numbers, choices, vectors; null for those without a value. The
 * caller's; NULL when memory ran out. */
json_t *il_params_json(const il_params *params);

#endif
