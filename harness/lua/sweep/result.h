/*
 * result.h - the records that a sweep left. What is made of them, rooms below add as methods. Not
 * for use outside harness/lua.
 */
#ifndef IL_LUA_RESULT_H
#define IL_LUA_RESULT_H

#include "harness/base/json_pack.h"
#include "harness/lua/sweep/sweep.h"

/* Methods of results, by C and by Lua, stand in the table host.result_methods, those of sweeps in
 * host.sweep_methods. */

typedef struct il_result_problem il_result_problem; /* what a study measured of a problem */

/* The record that was read last, as a tree; k is its case. */
typedef struct {
    json_t *record;
    size_t k;
} il_result_open;

typedef struct {
    il_lua_arena *arena;
    const il_sweep *sweep;
    il_result_problem **problems; /* [nproblems] NULL: not asked for yet */
    il_json_pack *records;        /* [il_sweep_count] */
    il_result_open *open;
    size_t found, ran, failed, missing;
} il_result;

/* Push an empty result for the sweep at index, and return it. */
il_result *il_lua_push_result(lua_State *L, int index, const il_sweep *sweep);

/* The result at index, or an error. */
il_result *il_lua_check_result(lua_State *L, int index);

/* The sweep at index, or that of the result there. */
const il_sweep *il_lua_sweep_at(lua_State *L, int index);

/* Did case k run, here or before, and well? */
bool il_result_is_ok(const il_result *result, size_t k);

/* Did the run of the record end with status, or with IL_OK? */
bool il_record_has_status(const json_t *record, il_status status);
bool il_record_is_ok(const json_t *record);

/* The record of case k, the result's, which lives until another is asked for or put; NULL where
 * there is none. */
json_t *il_result_record(const il_result *result, size_t k);

/* Keep what record is as that of case k; takes record over, also one of il_result_record. NULL
 * changes nothing. */
void il_result_put(il_result *result, size_t k, json_t *record);

/* Raise an error that the command line takes for "incomplete", if cases are missing. */
void il_result_expect_complete(lua_State *L, const il_result *result, const char *call);

/* The first of the nsizes cases of a problem and a scheme. */
size_t il_result_first(const il_result *result, size_t problem, size_t scheme);

/* Push the result of cases[n] of sweep s, which the value at index keeps alive, and fill runs[n],
 * zeroed, with all nodes of those that went well. What workers made of them is kept (job.h) until
 * il_lua_drop_runs; functions of the script make them one after the other, and nothing is kept.
 * Errors are raised. */
il_result *il_lua_execute_whole(lua_State *L, int index, const il_sweep *s, const size_t *cases,
                                size_t n, il_trajectory *runs);
void il_lua_drop_runs(lua_State *L, const il_sweep *s, const size_t *cases, size_t n);

/* A run that failed is data, and the script goes on. Each kind of failure leaves one line in a
 * script (harness/lua/library/notice.lua). */

/* Count a run that call ("lab.run") made and, if it failed, say so with the place in the script. */
void il_lua_notice_run(lua_State *L, const char *call, const il_case *c, const json_t *record);

/* Say of what kinds the failures of a sweep are, stored ones among them, and how many of each. */
void il_lua_notice_sweep(lua_State *L, const il_result *result);

/* Tell, once for each scheme that starts a program, what is wrong with its motions, and that stored
 * cases may be of another one. */
void il_lua_notice_programs(lua_State *L, const il_result *result);

#endif
