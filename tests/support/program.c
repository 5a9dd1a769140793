/*
 * program.c - fork, exec, and what came out.
 */
#include "tests/support/program.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/suite.h"

enum { PATH_ROOM = 512, ARGS_MAX = 32 };

static void find_program(char *path) {
    const char *named = getenv("IMPACTLAB");
    if (named != NULL) {
        CU_ASSERT_FATAL(snprintf(path, PATH_ROOM, "%s", named) < PATH_ROOM);
        return;
    }
    char self[PATH_ROOM];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    CU_ASSERT_FATAL(n > 0);
    self[n] = '\0';
    CU_ASSERT_FATAL(snprintf(path, PATH_ROOM, "%s/impactlab", dirname(self)) < PATH_ROOM);
}

/* In the child: words of line as arguments, standard output into out, standard error dropped. */
static void become(const char *program, char *line, int out) {
    char *args[ARGS_MAX] = {NULL};
    int n = 0;
    args[n++] = strdup(program);
    for (char *word = strtok(line, " "); word != NULL && n < ARGS_MAX - 1;
         word = strtok(NULL, " ")) {
        args[n++] = word;
    }
    int null = open("/dev/null", O_RDWR);
    if (null >= 0 && dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(null, 2) >= 0) {
        (void)execv(program, args);
    }
    _exit(127);
}

char *il_program_output(const char *line, int *status) {
    char program[PATH_ROOM];
    char words[PATH_ROOM];
    find_program(program);
    CU_ASSERT_FATAL(snprintf(words, sizeof words, "%s", line) < (int)sizeof words);
    FILE *out = tmpfile();
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    (void)fflush(NULL);
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        become(program, words, fileno(out));
    }
    int code = 0;
    while (waitpid(child, &code, 0) < 0 && errno == EINTR) {
    }
    *status = WIFEXITED(code) ? WEXITSTATUS(code) : -1;
    CU_ASSERT_FATAL(fseek(out, 0, SEEK_END) == 0);
    long size = ftell(out);
    char *text = calloc((size_t)size + 1, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    rewind(out);
    CU_ASSERT_EQUAL(fread(text, 1, (size_t)size, out), (size_t)size);
    (void)fclose(out);
    return text;
}

json_t *il_program_object(const char *line) {
    int status = -1;
    char *text = il_program_output(line, &status);
    CU_ASSERT_EQUAL(status, 0);
    json_error_t error;
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    CU_ASSERT_FATAL(json_is_object(object));
    free(text);
    return object;
}

json_t *il_json_at(json_t *object, const char *path) {
    char words[128];
    (void)snprintf(words, sizeof words, "%s", path);
    for (char *word = strtok(words, "."); word != NULL && object != NULL;
         word = strtok(NULL, ".")) {
        object = json_object_get(object, word);
    }
    return object;
}

double il_json_number_at(json_t *object, const char *path) {
    json_t *value = il_json_at(object, path);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

double il_json_element_at(json_t *object, const char *path, size_t k) {
    json_t *value = json_array_get(il_json_at(object, path), k);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *il_json_text_at(json_t *object, const char *path) {
    const char *text = json_string_value(il_json_at(object, path));
    return text != NULL ? text : "(none)";
}
