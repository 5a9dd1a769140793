/*
 * demand.c - verdicts as an exit status and as JUnit's XML:
 *
 *     <testsuite name="impactlab judge" tests="2" failures="1" skipped="0" errors="0">
 *       <testcase classname="CLASS" name="NAME"><failure message="FAIL">TEXT</failure></testcase>
 */
#include "harness/cli/demand.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/io/file.h"

bool il_cli_demands_orders(const il_cli_demand *demand) {
    return demand->require >= 0 || demand->fail_below > 0.0 || demand->norm != NULL;
}

bool il_cli_demand_fails(const il_cli_demand *demand, const char *norm, const char *verdict,
                         double order) {
    if (norm != NULL && demand->norm != NULL && strcmp(norm, demand->norm) != 0) {
        return false;
    }
    bool exact =
        strcmp(verdict, "PASS") == 0 && isnan(order); /* errors at rounding have no order */
    return strcmp(verdict, "FAIL") == 0 ||
           (demand->require >= 0 && strcmp(verdict, "INCONCLUSIVE") == 0) ||
           (norm != NULL && demand->fail_below > 0.0 && !(order >= demand->fail_below) && !exact);
}

il_status il_cli_demand_check(const il_cli_demand *demand, il_error *err) {
    il_file file = {0};
    il_status status = demand->junit != NULL ? il_file_open(&file, demand->junit, err) : IL_OK;
    il_file_abandon(&file);
    return status;
}

void il_cli_cases_add(il_cli_cases *cases, const char *group, const char *name, bool failed,
                      const char *verdict, const char *text) {
    bool open = strcmp(verdict, "INCONCLUSIVE") == 0 || strcmp(verdict, "NOT APPLICABLE") == 0;
    json_t *one = json_object();
    if (cases->list == NULL) {
        cases->list = json_array();
    }
    il_json_put_text(one, "class", group);
    il_json_put_text(one, "name", name);
    il_json_put_text(one, "outcome", failed ? "failed" : open ? "skipped" : "passed");
    il_json_put_text(one, "verdict", verdict);
    il_json_put_text(one, "text", text);
    il_json_append(cases->list, one);
}

/* XML has no control characters but three. */
static void put_escaped(FILE *out, const char *text) {
    for (const char *c = text; *c != '\0'; c++) {
        switch (*c) {
        case '&':
            (void)fputs("&amp;", out);
            break;
        case '<':
            (void)fputs("&lt;", out);
            break;
        case '>':
            (void)fputs("&gt;", out);
            break;
        case '"':
            (void)fputs("&quot;", out);
            break;
        default:
            (void)fputc((unsigned char)*c < 0x20 ? ' ' : *c, out);
        }
    }
}

static void put_case(FILE *out, const json_t *one) {
    const char *outcome = il_json_get_text(one, "outcome");
    (void)fputs("  <testcase classname=\"", out);
    put_escaped(out, il_json_get_text(one, "class"));
    (void)fputs("\" name=\"", out);
    put_escaped(out, il_json_get_text(one, "name"));
    (void)fputs("\">", out);
    const char *tag = strcmp(outcome, "failed") == 0    ? "failure"
                      : strcmp(outcome, "skipped") == 0 ? "skipped"
                                                        : NULL;
    if (tag != NULL) {
        (void)fprintf(out, "<%s message=\"", tag);
        put_escaped(out, il_json_get_text(one, "verdict"));
        (void)fputs("\">", out);
    } else {
        (void)fputs("<system-out>", out);
    }
    put_escaped(out, il_json_get_text(one, "text"));
    (void)fprintf(out, "</%s></testcase>\n", tag != NULL ? tag : "system-out");
}

static size_t count(const json_t *list, const char *outcome) {
    size_t k = 0;
    size_t n = 0;
    const json_t *one = NULL;
    json_array_foreach(list, k, one) {
        n += strcmp(il_json_get_text(one, "outcome"), outcome) == 0;
    }
    return n;
}

il_status il_cli_cases_write(il_cli_cases *cases, const il_cli_demand *demand, const char *verb,
                             il_error *err) {
    il_file file = {0};
    il_status status = IL_OK;
    size_t k = 0;
    const json_t *one = NULL;
    if (demand->junit != NULL) {
        status = il_file_open(&file, demand->junit, err);
    }
    if (status == IL_OK && demand->junit != NULL) {
        (void)fprintf(
            file.stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"impactlab %s\" "
            "tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\" errors=\"0\">\n",
            verb, json_array_size(cases->list), count(cases->list, "failed"),
            count(cases->list, "skipped"));
        json_array_foreach(cases->list, k, one) {
            put_case(file.stream, one);
        }
        (void)fputs("</testsuite>\n", file.stream);
        status = il_file_commit(&file, err);
    }
    il_file_abandon(&file);
    json_decref(cases->list);
    *cases = (il_cli_cases){.list = NULL};
    return status;
}
