/*
 * test_table.c - tables keep what stands in their cells, in all three spellings.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/draw/table.h"
#include "tests/support/expect.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static const char *const heads[] = {"scheme", "N", "error"};
static const char *const cells[] = {"maury", "64", "1.5e-2", "λ-paoli", "1024", NULL};
static const il_table plain = {"t", "Errors.", 3, 2, heads, cells, 0, NULL, NULL, NULL};

/* Write one table of one format and compare the whole file. */
static void expect(const il_table *table, unsigned format, const char *suffix, const char *text) {
    char dir[IL_SCRATCH_ROOM];
    char file[64];
    il_error err;
    il_scratch_open(dir);
    CU_ASSERT_EQUAL(il_table_write(table, dir, format, &err), IL_OK);
    (void)snprintf(file, sizeof file, "%s.%s", table->name, suffix);
    char *got = il_test_slurp(dir, file, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(got);
    CU_ASSERT_STRING_EQUAL(got, text);
    free(got);
    il_scratch_close(dir, 0);
}

/* λ is two bytes and one letter. */
static void txt_is_aligned(void) {
    expect(&plain, IL_TABLE_TXT, "txt",
           "Errors.\n\n"
           "scheme      N   error\n"
           "-------  ----  ------\n"
           "maury      64  1.5e-2\n"
           "λ-paoli  1024       -\n");
}

static void csv_is_rfc4180(void) {
    static const char *const h[] = {"a,b", "say \"x\""};
    static const char *const c[] = {"two\nlines", "\"", "plain", " blanks kept "};
    il_table t = {"t", NULL, 2, 2, h, c, 0, NULL, NULL, NULL};
    expect(&t, IL_TABLE_CSV, "csv",
           "\"a,b\",\"say \"\"x\"\"\"\r\n\"two\nlines\",\"\"\"\"\r\nplain, blanks kept \r\n");
}

static void csv_keeps_what_stands_there(void) {
    static const char *const h[] = {"=1+1", "x"};
    static const char *const c[] = {"-2.5 [-3, 1]", "a\tb\x7f"};
    il_table t = {"t", NULL, 2, 1, h, c, 0, NULL, NULL, NULL};
    expect(&t, IL_TABLE_CSV, "csv", "=1+1,x\r\n\"-2.5 [-3, 1]\",a b \r\n");
}

static void tex_is_escaped(void) {
    static const char *const h[] = {"#$%&_{}", "n"};
    static const char *const c[] = {"~^\\", "-1.5e-03", "[0, 1] <|>", "2"};
    il_table t = {"t", "50 % of a_b", 2, 2, h, c, 0, NULL, NULL, NULL};
    expect(&t, IL_TABLE_TEX, "tex",
           "\\begin{table}[htbp]\n  \\centering\n  \\caption{50 \\% of a\\_b}\n  \\label{tab:t}\n"
           "  \\begin{tabular}{lr}\n    \\hline\n"
           "    \\#\\$\\%\\&\\_\\{\\} & n \\\\\n    \\hline\n"
           "    \\textasciitilde{}\\textasciicircum{}\\textbackslash{} & "
           "$-1.5 \\times 10^{-3}$ \\\\\n"
           "    {[}0, 1] \\textless{}\\textbar{}\\textgreater{} & $2$ \\\\\n"
           "    \\hline\n  \\end{tabular}\n\\end{table}\n");
}

static void numbers_go_right_among_words(void) {
    static const char *const h[] = {"what"};
    static const char *const c[] = {"words here", "12", "more words"};
    il_table t = {"t", NULL, 1, 3, h, c, 0, NULL, NULL, NULL};
    expect(&t, IL_TABLE_TXT, "txt", "what\n----------\nwords here\n        12\nmore words\n");
}

static void bad_input_is_refused(void) {
    static const char *const bytes[] = {"\xc3("};
    char dir[IL_SCRATCH_ROOM];
    il_error err;
    il_scratch_open(dir);
    il_table t = plain;
    t.name = "a/b";
    CU_ASSERT_EQUAL(il_table_write(&t, dir, IL_TABLE_ALL, &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "a/b"));
    t = plain;
    t.columns = 0;
    CU_ASSERT_EQUAL(il_table_write(&t, dir, IL_TABLE_ALL, &err), IL_EINVAL);
    CU_ASSERT_EQUAL(il_table_write(&plain, dir, 0, &err), IL_EINVAL);
    CU_ASSERT_EQUAL(il_table_write(&plain, dir, 8, &err), IL_EINVAL);
    t = (il_table){"t", NULL, 1, 1, heads, bytes, 0, NULL, NULL, NULL};
    CU_ASSERT_EQUAL(il_table_write(&t, dir, IL_TABLE_ALL, &err), IL_EINVAL);
    il_scratch_close(dir, 0); /* rmdir succeeds: nothing was written */
}

static const il_test tests[] = {
    {"text is aligned by letters, numbers to the right", txt_is_aligned},
    {"csv is RFC 4180", csv_is_rfc4180},
    {"cells of a csv are as they were given, without control characters",
     csv_keeps_what_stands_there},
    {"LaTeX's special characters are escaped, numbers are mathematics", tex_is_escaped},
    {"a number among words goes to the right by itself", numbers_go_right_among_words},
    {"bad names, shapes, formats and bytes are refused", bad_input_is_refused},
    {.name = NULL}};

extern const il_suite il_suite_table;
const il_suite il_suite_table = {"table", tests};
