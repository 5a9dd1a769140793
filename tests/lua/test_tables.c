/*
 * test_tables.c - tables keep what stands in their cells, in all three spellings.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/lua_stage.h"
#include "tests/support/suite.h"

/* lab.table{name = 't', REST}: the text of its file of that format, the caller's. */
static char *written(const char *rest, const char *format) {
    char text[800];
    char file[32];
    il_stage s;
    il_stage_new(&s);
    (void)snprintf(text, sizeof text,
                   "require 'impactlab'.table{name = 't', formats = {'%s'}, %s}\n", format, rest);
    il_stage_write(s.script, text);
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
    (void)snprintf(file, sizeof file, "tables/t.%s", format);
    char *got = il_stage_read(s.results, file);
    il_stage_free(&s);
    return got;
}

static void expect(const char *rest, const char *format, const char *text) {
    char *got = written(rest, format);
    CU_ASSERT_STRING_EQUAL(got, text);
    free(got);
}

/* λ is two bytes and one letter. */
static void txt_is_aligned(void) {
    expect("caption = 'Errors.', heads = {'scheme', 'N', 'error'},\n"
           "rows = {{'maury', 64, '1.5e-2'}, {'λ-paoli', 1024}}",
           "txt",
           "Errors.\n\n"
           "scheme      N   error\n"
           "-------  ----  ------\n"
           "maury      64  1.5e-2\n"
           "λ-paoli  1024       -\n");
}

static void captions_are_broken(void) {
    expect("caption = ('word '):rep(17) .. 'ende', heads = {'a'}, rows = {}", "txt",
           "word word word word word word word word word word word word word word word word\n"
           "word ende\n\na\n-\n");
}

static void csv_is_rfc4180(void) {
    expect("heads = {'a,b', 'say \"x\"'},\n"
           "rows = {{'two\\nlines', '\"'}, {'plain', ' blanks kept '}}",
           "csv",
           "\"a,b\",\"say \"\"x\"\"\"\r\n\"two\nlines\",\"\"\"\"\r\nplain, blanks kept \r\n");
}

static void csv_keeps_what_stands_there(void) {
    expect("heads = {'=1+1', 'x'}, rows = {{'-2.5 [-3, 1]', 'a\\tb\\127'}}", "csv",
           "=1+1,x\r\n\"-2.5 [-3, 1]\",a b \r\n");
}

static void tex_is_escaped(void) {
    expect("caption = '50 % of a_b', heads = {'#$%&_{}', 'n'},\n"
           "rows = {{'~^\\\\', '-1.5e-03'}, {'[0, 1] <|>', 2}}",
           "tex",
           "\\begin{table}[htbp]\n  \\centering\n  \\caption{50 \\% of a\\_b}\n  \\label{tab:t}\n"
           "  \\begin{tabular}{lr}\n    \\hline\n"
           "    \\#\\$\\%\\&\\_\\{\\} & n \\\\\n    \\hline\n"
           "    \\textasciitilde{}\\textasciicircum{}\\textbackslash{} & "
           "$-1.5 \\times 10^{-3}$ \\\\\n"
           "    {[}0, 1] \\textless{}\\textbar{}\\textgreater{} & $2$ \\\\\n"
           "    \\hline\n  \\end{tabular}\n\\end{table}\n");
}

static void numbers_go_right_among_words(void) {
    expect("heads = {'what'}, rows = {{'words here'}, {12}, {'more words'}}", "txt",
           "what\n----------\nwords here\n        12\nmore words\n");
}

/* How many digits a number has in csv. */
static void numbers_have_as_many_digits_as_they_need(void) {
    expect("heads = {'x'}, rows = {{0.1}, {1/3}, {5e-324}, {1e300}, {-0.0}, {3.0}}", "csv",
           "x\r\n0.1\r\n0.3333333333333333\r\n5e-324\r\n1e+300\r\n-0\r\n3\r\n");
}

static void bad_input_is_refused(void) {
    static const struct {
        const char *text, *says;
    } list[] = {{"{name = 'a/b', heads = {'a'}, rows = {}}", "the table's name is 'a/b'"},
                {"{name = 't', heads = {}, rows = {}}", "heads is empty"},
                {"{name = 't', heads = {'a'}, rows = {}, formats = {'pdf'}}", "'pdf'"},
                {"{name = 't', heads = {'a', 'b'}, rows = {{'', '\\xc3('}}}",
                 "table 't': row 1, column 2 is not UTF-8"}};
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        char text[200];
        il_stage s;
        il_stage_new(&s);
        (void)snprintf(text, sizeof text, "require 'impactlab'.table%s\n", list[k].text);
        il_stage_write(s.script, text);
        CU_ASSERT_EQUAL(il_stage_run(&s), IL_EINVAL);
        CU_ASSERT_PTR_NOT_NULL(strstr(s.err.message, list[k].says));
        CU_ASSERT(!il_stage_has(s.results, "tables/t.txt"));
        il_stage_free(&s);
    }
}

static const il_test tests[] = {
    {"text is aligned by letters, numbers to the right", txt_is_aligned},
    {"a caption has lines of 80 letters at most", captions_are_broken},
    {"csv is RFC 4180", csv_is_rfc4180},
    {"cells of a csv are as they were given, without control characters",
     csv_keeps_what_stands_there},
    {"LaTeX's special characters are escaped, numbers are mathematics", tex_is_escaped},
    {"a number among words goes to the right by itself", numbers_go_right_among_words},
    {"numbers of a csv have as many digits as reading them back takes",
     numbers_have_as_many_digits_as_they_need},
    {"bad names, shapes, formats and bytes are refused", bad_input_is_refused},
    {.name = NULL}};

extern const il_suite il_suite_tables;
const il_suite il_suite_tables = {"tables", tests};
