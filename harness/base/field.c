/*
 * field.c - structs as JSON, by the tables of their fields.
 */
#include "harness/base/field.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put(json_t *object, const char *key, const il_field *f, const void *at) {
    double x = f->kind == IL_FIELD_REAL || f->kind == IL_FIELD_WHOLE ? *(const double *)at : 0.0;
    if (f->kind == IL_FIELD_REAL) {
        il_json_put(object, key, x);
    } else if (f->kind == IL_FIELD_WHOLE) {
        il_json_set(object, key, isfinite(x) ? json_integer((json_int_t)x) : json_null());
    } else if (f->kind == IL_FIELD_COUNT) {
        il_json_put_count(object, key, *(const size_t *)at);
    } else if (f->kind == IL_FIELD_ADDED) {
        f->add(object, key, at);
    } else if (f->kind == IL_FIELD_TEXT || *(const char *const *)at != NULL) {
        il_json_put_text(object, key, *(const char *const *)at);
    }
}

/* The object in which a path ends, and *key, its last name there. */
static json_t *object_of(json_t *object, const char **key) {
    const char *dot = NULL;
    for (; (dot = strchr(*key, '.')) != NULL; *key = dot + 1) {
        char name[40];
        (void)snprintf(name, sizeof name, "%.*s", (int)(dot - *key), *key);
        if (json_object_get(object, name) == NULL) {
            il_json_set(object, name, json_object());
        }
        object = json_object_get(object, name);
    }
    return object;
}

void il_field_put(json_t *object, const il_field *fields, const void *from) {
    for (const il_field *f = fields; f->path != NULL; f++) {
        const char *key = f->path;
        json_t *in = object_of(object, &key);
        if (f->kind != IL_FIELD_NONE) {
            put(in, key, f, (const char *)from + f->at);
        }
    }
}

json_t *il_field_json(const il_field *fields, const void *from) {
    json_t *object = json_object();
    il_field_put(object, fields, from);
    return object;
}

const il_field *il_field_find(const il_field *fields, const char *path) {
    for (const il_field *f = fields; f->path != NULL; f++) {
        if (strcmp(f->path, path) == 0) {
            return f;
        }
    }
    return NULL;
}
