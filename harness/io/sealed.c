/*
 * sealed.c - a header with the checksum of all the rest.
 */
#include "harness/io/sealed.h"

#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/io/file.h"

static const char OPENING[] = "{\"format\": ";
static const char SUM[] = "\"sha256\": \"";
static const char CLOSING[] = "\", ";

/* ---- sums ----------------------------------------------------------------------------------- */

static void spell(struct sha256_ctx *context, char sum[IL_SEALED_SUM]) {
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(context, sizeof digest, digest);
    base16_encode_update(sum, sizeof digest, digest);
    sum[IL_SEALED_SUM - 1] = '\0';
}

static void sum_of(const char *head, size_t nhead, const char *rest, size_t nrest,
                   char sum[IL_SEALED_SUM]) {
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, nhead, (const uint8_t *)head);
    sha256_update(&context, nrest, (const uint8_t *)rest);
    spell(&context, sum);
}

void il_sealed_sum(const char *text, size_t n, char sum[IL_SEALED_SUM]) {
    sum_of(text, n, "", 0, sum);
}

il_status il_sealed_sum_file(const char *path, char sum[IL_SEALED_SUM], il_error *err) {
    struct sha256_ctx context;
    uint8_t buffer[1 << 14];
    size_t got = 0;
    il_error why = {IL_OK, ""};
    FILE *in = il_file_read(path, &why);
    if (in == NULL) {
        return il_fail(err, why.code, "%s", why.message);
    }
    sha256_init(&context);
    while ((got = fread(buffer, 1, sizeof buffer, in)) > 0) {
        sha256_update(&context, got, buffer);
    }
    bool failed = ferror(in) != 0;
    (void)fclose(in);
    spell(&context, sum);
    return failed ? il_fail(err, IL_EIO, "cannot read '%s' to its end", path) : IL_OK;
}

/* ---- writing -------------------------------------------------------------------------------- */

char *il_sealed_text(const json_t *object, size_t layout) {
    char head[32];
    char sum[IL_SEALED_SUM];
    char *rest = il_json_text_as(object, layout);
    char *line = il_alloc_format("%s\n", rest + 1);
    int n = snprintf(head, sizeof head, "%s%d, ", OPENING, IL_SEALED_FORMAT);
    sum_of(head, (size_t)n, line, strlen(line), sum);
    char *text = il_alloc_format("%s%s%s%s%s", head, SUM, sum, CLOSING, line);
    free(line);
    free(rest);
    return text;
}

void il_sealed_put(FILE *out, const json_t *object, size_t layout) {
    char *text = il_sealed_text(object, layout);
    (void)fputs(text, out);
    free(text);
}

il_status il_sealed_write(const char *path, const json_t *object, size_t layout, bool lasting,
                          il_error *err) {
    il_file file = {0};
    il_status status = il_file_open(&file, path, err);
    if (status != IL_OK) {
        return status;
    }
    file.passing = !lasting;
    il_sealed_put(file.stream, object, layout);
    return il_file_commit(&file, err);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* The text's head is as it should be, and its sum that of the others. */
static il_status judge(const char *text, size_t n, il_error *err) {
    char *end = NULL;
    char sum[IL_SEALED_SUM];
    const char *number = text + sizeof OPENING - 1;
    if (strncmp(text, OPENING, sizeof OPENING - 1) != 0) {
        return il_fail(err, IL_EINVAL, "it has no checksum at its beginning");
    }
    unsigned long format = strtoul(number, &end, 10);
    size_t head = (size_t)(end - text) + 2;
    size_t rest = head + sizeof SUM - 1 + sizeof sum - 1 + sizeof CLOSING - 1;
    if (end == number || n < rest || strncmp(end, ", ", 2) != 0 ||
        strncmp(text + head, SUM, sizeof SUM - 1) != 0 ||
        strncmp(text + rest - (sizeof CLOSING - 1), CLOSING, sizeof CLOSING - 1) != 0) {
        return il_fail(err, IL_EINVAL, "it has no checksum at its beginning");
    }
    sum_of(text, head, text + rest, n - rest, sum);
    if (strncmp(text + head + sizeof SUM - 1, sum, sizeof sum - 1) != 0) {
        return il_fail(err, IL_EINVAL, "its checksum is not that of what it holds");
    }
    return format <= IL_SEALED_FORMAT
               ? IL_OK
               : il_fail(err, IL_EUNSUPPORTED,
                         "it has format %lu, and this program reads up to %d; use the newer "
                         "program that wrote it, or another folder",
                         format, IL_SEALED_FORMAT);
}

il_status il_sealed_load(const char *path, json_t **object, il_error *err) {
    il_error why = {IL_OK, ""};
    char *text = NULL;
    size_t n = 0;
    *object = NULL;
    il_status status = il_file_load(path, &text, &n, &why);
    if (text == NULL) {
        return status == IL_OK ? IL_OK : il_fail(err, status, "%s", why.message);
    }
    status = judge(text, n, &why);
    status = status == IL_OK ? il_json_parse(text, object, &why) : status;
    if (status == IL_OK && !json_is_object(*object)) {
        json_decref(*object);
        *object = NULL;
        status = il_fail(&why, IL_EINVAL, "it is no object");
    }
    free(text);
    return status == IL_OK ? IL_OK : il_fail(err, status, "%s", why.message);
}
