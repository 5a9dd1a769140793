/*
 * test_lua_order.c - r:order, r:orders, tables of orders and work-precision diagrams.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/support/lua_stage.h"
#include "tests/support/suite.h"

static void orders_from_scripts(void) {
    il_stage s;
    il_stage_new(&s);
    s.options.workers = 2;
    il_stage_run_file(&s, "tests/lua/orders.lua", 36);
    CU_ASSERT(s.outcome.orders == 20 && s.outcome.orders_failed == 1); /* the sharp half */
    char *csv = il_stage_read(s.results, "tables/o-orders.csv");
    CU_ASSERT_PTR_NOT_NULL(strstr(csv, "problem,scheme,norm,order,low,high,octaves,fold,finest,"
                                       "floor high,runs,used,verdict,reason"));
    free(csv);
    char *gp = il_stage_read(s.results, "figures/o-work_precision-u_L1-seconds.gp");
    CU_ASSERT_PTR_NOT_NULL(strstr(gp, "seconds, of the machine that ran it"));
    CU_ASSERT_PTR_NOT_NULL(strstr(gp, "error, u_L1"));
    free(gp);
    il_stage_free(&s);
}

static void verdicts_are_not_fooled(void) {
    il_stage_try_file("tests/lua/judged.lua", 19);
}

static void studies_design_themselves(void) {
    il_stage_try_file("tests/lua/decided.lua", 9);
}

static void laws_are_judged(void) {
    il_stage_try_file("tests/lua/laws.lua", 24);
}

static void theorems_are_credited_where_they_apply(void) {
    il_stage_try_file("tests/lua/credited.lua", 21);
}

static const il_test tests[] = {
    {"orders from scripts: fields, claims, refusals, tables, diagrams", orders_from_scripts},
    {"verdicts on runs of schemes", verdicts_are_not_fooled},
    {"studies design themselves", studies_design_themselves},
    {"laws are judged by the phases of events, and the worst data found", laws_are_judged},
    {"theorems are credited where they apply", theorems_are_credited_where_they_apply},
    {NULL, NULL}};

const il_suite il_suite_lua_order = {"lua order", tests};
