/*
 * demand.c - verdicts as an exit status and as JUnit's XML.
 */
#include "harness/cli/demand.h"

#include <math.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/io/file.h"
#include "harness/lua/present.h"

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

il_status il_cli_cases_write(il_cli_cases *cases, const il_cli_demand *demand, const char *verb,
                             il_error *err) {
    il_file file = {0};
    json_t *all = json_pack("{s:s, s:o*}", "verb", verb, "cases", cases->list);
    il_status status = IL_OK;
    if (demand->junit != NULL) {
        status = il_file_open(&file, demand->junit, err);
        status =
            status == IL_OK ? il_lua_present("junit", all, NULL, file.stream, NULL, err) : status;
        status = status == IL_OK ? il_file_commit(&file, err) : status;
    }
    il_file_abandon(&file);
    json_decref(all);
    *cases = (il_cli_cases){.list = NULL};
    return status;
}
