/*
 * test_table.c - tables keep what stands in their cells, in all three spellings.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

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

/* Cells of a spreadsheet that would be computed are not; numbers stay numbers. */
static void csv_has_no_formulas(void) {
    static const char *const h[] = {"=1+1", "-1.2 [-3, 1e-3]"};
    static const char *const c[] = {"=cmd|' /C calc'!A0",
                                    "-2.5",
                                    "@SUM(A1)",
                                    "+inf",
                                    " \t-A1",
                                    "1e-3",
                                    "'=1",
                                    "-",
                                    NULL,
                                    "+1/2"};
    il_table t = {"t", NULL, 2, 5, h, c, 0, NULL, NULL, NULL};
    expect(&t, IL_TABLE_CSV, "csv",
           "'=1+1,\"-1.2 [-3, 1e-3]\"\r\n'=cmd|' /C calc'!A0,-2.5\r\n'@SUM(A1),+inf\r\n"
           "'  -A1,1e-3\r\n" /* and no control character */
           "''=1,-\r\n-,+1/2\r\n");
}

/* Room for the rounded cells and not for those with all digits: nothing of the old table changes,
 * and nothing is left beside it. */
static void a_full_disk_changes_nothing(void) {
    static const char *const h[] = {"x"};
    static const char *const old[] = {"1"};
    static const char *const rounded[] = {"2"};
    char digits[4096];
    char dir[IL_SCRATCH_ROOM];
    struct rlimit before;
    il_error err = {IL_OK, ""};
    memset(digits, '3', sizeof digits);
    digits[sizeof digits - 1] = '\0';
    const char *const exact[] = {digits};
    il_table first = {"t", NULL, 1, 1, h, old, 0, NULL, NULL, NULL};
    il_table second = {"t", NULL, 1, 1, h, rounded, 0, NULL, exact, NULL};
    il_scratch_open(dir);
    CU_ASSERT_EQUAL(il_table_write(&first, dir, IL_TABLE_ALL, NULL), IL_OK);
    char *txt = il_test_slurp(dir, "t.txt", NULL);
    char *csv = il_test_slurp(dir, "t.csv", NULL);
    CU_ASSERT_EQUAL(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit full = {1024, before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &full), 0);
    il_status status = il_table_write(&second, dir, IL_TABLE_ALL, &err);
    CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, handler);
    CU_ASSERT_EQUAL(status, IL_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "t.csv"));
    char *txt_now = il_test_slurp(dir, "t.txt", NULL);
    char *csv_now = il_test_slurp(dir, "t.csv", NULL);
    CU_ASSERT_STRING_EQUAL(txt_now, txt);
    CU_ASSERT_STRING_EQUAL(csv_now, csv);
    CU_ASSERT_EQUAL(il_scratch_count(dir), 4);
    free(txt);
    free(csv);
    free(txt_now);
    free(csv_now);
    il_scratch_close(dir, 0);
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

/* A folder where the tex file should go: the old txt stays, no scratch file is left. */
static void unwritable_place_is_an_io_error(void) {
    char dir[IL_SCRATCH_ROOM];
    char below[2 * IL_SCRATCH_ROOM];
    il_error err;
    il_scratch_open(dir);
    CU_ASSERT_EQUAL(il_table_write(&plain, dir, IL_TABLE_TXT, &err), IL_OK);
    (void)snprintf(below, sizeof below, "%s/t.txt/inside", dir);
    CU_ASSERT_EQUAL(il_table_write(&plain, below, IL_TABLE_ALL, &err), IL_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "t.txt"));
    il_scratch_close(dir, 0);
}

static const il_test tests[] = {
    {"text is aligned by letters, numbers to the right", txt_is_aligned},
    {"csv is RFC 4180", csv_is_rfc4180},
    {"a full disk leaves the old table whole", a_full_disk_changes_nothing},
    {"no cell of a csv is a formula", csv_has_no_formulas},
    {"LaTeX's special characters are escaped, numbers are mathematics", tex_is_escaped},
    {"a number among words goes to the right by itself", numbers_go_right_among_words},
    {"bad names, shapes, formats and bytes are refused", bad_input_is_refused},
    {"an unwritable place is an io error", unwritable_place_is_an_io_error},
    {.name = NULL}};

extern const il_suite il_suite_table;
const il_suite il_suite_table = {"table", tests};
