/*
 * publish.h - the files of a figure or a table, and the manifest that names them for reports. They
 * are made in a scratch folder and synced before the first is renamed into place; the manifest
 * comes last. Used in harness/draw, and for tables in harness/lua/draw.
 */
#ifndef IL_PUBLISH_H
#define IL_PUBLISH_H

#include <jansson.h>
#include <stdio.h>

#include "harness/base/status.h"
#include "harness/draw/section.h"

typedef struct {
    const char *dir, *name; /* the files are DIR/NAME and a suffix */
    int order;              /* for the manifest: place in the section, 0: by name */
    const il_section *section;
    const json_t *origin;
    char *folder; /* scratch, where they are until then; */
    int lock;     /* a descriptor of it, as long as it is not NULL */
} il_publication;

/* Make dir and the scratch folder; the manifest's members may then be set. name:
 * il_text_is_file_name. IL_EIO, IL_EINVAL where the path is too long; close after a failure too. */
il_status il_publication_open(il_publication *p, const char *dir, const char *name, il_error *err);

/* Write the scratch file of that suffix by put(stream, data). */
il_status il_publication_put(const il_publication *p, const char *suffix,
                             void (*put)(FILE *out, const void *data), const void *data,
                             il_error *err);

/* The n scratch files into their places, and manifest, which is taken and gets what p has for it,
 * their names as "files" and their checksums as "sums", sealed as NAME and `end`. On failure the
 * files that stood there before are as they were. */
il_status il_publication_commit(const il_publication *p, const char *const *suffixes, int n,
                                const char *end, json_t *manifest, il_error *err);

/* All of it: n texts into DIR/NAME and their suffixes, and the manifest, of the dir, name, order,
 * section and origin that what says. IL_EINVAL for a name that no file may have; else as above. */
il_status il_publish_texts(const il_publication *what, const char *const *suffixes,
                           const char *const *texts, int n, const char *end, json_t *manifest,
                           il_error *err);

/* Nothing remains of the scratch folder. */
void il_publication_close(il_publication *p);

#endif
