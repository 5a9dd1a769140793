/*
 * json.h - numbers as JSON has them. All digits are kept (%.17g); NaN and infinities, which JSON
 * lacks, become null.
 */
#ifndef IL_JSON_H
#define IL_JSON_H

#include <jansson.h>
#include <stddef.h>

/* x, or null if it is not finite. NULL when memory ran out. */
json_t *il_json_number(double x);

/* The array of x[n], as il_json_number has each. */
json_t *il_json_numbers(const double *x, size_t n);

/* One line of JSON text for a value. The caller frees it. */
char *il_json_text(const json_t *value);

#endif
