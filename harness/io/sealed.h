/*
 * sealed.h - JSON objects with a checksum of their own text.
 *
 *     {"format": 1, "sha256": "SUM", REST
 *
 * REST is the members of an object in any layout. SUM is the SHA-256 (FIPS 180-4) of every other
 * byte: of {"format": 1, and a blank, and of REST to the end of the file. So every changed bit,
 * digit or blank is detected. Later formats keep this header.
 */
#ifndef IL_SEALED_H
#define IL_SEALED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/base/status.h"

/* The format that this program writes, and the newest that it reads. */
enum { IL_SEALED_FORMAT = 1 };

/* Letters of a SHA-256 in hexadecimal, with NUL. */
enum { IL_SEALED_SUM = 65 };

/* The SHA-256 of text[n]. */
void il_sealed_sum(const char *text, size_t n, char sum[IL_SEALED_SUM]);

/* The SHA-256 of a file that is one and no link. IL_EIO with the path and the reason. */
il_status il_sealed_sum_file(const char *path, char sum[IL_SEALED_SUM], il_error *err);

/* The object, which has members, sealed, as text to be freed. layout: flags of json_dumps. */
char *il_sealed_text(const json_t *object, size_t layout);

/* The same to a stream; write errors are seen when it is closed. */
void il_sealed_put(FILE *out, const json_t *object, size_t layout);

/* The same to a file, whole or not at all. lasting: wait until the disk has it. IL_EIO. */
il_status il_sealed_write(const char *path, const json_t *object, size_t layout, bool lasting,
                          il_error *err);

/* The object in a file, with "format" and "sha256", the caller's; NULL where there is no file,
 * which is IL_OK. Links are not followed, and nothing but a file is opened: a pipe does not block.
 * IL_EINVAL: damaged, with the reason; IL_EUNSUPPORTED: of a newer format, with what to do; IL_EIO:
 * it could not be looked at. */
il_status il_sealed_load(const char *path, json_t **object, il_error *err);

#endif
