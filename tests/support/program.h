/*
 * program.h - the program, run as a user would, and its JSON taken apart. The program is the one
 * named by IMPACTLAB, else the one beside this suite.
 */
#ifndef IL_TESTS_PROGRAM_H
#define IL_TESTS_PROGRAM_H

#include <jansson.h>

/* The output of `impactlab LINE`, words of line parted by spaces; *status is its exit status, -1 if
 * it was killed. The caller frees. */
char *il_program_output(const char *line, int *status);

/* The one JSON object that `impactlab LINE` prints, and nothing else. The caller decrefs. */
json_t *il_program_object(const char *line);

/* Member "a.b" of object, NULL if there is none; as a number, its element k as a number, NaN if it
 * is none; as text, "(none)" if it is none. All owned by object. */
json_t *il_json_at(json_t *object, const char *path);
double il_json_number_at(json_t *object, const char *path);
double il_json_element_at(json_t *object, const char *path, size_t k);
const char *il_json_text_at(json_t *object, const char *path);

#endif
