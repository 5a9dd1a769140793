/*
 * test_lua_own.c - schemes, references and norms that scripts bring.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/lua_stage.h"
#include "tests/support/suite.h"

/* Run the file: no check fails, and so many runs do, which are wrong. */
static void try_wrong(const char *file, size_t least, size_t wrong) {
    il_stage s;
    il_stage_new(&s);
    s.options.workers = 2;
    il_stage_run_file(&s, file, least);
    CU_ASSERT_EQUAL(s.outcome.runs_failed, wrong);
    il_stage_free(&s);
}

static void schemes_are_their_twins(void) {
    try_wrong("tests/lua/own_schemes.lua", 80, 8); /* the fakes */
}

static void engines_are_their_twins(void) {
    try_wrong("tests/lua/own_engines.lua", 42, 3); /* what contacts are asked wrongly */
}

static void motions_are_followed(void) {
    try_wrong("tests/lua/own_motion.lua", 15, 11); /* the broken */
}

static void callbacks_are_read(void) {
    try_wrong("tests/lua/own_callbacks.lua", 33, 13); /* the broken */
}

static void references_and_norms_measure(void) {
    il_stage s;
    il_stage_new(&s);
    s.options.workers = 2;
    il_stage_run_file(&s, "tests/lua/own_measured.lua", 44);
    CU_ASSERT_EQUAL(s.outcome.failed, 0);
    CU_ASSERT_EQUAL(s.outcome.cases, 89); /* a norm counts none twice */
    char *drawn = il_stage_read(s.results, "figures/across-parameter.gp");
    CU_ASSERT_PTR_NOT_NULL(strstr(drawn, "xlabel1 = 'N'"));
    free(drawn);
    il_stage_free(&s);
}

static void boards_have_known_answers(void) {
    il_stage s;
    il_stage_new(&s);
    s.options.workers = 2;
    il_stage_run_file(&s, "tests/lua/board.lua", 29);
    CU_ASSERT_EQUAL(s.outcome.failed, 0); /* a cell says so instead */
    char *few = il_stage_read(s.results, "figures/few.gp");
    char *many = il_stage_read(s.results, "figures/many.gp");
    CU_ASSERT_PTR_NOT_NULL(strstr(few, "0.001"));
    CU_ASSERT_PTR_NULL(strstr(few, "#08306b"));
    CU_ASSERT_PTR_NOT_NULL(strstr(many, "#08306b")); /* maury's in its group */
    free(few);
    free(many);
    il_stage_free(&s);
}

static void links_are_not_followed(void) {
    il_stage s;
    char link[128];
    il_stage_new(&s);
    (void)snprintf(link, sizeof link, "%s/link.csv", s.folder);
    CU_ASSERT_EQUAL(symlink("/etc/passwd", link), 0);
    il_stage_write(s.script,
                   "require('impactlab').run{problem = 'bouncing_ball', scheme = 'maury',\n"
                   "  steps = 8, reference = {file = 'link.csv'}}\n");
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(s.err.message, "a link, which is not followed"));
    il_stage_free(&s);
}

static const il_test tests[] = {
    {"schemes in Lua have the numbers of their compiled twins, and fakes no certificate",
     schemes_are_their_twins},
    {"motions inside steps are followed", motions_are_followed},
    {"engines are their twins", engines_are_their_twins},
    {"what callbacks of a problem give is read, and what is wrong is said", callbacks_are_read},
    {"references and norms of a script measure what the program's do",
     references_and_norms_measure},
    {"boards have the answers that are known", boards_have_known_answers},
    {"links are not followed", links_are_not_followed},
    {.name = NULL}};

extern const il_suite il_suite_lua_own;
const il_suite il_suite_lua_own = {"what scripts bring", tests};
