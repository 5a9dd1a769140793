/*
 * lua_stage.c - scripts in a folder of their own.
 */
#include "tests/support/lua_stage.h"

#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/suite.h"

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

void il_stage_new(il_stage *s) {
    *s = (il_stage){.folder = "/tmp/il-lua-XXXXXX"};
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(s->folder));
    (void)snprintf(s->script, sizeof s->script, "%s/script.lua", s->folder);
    (void)snprintf(s->results, sizeof s->results, "%s/results", s->folder);
    s->options = (il_lua_options){.script = s->script, .results = s->results, .workers = 1};
}

void il_stage_free(il_stage *s) {
    free(s->messages);
    CU_ASSERT_EQUAL(nftw(s->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

il_status il_stage_run(il_stage *s) {
    size_t size = 0;
    free(s->messages);
    s->messages = NULL;
    s->err = (il_error){IL_OK, ""};
    FILE *out = open_memstream(&s->messages, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    s->options.messages = out;
    il_status status = il_lua_run_script(&s->options, &s->outcome, &s->err);
    (void)fclose(out);
    return status;
}

void il_stage_write(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    (void)fputs(text, file);
    (void)fclose(file);
}

char *il_stage_read(const char *folder, const char *name) {
    char path[256];
    glob_t found = {0};
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    bool one = glob(path, 0, NULL, &found) == 0 && found.gl_pathc == 1;
    FILE *file = one ? fopen(found.gl_pathv[0], "rb") : NULL;
    globfree(&found);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    (void)fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(1, (size_t)size + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_EQUAL(fread(text, 1, (size_t)size, file), (size_t)size);
    (void)fclose(file);
    return text;
}

bool il_stage_has(const char *folder, const char *name) {
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

/* Run a file of tests/lua: it ends well, with at least `least` checks of which none fails. */
void il_stage_run_file(il_stage *s, const char *file, size_t least) {
    s->options.script = file;
    il_status status = il_stage_run(s);
    if (status != IL_OK || s->outcome.checks_failed > 0) {
        (void)printf("\n%s: %s\n%s", file, s->err.message, s->messages);
    }
    CU_ASSERT_EQUAL(status, IL_OK);
    CU_ASSERT(s->outcome.checks >= least);
    CU_ASSERT_EQUAL(s->outcome.checks_failed, 0);
}

void il_stage_try_file(const char *file, size_t least) {
    il_stage s;
    il_stage_new(&s);
    s.options.workers = 2;
    il_stage_run_file(&s, file, least);
    il_stage_free(&s);
}
