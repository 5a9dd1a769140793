/*
 * test_gnuplot.c - gnuplot is fed by a pipe, and whatever goes wrong on the way is said.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/draw/gnuplot.h"
#include "tests/support/drawing.h"
#include "tests/support/expect.h"
#include "tests/support/suite.h"

static const char *const PICTURE[] = {"x.svg"};
static const char *const NONE[] = {"y.svg"};
static const char *const PLAIN[] = {"x.txt"};

/* The script piped to gnuplot, or to the program that is pretended to be it. */
static il_status drive(il_drawing *b, const char *script, const char *const *pictures, size_t n) {
    return il_gnuplot_run(b->dir, script, strlen(script), pictures, n, "f", &b->err);
}

/* As `impactlab figure` runs it: a pipe to its input, -d and no file as its arguments; and what is
 * kept beside a figure draws the same bytes again when it is given by its name. The date within a
 * PDF is that of the drawing. */
static void a_script_comes_by_a_pipe(void) {
    il_drawing b;
    char program[IL_SCRATCH_ROOM];
    char command[2 * IL_SCRATCH_ROOM];
    il_drawing_open(&b);
    il_drawing_pretend("[ -p /dev/stdin ] && [ \"$*\" = -d ] || exit 9\nexec gnuplot \"$@\"",
                       program);
    CU_ASSERT_EQUAL_FATAL(il_drawing_line(&b, "f"), IL_OK);
    (void)snprintf(command, sizeof command,
                   "cd '%s' && mkdir again && cp f.gp f.dat again && cd again && gnuplot f.gp && "
                   "cmp f.svg ../f.svg && cmp f.png ../f.png && "
                   "for p in . ..; do grep -av CreationDate $p/f.pdf | sha256sum; done | uniq -u "
                   "> differs && ! [ -s differs ] && cd .. && rm -r again",
                   b.dir);
    CU_ASSERT_EQUAL(system(command), 0);
    (void)unlink(program);
    il_drawing_close(&b);
}

/* gnuplot goes on after an error in a pipe and draws all the same: the first error is said. */
static void an_error_within_a_script_is_said(void) {
    il_drawing b;
    il_drawing_open(&b);
    CU_ASSERT_EQUAL(drive(&b,
                          "set terminal svg\nset output 'x.svg'\nplto 1\nplot 'none.dat'\nplot x\n"
                          "set output\n",
                          PICTURE, 1),
                    IL_EPLOT);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "'f'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, ": invalid command"));
    CU_ASSERT_EQUAL(drive(&b, "set terminal svg\n", NONE, 1), IL_EPLOT);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "wrote no y.svg"));
    il_drawing_close(&b);
}

/* A script longer than a pipe holds, to a program that reads none of it: no SIGPIPE, a message. */
static void what_is_not_read_is_said(void) {
    enum { LONG = 1 << 20 };
    il_drawing b;
    char program[IL_SCRATCH_ROOM];
    char *script = malloc(LONG + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(script);
    memset(script, '\n', LONG);
    script[LONG] = '\0';
    il_drawing_open(&b);
    void (*before)(int) = signal(SIGPIPE, SIG_DFL);
    il_drawing_pretend("echo whole > x.txt", program);
    CU_ASSERT_EQUAL(drive(&b, script, PLAIN, 1), IL_EPLOT);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "did not read all of figure 'f'"));
    (void)unlink(program);
    il_drawing_pretend("cat > x.txt; exit 3", program);
    CU_ASSERT_EQUAL(drive(&b, script, PLAIN, 1), IL_EPLOT);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "failed with exit status 3"));
    (void)unlink(program);
    /* And one that reads all, and says much more than is kept. */
    il_drawing_pretend("cat > x.txt; yes 'some words' | head -n 100000 >&2", program);
    CU_ASSERT_EQUAL(drive(&b, script, PLAIN, 1), IL_EPLOT);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "complained of figure 'f': some words"));
    size_t n = 0;
    char *taken = il_drawing_slurp(&b, "x.txt", &n);
    CU_ASSERT_EQUAL(n, LONG);
    free(taken);
    (void)unlink(program);
    (void)signal(SIGPIPE, before);
    il_drawing_close(&b);
    free(script);
}

static const il_test tests[] = {
    {"a script comes by a pipe, and what is kept redraws the same bytes", a_script_comes_by_a_pipe},
    {"an error within a script is said", an_error_within_a_script_is_said},
    {"a script that is not read, or complained of at length, is said", what_is_not_read_is_said},
    {NULL, NULL}};

const il_suite il_suite_gnuplot = {"gnuplot", tests};
