/*
 * pictures.h - the options of `impactlab run` for those who watch: --paraview, --frames,
 * --every,
 * --color, --series. Between harness/cli/run.c and pictures.c only.
 */
#ifndef IL_CLI_PICTURES_H
#define IL_CLI_PICTURES_H

#include <jansson.h>
#include <stdbool.h>

#include "harness/data/film.h"
#include "harness/data/history.h"
#include "harness/draw/movie.h"

typedef struct {
    const char *paraview, *frames; /* NULL: not asked for */
    size_t every;                  /* 0: not given */
    bool has_color, series;
    il_movie_color color;
    il_film film;
    il_history history;
    il_observer observers[2];
    size_t nobservers;
} il_cli_pictures;

/* Is name one of the options with a value? */
bool il_cli_pictures_option(const char *name);

/* Take its value; an exit status, after a complaint if it is not IL_EXIT_OK. */
int il_cli_pictures_parse(il_cli_pictures *pictures, const char *name, const char *value);

/* Do the options go together, and can the files be written? Then the observers are ready, which
 * point into pictures. */
il_status il_cli_pictures_check(il_cli_pictures *pictures, il_error *err);

/* Put the series into the record, if it was asked for. */
void il_cli_pictures_add_series(const il_cli_pictures *pictures, json_t *record);

/* Write what was asked for. */
il_status il_cli_pictures_write(const il_cli_pictures *pictures, il_error *err);

/* Print a line for each of what was written, "  wrote NAME: what is in it". */
void il_cli_pictures_print(const il_cli_pictures *pictures);

void il_cli_pictures_free(il_cli_pictures *pictures);

#endif
