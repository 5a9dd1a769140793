/*
 * draw.h - figures and tables into the results folder. Not for use outside harness/lua.
 */
#ifndef IL_LUA_DRAW_H
#define IL_LUA_DRAW_H

#include "harness/draw/plot.h"
#include "harness/draw/table.h"
#include "harness/lua/base/args.h"
#include "harness/lua/sweep/result.h"

/* Draw into RESULTS/figures and push the path of the PNG; raises an error if it cannot be drawn. A
 * figure, or table, without an origin is made from what the script has asked for until now. */
void il_lua_draw(const il_fields *f, const il_figure *figure);

/* Say that figure `name` is not drawn and why, push nil and why, and return 2: failed runs are
 * data, and a figure that they leave empty is no error of the script. */
int il_lua_draw_nothing(lua_State *L, const char *name, const char *why);

/* Write into RESULTS/tables and push the path of the first format; raises an error if that fails.
 * csv[rows * columns] are the cells of the csv, where numbers have all digits. */
void il_lua_tabulate(const il_fields *f, const il_table *table, const char *const *csv,
                     unsigned formats);

/* x with as few digits as reading it back exactly takes; "nan", "inf" and "-inf". */
const char *il_lua_digits(lua_State *L, il_lua_arena *arena, double x);

/* The key formats, an array of txt, csv, tex; all where it is absent. */
unsigned il_lua_formats(const il_fields *f);

/* The key order: place in the report; 0 where it is absent. */
int il_lua_place(const il_fields *f);

/* The key mm, {width, height} in millimetres, into the figure's size, and tex; both stay where they
 * are absent. */
void il_lua_figure_paper(const il_fields *f, il_figure *figure);

/* r:figure{"parameter", ...}, whose table is f's: chart_parameter.c. */
int il_result_parameter_figure(const il_fields *f, const il_result *result);

#endif
