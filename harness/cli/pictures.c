/*
 * pictures.c - what `impactlab run` keeps of its steps besides the record: a film for pictures,
 * a series of numbers.
 */
#include "harness/cli/pictures.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/cli/cli.h"
#include "harness/io/vtk.h"

bool il_cli_pictures_option(const char *name) {
    return strcmp(name, "--paraview") == 0 || strcmp(name, "--frames") == 0 ||
           strcmp(name, "--every") == 0 || strcmp(name, "--color") == 0;
}

int il_cli_pictures_parse(il_cli_pictures *w, const char *name, const char *value) {
    if (strcmp(name, "--every") == 0) {
        if (!il_text_count(value, &w->every) || w->every == 0) {
            return il_cli_usage("run", "--every is '%s'; allowed: an integer >= 1", value);
        }
    } else if (strcmp(name, "--color") == 0) {
        bool load = strcmp(value, "load") == 0;
        if (!load && strcmp(value, "speed") != 0) {
            return il_cli_usage("run", "--color is '%s'; allowed: speed, load", value);
        }
        w->color = load ? IL_COLOR_LOAD : IL_COLOR_SPEED;
        w->has_color = true;
    } else if (value[0] == '\0') {
        return il_cli_usage("run", "%s is ''; allowed: a name", name);
    } else if (strcmp(name, "--frames") == 0) {
        w->frames = value;
    } else {
        w->paraview = value;
    }
    return IL_EXIT_OK;
}

/* Do FILE.pvd's folder FILE and the frames' go by one name? */
static bool same_folder(const char *paraview, const char *frames) {
    size_t n = strlen(paraview) - strlen(".pvd");
    return strncmp(paraview, frames, n) == 0 && frames[n + strspn(frames + n, "/")] == '\0';
}

il_status il_cli_pictures_check(il_cli_pictures *w, il_error *err) {
    il_status status = IL_OK;
    if (w->every > 0 && w->paraview == NULL && w->frames == NULL) {
        status = il_fail(err, IL_EINVAL, "--every goes with --paraview or --frames");
    } else if (w->has_color && w->frames == NULL) {
        status = il_fail(err, IL_EINVAL, "--color goes with --frames");
    }
    if (status == IL_OK && w->paraview != NULL) {
        status = il_vtk_check_path(w->paraview, err);
    }
    if (status == IL_OK && w->frames != NULL) {
        status = il_movie_check(w->frames, err);
    }
    if (status == IL_OK && w->paraview != NULL && w->frames != NULL &&
        same_folder(w->paraview, w->frames)) {
        status =
            il_fail(err, IL_EINVAL, "--frames and --paraview both need the folder '%s'", w->frames);
    }
    if (w->paraview != NULL || w->frames != NULL) {
        w->film.every = w->every > 0 ? w->every : 1;
        w->observers[w->nobservers++] = il_film_observer(&w->film);
    }
    if (w->series) {
        w->observers[w->nobservers++] = il_history_observer(&w->history);
    }
    return status;
}

void il_cli_pictures_add_series(const il_cli_pictures *w, json_t *record) {
    if (w->series && record != NULL) {
        il_history_put(&w->history, record);
    }
}

il_status il_cli_pictures_write(const il_cli_pictures *w, il_error *err) {
    il_status status = IL_OK;
    if (w->paraview != NULL) {
        status = il_vtk_write(&w->film, w->paraview, err);
    }
    if (status == IL_OK && w->frames != NULL) {
        status = il_movie_write(&w->film, w->color, w->frames, err);
    }
    return status;
}

void il_cli_pictures_print(const il_cli_pictures *w) {
    if (w->paraview != NULL) {
        (void)printf("  wrote %s: %zu nodes for ParaView\n", w->paraview, w->film.n);
    }
    if (w->frames != NULL) {
        (void)printf("  wrote %s: %zu frames\n", w->frames, w->film.n);
    }
}

void il_cli_pictures_free(il_cli_pictures *w) {
    il_film_free(&w->film);
    il_history_free(&w->history);
}
